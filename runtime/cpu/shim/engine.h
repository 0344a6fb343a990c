// The fiber engine: what a shim (Metal's or CUDA's) may call. One fiber per GPU thread, one OS thread per
// threadgroup at a time; the host program (engine.cpp, host.cpp) runs a kernel's shared library.
//
// Contract for a shim:
//  * C++20, no exceptions, no thread_local. Kernels run only on fiber stacks (kStackBytes each), so that
//    `current()` finds the calling thread's record from the stack pointer: calls are cheap and hoistable.
//  * A translation unit ends with exactly one ENGINE_ENTRY(function): its parameters are read from argv as
//    cudaLaunchKernel does (argv[i] points to the i-th argument's value; for a buffer, to its pointer).
//  * Threadgroup memory: `auto& s = engine::shared<float[16][17]>([] {});` for each declaration (the lambda
//    makes it unique); the same object for all threads of a group, filled with 0xFF when the group starts.
//    Dynamic: `engine::dynamic_shared()`.
//  * Collectives: `collective(&mine, complete, mask)`. Each lane hands in a pointer to its own data; when the
//    set of lanes is complete, the last one runs complete(lanes, active) once, which reads and writes the
//    data in place (lanes[i] is valid only where bit i of `active` is set). Then all of them return.
//      mask == 0: whoever is active (Metal): lanes of the simdgroup that stand at this very call site when
//                 all other live lanes have finished, wait at a barrier or stand at another site. Of several
//                 sites the earlier in the code completes first, so that diverged lanes meet again.
//      mask != 0: as CUDA's _sync: waits for every lane of the mask that has not returned.
//    In checked mode lanes missing from a mask are the fault "divergent collective".
//  * Atomics: `__atomic_*` builtins on ordinary memory; checked mode sees them. Call `yield()` in spin loops.
//  * Vectors and structs are plain memory; checked mode sees loads and stores by -fsanitize=thread.
//  * Numbers: numeric.h has half and bfloat conversions.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace engine {

inline constexpr unsigned kSimd = 32;
inline constexpr unsigned kMaxThreads = 1024;
inline constexpr std::size_t kStackBytes = std::size_t(1) << 18;
inline constexpr std::size_t kArenaBytes = std::size_t(1) << 29;  // aligned to its size; slot 0 holds records

struct Dim3 {
    unsigned x, y, z;
};

struct Worker;

struct Group {
    Dim3 block_index, block_dim, grid_dim;
    Dim3 full_block_dim;  // block_dim is smaller in the last groups where the grid is counted in threads
    Dim3 grid_threads;
    unsigned threads;  // in this threadgroup
    Worker* worker;
};

struct alignas(64) Thread {
    Dim3 index;       // in the threadgroup
    unsigned linear;  // x fastest
    const Group* group;
    void* stack_pointer;  // where it was suspended
};

[[gnu::always_inline]] inline Thread& current() {
    const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    const auto arena = here & ~(kArenaBytes - 1);
    return reinterpret_cast<Thread*>(arena)[(here - arena) / kStackBytes];
}

// Indices, with CUDA's meaning of grid: in blocks. Checked mode calls the host for them, so that no load of the
// engine's own is looked at; other code must not use ENGINE_INDEX.
#if defined(__SANITIZE_THREAD__)
#define ENGINE_CHECKED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ENGINE_CHECKED 1
#endif
#endif
#if defined(ENGINE_CHECKED)
#define ENGINE_INDEX(type, name, value) [[gnu::const]] type name();
#elif defined(ENGINE_HOST)
#define ENGINE_INDEX(type, name, value) \
    type name() { return value; }
#else
#define ENGINE_INDEX(type, name, value) \
    [[gnu::always_inline]] inline type name() { return value; }
#endif
ENGINE_INDEX(Dim3, thread_index, current().index)
ENGINE_INDEX(Dim3, block_index, current().group->block_index)
ENGINE_INDEX(Dim3, block_dim, current().group->block_dim)
ENGINE_INDEX(Dim3, grid_dim, current().group->grid_dim)
ENGINE_INDEX(Dim3, full_block_dim, current().group->full_block_dim)
ENGINE_INDEX(Dim3, grid_threads, current().group->grid_threads)
ENGINE_INDEX(unsigned, linear_index, current().linear)
ENGINE_INDEX(unsigned, group_threads, current().group->threads)
inline unsigned lane() { return linear_index() % kSimd; }
inline unsigned simdgroup() { return linear_index() / kSimd; }

// Synchronisation. The compiler must not copy such a call into two places: lanes that stand at one place of the
// text would stand at two. (For gcc options see to it.)
#if defined(__clang__)
#define ENGINE_ONE_PLACE __attribute__((convergent))
#else
#define ENGINE_ONE_PLACE
#endif

