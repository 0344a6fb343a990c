#include "check.h"

#include <sys/mman.h>

#include <cstdio>
#include <mutex>

#include "host.h"

namespace engine::check {

namespace {

constexpr std::uint64_t kGroup = ~std::uint64_t(0) << 44;
constexpr std::uint64_t kEpoch = kGroup | std::uint64_t(0xFFFFF) << 24;
constexpr std::uint64_t kSimdEpoch = std::uint64_t(0x3FF) << 14;
constexpr std::uint64_t kThread = std::uint64_t(0x3FF) << 4;
constexpr std::uint64_t kSimdgroup = std::uint64_t(0x1F) << 9;
constexpr std::uint64_t kExchangeBit = 8;
constexpr std::uint64_t kAtomicBit = 4;
constexpr std::uint64_t kState = 3;
// States of a record; 0: nobody yet.
constexpr std::uint64_t kOne = 1, kSameSimdgroup = 2, kMany = 3;
// Special records: read by several groups; word looked up by its bytes instead.
constexpr std::uint64_t kManyGroups = ~std::uint64_t(0) << 14 | kMany;
constexpr std::uint64_t kSplit = ~std::uint64_t(0);
constexpr std::size_t kMostFindings = 64;

struct Cell {
    std::uint64_t writer, reader;
};

std::uint64_t get(const std::uint64_t& record) { return __atomic_load_n(&record, __ATOMIC_RELAXED); }
void put(std::uint64_t& record, std::uint64_t value) { __atomic_store_n(&record, value, __ATOMIC_RELAXED); }

// Records for one stretch of memory; untouched parts cost nothing but address space.
struct Shadow {
    std::uintptr_t base = 0;
    std::size_t bytes = 0;
    Cell* words = nullptr;
    Cell* parts = nullptr;

    void cover(std::uintptr_t at, std::size_t size, bool at_once) {
        if (words) {
            munmap(words, bytes / 4 * sizeof(Cell));
            munmap(parts, bytes * sizeof(Cell));
        }
        base = at;
        bytes = size;
        words = static_cast<Cell*>(room(bytes / 4 * sizeof(Cell)));
#if defined(MADV_POPULATE_WRITE)
        constexpr std::size_t kMost = std::size_t(1) << 26;  // more comes page by page as it is touched
        if (bytes <= kMost && at_once) madvise(words, bytes / 4 * sizeof(Cell), MADV_POPULATE_WRITE);
#endif
        parts = static_cast<Cell*>(room(bytes * sizeof(Cell)));
    }

    static void* room(std::size_t size) {
        void* const at = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON | MAP_NORESERVE, -1, 0);
        if (at == MAP_FAILED) stop("checked mode needs 20 bytes of address space per byte of the kernel's buffers");
        return at;
    }
};

struct Fence {
    std::uint64_t launch_and_epoch, time;
};
constexpr std::size_t kFences = std::size_t(1) << 20;

struct State {
    std::uint64_t launch = 0;
    Shadow device;
    std::vector<Buffer> buffers;
    std::vector<std::uint8_t> buffer_of_page;
    Range library, arguments;
    Fence* fences = nullptr;
    std::uint64_t clock = 0;
    std::mutex mutex;
    std::vector<Finding> findings;
};
State state;

// Each worker's threadgroup memory, found through the worker.
Shadow& shadow_of(Worker& worker) {
    static std::mutex mutex;
    static std::vector<std::pair<Worker*, Shadow*>> all;
    thread_local std::pair<Worker*, Shadow*> last{};
    thread_local std::uint64_t launch = 0;
    if (last.first == &worker && launch == state.launch) return *last.second;
    const std::lock_guard lock(mutex);
    Shadow* shadow = nullptr;
    for (auto& [owner, found] : all)
        if (owner == &worker) shadow = found;
    if (!shadow) all.emplace_back(&worker, shadow = new Shadow);
    shadow->cover(reinterpret_cast<std::uintptr_t>(worker.memory), kDeclaredBytes + kDynamicBytes,
                  false);
    last = {&worker, shadow};
    launch = state.launch;
    return *shadow;
}

struct Accessor {
    Worker& worker;
    const Thread& thread;
    std::uint64_t now;  // the record of this access
    Access how;
    bool device;
    void** frame;
    std::uintptr_t address;
    std::size_t bytes;
    bool reported = false;

