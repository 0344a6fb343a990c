// One OS thread's machine: the fibers of the threadgroup it is running, and their scheduler.
#pragma once
#include <cstdint>

#include "../shim/engine.h"

namespace engine {

inline constexpr unsigned kSiteDepth = 8;

// A place in the kernel: return addresses, innermost first, up to the kernel's entry.
struct Site {
    std::uintptr_t frames[kSiteDepth];
    unsigned depth = 0;

    void walk(void** frame, const void* last);
    bool operator==(const Site& other) const;
    bool before(const Site& other) const;  // earlier in the code, outermost call first
};

struct Launch {
    void (*entry)(void**);
    void** argv;
    Dim3 grid, block;  // groups, threads of a full group
    Dim3 threads;      // of the grid: the last groups may be partial
    std::size_t shared_bytes;
    bool checked;
    bool exit_counts_as_arrival;  // CUDA: a thread that returned does not hold up a barrier
};

// What a suspended thread left: its part in a collective.
struct Waiting {
    void* mine;
    Complete complete;
    std::uint32_t mask, active;
    unsigned orders;  // a simdgroup barrier's kinds of memory
    Site site;
    const void* entry_frame;
};

struct Simdgroup {
    std::uint32_t lanes, finished, at_barrier, waiting;
    unsigned first;  // a lane that waits: the others are compared with it
    bool mixed;      // lanes wait at different sites
    unsigned device_epoch, threadgroup_epoch;  // simdgroup barriers passed, for checked mode
    Thread* lane[kSimd];

    std::uint32_t live() const { return lanes & ~finished; }
    bool all_stopped() const { return waiting && (waiting | finished | at_barrier) == lanes; }
};

class Worker {
public:
    Worker();
    void run(const Launch& launch, std::uint64_t group);
    void end() { launch_ = nullptr; }

    Votes arrive(Thread& self, bool yes, unsigned orders, void** frame);
    std::uint32_t join(Thread& self, void* mine, Complete complete, std::uint32_t mask, void** frame,
                       unsigned orders = kNoMemory);
    void yield(Thread& self);
    bool is_live(const Thread& self, unsigned lane) const {
        return simdgroups_[self.linear / kSimd].live() >> lane & 1;
    }

    void* threadgroup_memory(const Slot& slot);
    void* dynamic_shared() const { return dynamic_; }
    const Launch& launch() const { return *launch_; }
    const char* arena() const { return arena_; }
    Waiting& waiting(Thread& thread) { return waiting_[slot_of(thread)]; }
    const Site* completing() const { return completing_; }  // while a Complete runs
    std::uint64_t serial() const { return serial_; }

    // Checked mode: what a record of an access holds (check.cpp), per simdgroup.
    std::uint64_t device_stamp[kMaxThreads / kSimd], threadgroup_stamp[kMaxThreads / kSimd];
    std::uint64_t acquired = 0;  // time of this group's last atomic operation on device memory
    char* memory = nullptr;      // threadgroup memory: declared, then dynamic
    struct Allocation {
        std::uint64_t touched = 0;  // the group's serial number
        unsigned offset = 0;
        std::size_t bytes = 0;
    };
    static constexpr unsigned kSlots = 4096;
    const Allocation& allocation(unsigned index) const { return slots_[index]; }
    unsigned slots_seen() const { return slots_seen_; }

private:
    static void fiber();
    void begin(const Launch& launch);
    unsigned slot_of(const Thread& thread) const;
    void start(Thread& self);
    void finish(Thread& self);
    Thread* next_thread();
    Thread* idle_stack();
    void suspend(Thread& self);
    void make_ready(Thread* thread) { ready_[ready_tail_++ % kRing] = thread; }
    void release_barrier(Thread* last);
    void complete(Simdgroup& simdgroup, std::uint32_t set, Thread* self);
    std::uint32_t earliest(const Simdgroup& simdgroup);
    void new_stamps();
    void put_stamp(unsigned simdgroup);

    static constexpr unsigned kRing = 2 * kMaxThreads;
    char* const arena_;
    Group& group_;  // in the arena, like the threads' records: kernels read both
    const Launch* launch_ = nullptr;
    std::uint64_t serial_ = 0, group_number_ = 0;
    void* dynamic_ = nullptr;

    Dim3 next_index_;
    unsigned next_ = 0, finished_ = 0, arrived_ = 0, yes_ = 0, orders_ = 0;
    unsigned device_epoch_ = 0, threadgroup_epoch_ = 0;  // barriers passed
    Votes votes_{};
    Thread* at_barrier_[kMaxThreads];
    Thread* ready_[kRing];
    unsigned ready_head_ = 0, ready_tail_ = 0;
    Thread* idle_[kMaxThreads + 1];
    unsigned idle_count_ = 0, stacks_ = 0;
    void* outside_ = nullptr;
    const Site* completing_ = nullptr;
    Simdgroup simdgroups_[kMaxThreads / kSimd];
    Waiting waiting_[kMaxThreads + 2];
    Allocation slots_[kSlots];
    unsigned slots_seen_ = 0;
};

}  // namespace engine