struct Votes {
    unsigned yes, arrived;
};
enum Memory : unsigned { kNoMemory = 0, kDeviceMemory = 1, kThreadgroupMemory = 2, kAllMemory = 3 };
// All threads of the group that have not returned; orders the given kinds of memory among them.
ENGINE_ONE_PLACE void barrier(unsigned orders = kAllMemory);
ENGINE_ONE_PLACE Votes barrier_vote(bool yes);  // a barrier that also counts (__syncthreads_count: .yes, _and: yes == arrived)
ENGINE_ONE_PLACE void simd_barrier(std::uint32_t mask = 0, unsigned orders = kAllMemory);
void device_fence();                        // __threadfence: orders this thread's device memory for other groups
void yield();                               // lets other threads of the group run

using Complete = void (*)(void* const* lanes, std::uint32_t active);
ENGINE_ONE_PLACE std::uint32_t collective(void* mine, Complete complete, std::uint32_t mask = 0);  // the active lanes
inline void no_exchange(void* const*, std::uint32_t) {}
bool is_live(unsigned lane);  // of this simdgroup: there is such a lane and it has not returned
inline std::uint32_t active_lanes() { return collective(nullptr, no_exchange); }

// A fault of the running kernel: in checked mode it is reported with the kernel's line and the run goes on,
// otherwise nothing happens. `kind`: "divergent collective", "out of bounds" … May be called from a Complete.
void fault(const char* kind, const char* message);
// assert, __trap: ends the launch; the outcome is a crash with this message.
[[noreturn]] void stop(const char* message);
// Device printf; kept up to 1 MiB a launch.
[[gnu::format(printf, 1, 2)]] void print(const char* format, ...);

// Threadgroup memory. A slot is one declaration; its place is fixed at the first execution.
struct Slot {
    unsigned index, offset;
    std::size_t bytes;
};
void* threadgroup_memory(const Slot& slot);
void* dynamic_shared();  // it follows the declared memory
inline constexpr std::size_t kDeclaredBytes = std::size_t(1) << 22, kDynamicBytes = std::size_t(1) << 20;
std::size_t dynamic_shared_bytes();
inline constexpr unsigned kRedZone = 64;

namespace detail {
// Hidden: each kernel library numbers its own declarations.
[[gnu::visibility("hidden")]] inline std::uint64_t slots_used = 0;  // count << 32 | bytes

inline Slot new_slot(std::size_t bytes) {
    const std::uint64_t room = (bytes + 2 * kRedZone - 1) / kRedZone * kRedZone;
    const std::uint64_t before = __atomic_fetch_add(&slots_used, (std::uint64_t(1) << 32) | room, __ATOMIC_RELAXED);
    return {unsigned(before >> 32), unsigned(before), bytes};
}

template <class P>
using Stored = std::remove_cv_t<std::remove_reference_t<P>>;

// 0, 1, … N - 1 as template arguments. (<utility> would bring the C library's mathematics in, whose names some
// kernels define themselves.)
template <class T, T... I>
struct Sequence {};
#if defined(__clang__)
template <class T, T N>
using Count = __make_integer_seq<Sequence, T, N>;
#else
template <class T, T N>
using Count = Sequence<T, __integer_pack(N)...>;
#endif

template <class... P, std::size_t... I>
[[gnu::always_inline, gnu::no_sanitize("thread")]] inline void invoke(void (*kernel)(P...), void** argv, Sequence<std::size_t, I...>) {
    kernel(*static_cast<Stored<P>*>(argv[I])...);
}

template <auto Kernel, class... P>
[[gnu::always_inline, gnu::no_sanitize("thread")]] inline void invoke(void (*)(P...), void** argv) {
    invoke<P...>(Kernel, argv, Count<std::size_t, sizeof...(P)>{});
}
}  // namespace detail

template <class T, class Unique>
[[gnu::always_inline]] inline T& shared(Unique) {
    static const Slot slot = detail::new_slot(sizeof(T));
    return *static_cast<T*>(threadgroup_memory(slot));
}

// What the host asks a kernel's library: its parameters, to be compared with the arguments given.
struct Parameter {
    unsigned bytes;
    bool pointer;
};
struct Signature {
    unsigned count;
    const Parameter* parameters;
};
template <class... P>
inline Signature signature(void (*)(P...)) {
    static constexpr Parameter rows[] = {
        {unsigned(sizeof(detail::Stored<P>)), std::is_pointer_v<detail::Stored<P>>}..., {0, false}};
    return {sizeof...(P), rows};
}

}  // namespace engine

#define ENGINE_ENTRY(...)                                                                       \
    extern "C" [[gnu::visibility("default"), gnu::no_sanitize("thread")]] void engine_entry(void** argv) {                                                 \
        engine::detail::invoke<(__VA_ARGS__)>(static_cast<decltype(&__VA_ARGS__)>(nullptr), argv); \
    }                                                                                           \
    extern "C" [[gnu::visibility("default")]] engine::Signature engine_signature() {                                           \
        return engine::signature(static_cast<decltype(&__VA_ARGS__)>(nullptr));                 \
    }