    bool writes() const { return how != Access::kRead && how != Access::kAtomicRead; }
    bool atomic() const { return how != Access::kRead && how != Access::kWrite; }
    bool reads() const { return how != Access::kWrite && how != Access::kAtomicStore; }
};

std::string place(const Accessor& by) {
    char text[96];
    if (!by.device) {
        const auto offset = by.address - reinterpret_cast<std::uintptr_t>(by.worker.memory);
        if (offset >= kDeclaredBytes) {
            std::snprintf(text, sizeof text, "dynamic threadgroup memory, byte %zu", offset - kDeclaredBytes);
            return text;
        }
        for (unsigned i = 0; i < by.worker.slots_seen(); ++i) {
            const auto& slot = by.worker.allocation(i);
            if (offset >= slot.offset && offset < slot.offset + slot.bytes) {
                std::snprintf(text, sizeof text, "threadgroup memory, byte %zu of %zu", offset - slot.offset, slot.bytes);
                return text;
            }
        }
        return "threadgroup memory";
    }
    for (const Buffer& buffer : state.buffers)
        if (by.address >= buffer.begin && by.address < buffer.end) {
            std::snprintf(text, sizeof text, "argument %u, byte %zu of %zu", buffer.argument, by.address - buffer.begin,
                          buffer.end - buffer.begin);
            return text;
        }
    return "device memory";
}

std::string who(const Accessor& by) {
    const Dim3 t = by.thread.index, g = by.thread.group->block_index;
    char text[96];
    std::snprintf(text, sizeof text, "thread (%u, %u, %u) of group (%u, %u, %u)", t.x, t.y, t.z, g.x, g.y, g.z);
    return text;
}

void report_at(Accessor& by, const char* kind, const std::string& message) {
    if (by.reported) return;
    by.reported = true;
    Site site;
    site.walk(by.frame, by.worker.waiting(const_cast<Thread&>(by.thread)).entry_frame);
    report(kind, message.c_str(), site);
}

bool fenced(const Accessor& by, std::uint64_t record) {
    const Fence& fence = state.fences[record >> 44];
    const std::uint64_t launch_and_epoch = get(fence.launch_and_epoch);
    return launch_and_epoch >> 20 == state.launch && (launch_and_epoch & 0xFFFFF) >= (record >> 24 & 0xFFFFF) &&
           get(fence.time) <= by.worker.acquired;
}

// Is the access in `record` certain to come before this one?
bool ordered(const Accessor& by, std::uint64_t record) {
    if (!(record & kState)) return true;
    if ((record ^ by.now) & kGroup) return !by.device || (record != kManyGroups && fenced(by, record));
    if ((record ^ by.now) & kEpoch) return true;
    if ((record & kState) == kMany) return false;
    if ((record & kState) == kOne && !((record ^ by.now) & kThread)) return true;
    return !((record ^ by.now) & kSimdgroup) && (record ^ by.now) & kSimdEpoch;
}

void race(Accessor& by, std::uint64_t record, bool earlier_writes) {
    std::string earlier;
    if ((record & kState) == kOne) {
        const unsigned linear = unsigned(record >> 4 & 0x3FF);
        const Dim3 size = by.thread.group->block_dim;
        char text[96];
        std::snprintf(text, sizeof text, "thread (%u, %u, %u)%s", linear % size.x, linear / size.x % size.y,
                      linear / size.x / size.y, (record ^ by.now) & kGroup ? " of another group" : "");
        earlier = text;
    } else {
        earlier = "several threads";
    }
    report_at(by, "race", who(by) + (by.writes() ? " writes " : " reads ") + place(by) + ", which " + earlier +
                              (earlier_writes ? " wrote" : " read") + " with no barrier between");
}

void examine(Accessor& by, Cell& cell);

// The common cases, in which nobody else has been here: a first touch, or one's own again.
inline void touch(Accessor& by, Cell& cell) {
    const std::uint64_t writer = get(cell.writer), reader = get(cell.reader);
    const bool mine = writer == by.now || (!writer && by.device);
    if (mine && by.how == Access::kRead && (!reader || reader == by.now || reader == kManyGroups)) {
        if (!reader) put(cell.reader, by.now);
    } else if (mine && by.how == Access::kWrite && (!reader || reader == by.now)) {
        put(cell.writer, by.now);
    } else {
        examine(by, cell);
    }
}

void examine(Accessor& by, Cell& cell) {
    const std::uint64_t writer = get(cell.writer);
    if (writer == kSplit) return;  // another worker has just split the word
    const bool both_atomic = by.atomic() && writer & kAtomicBit;
    const bool may_be_stale = by.how == Access::kRead && writer & kExchangeBit;
    if (!both_atomic && !may_be_stale && !ordered(by, writer)) race(by, writer, true);
    if (!by.device && by.reads() && ((writer ^ by.now) & kGroup || !(writer & kState)))
        report_at(by, "uninitialised", who(by) + " reads " + place(by) + ", which no thread of the group has written");
    const std::uint64_t reader = get(cell.reader);
    if (by.writes()) {
        if (by.how != Access::kExchange && !ordered(by, reader)) race(by, reader, false);
        put(cell.writer, by.now);
        if (reader) put(cell.reader, 0);
        return;
    }
    if (by.how == Access::kAtomicRead || reader == by.now) return;
    std::uint64_t next = by.now;
    if (reader & kState) {
        if ((reader ^ by.now) & kGroup) {
            if (by.device) next = kManyGroups;
        } else if (!((reader ^ by.now) & kEpoch) && ((reader ^ by.now) & kThread || (reader & kState) != kOne)) {
            const bool one_simdgroup = (reader & kState) != kMany && !((reader ^ by.now) & kSimdgroup);
            next = (by.now & ~kState) | (one_simdgroup ? kSameSimdgroup : kMany);
            // The same simdgroup after its own barrier: its earlier reads are in order for it, and for the
            // others the later ones say the same.
            if (one_simdgroup && (reader & kState) == kOne && (reader ^ by.now) & kSimdEpoch) next = by.now;
        }
    }
    if (next != reader) put(cell.reader, next);
}

// Workers share the shadow of device memory without locks: at worst one of two records made at the same moment
// is lost, which can hide a fault but never invent one.
void split(Shadow& shadow, std::size_t word) {
    Cell& whole = shadow.words[word];
    const std::uint64_t writer = get(whole.writer), reader = get(whole.reader);
    if (writer == kSplit) return;
    for (std::size_t i = 0; i < 4; ++i) {
        put(shadow.parts[4 * word + i].writer, writer);
        put(shadow.parts[4 * word + i].reader, reader);
    }
    put(whole.writer, kSplit);
}

void touch_all(Accessor& by, Shadow& shadow) {
    std::size_t at = by.address - shadow.base;
    const std::size_t end = at + by.bytes;
    while (at < end) {
        const std::size_t word = at / 4;
        if (at % 4 == 0 && end - at >= 4) {
            if (get(shadow.words[word].writer) != kSplit) {
                touch(by, shadow.words[word]);
            } else {
                for (std::size_t i = 0; i < 4; ++i) touch(by, shadow.parts[at + i]);
            }
            at += 4;
        } else {
            split(shadow, word);
            touch(by, shadow.parts[at++]);
        }
    }
}

bool inside_threadgroup(const Worker& worker, std::size_t offset, std::size_t bytes) {
    if (offset >= kDeclaredBytes) return offset - kDeclaredBytes + bytes <= worker.launch().shared_bytes;
    for (unsigned i = 0; i < worker.slots_seen(); ++i) {
        const auto& slot = worker.allocation(i);
        if (offset >= slot.offset && offset + bytes <= slot.offset + slot.bytes) return slot.touched == worker.serial();
    }
    return false;
}

// The buffer nearest to an address outside all of them, for the message.
std::string outside(const Accessor& by) {
    std::string text = who(by) + (by.writes() ? " writes " : " reads ") + std::to_string(by.bytes) + " bytes ";
    if (!by.device) return text + "of threadgroup memory outside every declaration";
    const Buffer* nearest = nullptr;
    std::uintptr_t distance = ~std::uintptr_t(0);
    for (const Buffer& buffer : state.buffers) {
        const auto away = by.address < buffer.begin ? buffer.begin - by.address : by.address - buffer.begin;
        if (away < distance) {
            distance = away;
            nearest = &buffer;
        }
    }
    if (!nearest) return text + "outside every buffer";
    const auto offset = static_cast<long long>(by.address - nearest->begin);
    return text + "at byte " + std::to_string(offset) + " of argument " + std::to_string(nearest->argument) + ", which has " +
           std::to_string(nearest->end - nearest->begin);
}

}  // namespace

