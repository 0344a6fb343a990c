// The program that runs kernels: one request a line on standard input, one answer on standard output. It is a
// process of its own because a kernel may crash, hang or eat memory.
//
// Request, fields parted by tabs: run, library, checked (0/1), exit counts as arrival (0/1), threads,
// grid x y z, block x y z, threads x y z, shared bytes, file with the buffers, then the arguments: "b OFFSET BYTES" (in the
// file, at a multiple of 64 KiB) or "v HEX".
// Answer: lines "finding\tKIND\tMESSAGE\tSITE\tSITE" (addresses in the library, commas between), "output\tN"
// and N bytes, then "done\tSECONDS", "bad\tMESSAGE" (the request does not fit the kernel), or one after which the
// process ends: "crash\tMESSAGE", "memory" or "left\t0" (a checked kernel went where it cannot go on).
#include "host.h"

#include <dlfcn.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

#include "arguments.h"
#include "check.h"
#include "worker.h"

namespace engine {

namespace {

struct Printed {
    std::mutex mutex;
    std::string text;
};
Printed printed;
std::uintptr_t library_base = 0;
int answers = 1;
constexpr std::size_t kMostOutput = std::size_t(1) << 20;

void answer(const std::string& text) {
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t written = write(answers, text.data() + done, text.size() - done);
        if (written <= 0) _exit(1);
        done += std::size_t(written);
    }
}

std::string addresses(const Site& site) {
    std::string text;
    for (unsigned i = 0; i < site.depth; ++i) {
        if (i) text += ',';
        text += std::to_string(static_cast<long long>(site.frames[i] - library_base));
    }
    return text;
}

// The first thread that has to end the process speaks for all; the others wait for the end.
void speak_last() {
    static std::atomic_flag speaking;
    if (speaking.test_and_set())
        for (;;) pause();
}

void answer_findings() {
    std::string text;
    for (const check::Finding& finding : check::findings())
        text += "finding\t" + finding.kind + '\t' + finding.message + '\t' + addresses(finding.site) + '\t' +
                addresses(finding.other) + '\n';
    {
        const std::lock_guard lock(printed.mutex);
        text += "output\t" + std::to_string(printed.text.size()) + '\n' + printed.text;
        printed.text.clear();
    }
    answer(text);
}

std::string seconds_since(std::chrono::steady_clock::time_point start) {
    return std::to_string(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}

// A signal on a fiber: say what is known and end. Only the address tells an overflow of a thread's stack.
void on_signal(int signal, siginfo_t* info, void*) {
    speak_last();
    const char* what = signal == SIGFPE   ? "integer division by zero"
                       : signal == SIGILL ? "illegal instruction (a trap in the kernel)"
                       : signal == SIGABRT ? "aborted"
                                           : "access to memory that is not there";
    char text[256];
    int length = std::snprintf(text, sizeof text, "crash\t%s", what);
    if (signal == SIGSEGV || signal == SIGBUS)
        length += std::snprintf(text + length, sizeof text - std::size_t(length), " (address %p)", info->si_addr);
    text[length++] = '\n';
    if (write(answers, text, std::size_t(length)) < 0) _exit(1);
    _exit(3);
}

void catch_signals() {
    struct sigaction action {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(signal, &action, nullptr);
}

void use_signal_stack() {
    stack_t stack{};
    stack.ss_size = 1 << 16;
    stack.ss_sp = std::malloc(stack.ss_size);
    sigaltstack(&stack, nullptr);
}

[[noreturn]] void out_of_memory() {
    speak_last();
    answer("memory\n");
    _exit(4);
}

struct Library {
    void (*entry)(void**) = nullptr;
    Signature (*signature)() = nullptr;
};

Library& library(const std::string& path) {
    static std::map<std::string, Library> loaded;
    Library& library = loaded[path];
    if (!library.entry) {
        void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!handle) host::crash(dlerror());
        library.entry = reinterpret_cast<void (*)(void**)>(dlsym(handle, "engine_entry"));
        library.signature = reinterpret_cast<Signature (*)()>(dlsym(handle, "engine_signature"));
        if (!library.entry || !library.signature) host::crash("the kernel's library has no entry");
    }
    return library;
}

Worker& worker(std::size_t index) {
    static std::vector<std::unique_ptr<Worker>> workers;
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    while (workers.size() <= index) workers.push_back(std::make_unique<Worker>());
    return *workers[index];
}

// Groups in increasing order, handed out in batches: small enough to balance, large enough to be cheap.
void run_groups(const Launch& launch, unsigned threads) {
    const std::uint64_t groups = std::uint64_t(launch.grid.x) * launch.grid.y * launch.grid.z;
    if (groups < threads) threads = unsigned(groups);
    if (!threads) return;
    const std::uint64_t batch = std::min<std::uint64_t>(groups / (threads * 16ull) + 1, 64);
    std::atomic<std::uint64_t> next{0};
    const auto work = [&](unsigned index) {
        Worker& own = worker(index);
        own.end();
        for (std::uint64_t first; (first = next.fetch_add(batch)) < groups;)
            for (std::uint64_t group = first; group < std::min(first + batch, groups); ++group) own.run(launch, group);
    };
    std::vector<std::thread> others;
    for (unsigned i = 1; i < threads; ++i)
        others.emplace_back([&work, i] {
            use_signal_stack();
            work(i);
        });
    work(0);
    for (std::thread& other : others) other.join();
}

std::vector<std::string> fields(const std::string& line) {
    std::vector<std::string> out(1);
    for (const char c : line) {
        if (c == '\t') {
            out.emplace_back();
        } else {
            out.back() += c;
        }
    }
    return out;
}

void run(const std::vector<std::string>& request) {
    const auto number = [&](std::size_t i) { return std::stoull(request[i]); };
    const auto dims = [&](std::size_t i) { return Dim3{unsigned(number(i)), unsigned(number(i + 1)), unsigned(number(i + 2))}; };
    constexpr std::size_t kFirst = 16;
    Library& kernel = library(request[1]);
    const bool checked = number(2) != 0;
    Arguments arguments(request[15].c_str(), checked);
    for (std::size_t i = kFirst; i < request.size(); ++i) arguments.add(request[i]);
    if (const std::string misfit = arguments.misfit(kernel.signature()); !misfit.empty())
        return answer("bad\t" + misfit + "\n");
    if (!arguments.map()) out_of_memory();

    const Launch launch{kernel.entry, arguments.argv(), dims(5), dims(8), dims(11), number(14), checked, number(3) != 0};
    const check::Range code = host::library_range(reinterpret_cast<void*>(kernel.entry));
    library_base = code.begin;
    if (checked) check::begin(arguments.room(), arguments.buffers(), code, arguments.values());
    const auto start = std::chrono::steady_clock::now();
    run_groups(launch, unsigned(number(4)));
    const std::string seconds = seconds_since(start);
    check::active = false;
    answer_findings();
    answer("done\t" + seconds + "\n");
}

}  // namespace

namespace host {

void leave_launch() {
    speak_last();
    answer_findings();
    answer("left\t0\n");
    _exit(0);
}

void crash(const std::string& message) {
    speak_last();
    answer_findings();
    answer("crash\t" + message + "\n");
    _exit(3);
}

}  // namespace host

void print(const char* format, ...) {
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    const int length = std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const std::lock_guard lock(printed.mutex);
    if (length > 0 && printed.text.size() < kMostOutput)
        printed.text.append(text, std::min(std::size_t(length), sizeof text - 1));
}

void fault(const char* kind, const char* message) {
    if (!check::active) return;
    Thread& self = current();
    Worker& worker = *self.group->worker;
    if (worker.completing()) return check::report(kind, message, *worker.completing());
    Site site;
    site.walk(static_cast<void**>(__builtin_frame_address(0)), worker.waiting(self).entry_frame);
    check::report(kind, message, site);
}

void device_fence() {
    if (check::active) check::fence(current());
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void stop(const char* message) { host::crash(message); }

}  // namespace engine

int main(int, char** argv) {
    using namespace engine;
    // Kernels print through engine::print; anything else written to standard output must not mix with answers.
    answers = dup(1);
    dup2(2, 1);
    std::set_new_handler(out_of_memory);
    if (const auto limit = std::strtoull(argv[1] ? argv[1] : "0", nullptr, 10)) {
        rlimit memory{};
        getrlimit(RLIMIT_AS, &memory);
        memory.rlim_cur = std::min(rlim_t(limit), memory.rlim_max);  // workers raise it by what they are themselves
        setrlimit(RLIMIT_AS, &memory);
    }
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    use_signal_stack();
    catch_signals();
    // A kernel that never ends must not outlive the program that asked for it.
    std::thread([parent = getppid()] {
        while (getppid() == parent) sleep(1);
        _exit(5);
    }).detach();
    for (std::string line; std::getline(std::cin, line);) run(fields(line));
}