bool active = false;

void begin(Range device, const std::vector<Buffer>& buffers, Range library, Range arguments) {
    const std::size_t bytes = device.end - device.begin;
    ++state.launch;
    state.device.cover(device.begin, bytes, true);
    state.buffers = buffers;
    state.buffer_of_page.assign(bytes / kPage + 1, 0xFF);
    for (std::size_t i = 0; i < buffers.size(); ++i)
        for (auto at = buffers[i].begin; at < buffers[i].end; at += kPage)
            state.buffer_of_page[(at - device.begin) / kPage] = std::uint8_t(i);
    if (!state.fences) state.fences = static_cast<Fence*>(Shadow::room(kFences * sizeof(Fence)));
    state.library = library;
    state.arguments = arguments;
    state.findings.clear();
    active = true;
}

std::vector<Finding> findings() {
    const std::lock_guard lock(state.mutex);
    return std::move(state.findings);
}

void report(const char* kind, const char* message, const Site& site, const Site* other) {
    const std::lock_guard lock(state.mutex);
    if (!active || state.findings.size() >= kMostFindings) return;
    for (const Finding& known : state.findings)
        if (known.kind == kind && known.site == site) return;
    state.findings.push_back({kind, message, site, other ? *other : Site{}});
}

void access_shared(std::uintptr_t address, std::size_t bytes, Access how, void** frame) {
    Thread& thread = current();
    Worker& worker = *thread.group->worker;
    Accessor by{worker, thread, std::uint64_t(thread.linear) << 4 | kOne, how, false, frame, address, bytes};
    if (by.atomic()) by.now |= kAtomicBit;
    if (by.how == Access::kExchange) by.now |= kExchangeBit;
    const auto threadgroup = reinterpret_cast<std::uintptr_t>(worker.memory);
    if (address - threadgroup < kDeclaredBytes + kDynamicBytes) {
        if (!inside_threadgroup(worker, address - threadgroup, bytes)) return report_at(by, "out of bounds", outside(by));
        by.now |= worker.threadgroup_stamp[thread.linear / kSimd];
        return touch_all(by, shadow_of(worker));
    }
    if (state.library.holds(address) || state.arguments.holds(address)) return;
    by.device = true;
    const std::size_t offset = address - state.device.base;
    const unsigned index = offset < state.device.bytes ? state.buffer_of_page[offset / kPage] : 0xFF;
    if (index == 0xFF || address + bytes > state.buffers[index].end) {
        report_at(by, "out of bounds", outside(by));
        if (offset + bytes > state.device.bytes) host::leave_launch();
        return;
    }
    if (by.atomic()) worker.acquired = __atomic_load_n(&state.clock, __ATOMIC_RELAXED);
    by.now |= worker.device_stamp[thread.linear / kSimd];
    touch_all(by, state.device);
}

void fence(const Thread& thread) {
    const std::uint64_t stamp = thread.group->worker->device_stamp[thread.linear / kSimd];
    Fence& fence = state.fences[stamp >> 44];
    const std::uint64_t time = __atomic_add_fetch(&state.clock, 1, __ATOMIC_RELAXED);
    put(fence.time, time);
    put(fence.launch_and_epoch, state.launch << 20 | (stamp >> 24 & 0xFFFFF));
}

}  // namespace engine::check
