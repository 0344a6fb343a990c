#include "worker.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "check.h"
#include "switch.h"

namespace engine {

namespace {

void order_lanes(void* const*, std::uint32_t) {}

// A worker's own address space comes on top of what the kernel may use: there are as many workers as processors.
void raise_limit(std::size_t bytes) {
    rlimit space{};
    getrlimit(RLIMIT_AS, &space);
    if (space.rlim_cur == RLIM_INFINITY) return;
    space.rlim_cur = std::min(space.rlim_cur + bytes, space.rlim_max);
    setrlimit(RLIMIT_AS, &space);
}

char* reserve(std::size_t bytes, std::size_t alignment, int protection) {
    raise_limit(bytes + alignment);
    void* room = mmap(nullptr, bytes + alignment, protection, MAP_PRIVATE | MAP_ANON | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) {
        if (const auto no_memory = std::get_new_handler()) no_memory();
        std::fputs("the CPU machine cannot reserve address space for its stacks\n", stderr);
        std::exit(70);
    }
    const auto at = reinterpret_cast<std::uintptr_t>(room);
    return reinterpret_cast<char*>((at + alignment - 1) & ~(alignment - 1));
}

Worker& worker_of(const Thread& thread) { return *thread.group->worker; }

}  // namespace

void Site::walk(void** frame, const void* last) {
    depth = 0;
    while (depth < kSiteDepth && frame < last) {
        frames[depth++] = reinterpret_cast<std::uintptr_t>(frame[1]);
        void** const outer = static_cast<void**>(frame[0]);
        if (outer <= frame) break;
        frame = outer;
    }
}

bool Site::operator==(const Site& other) const {
    if (depth != other.depth) return false;
    for (unsigned i = 0; i < depth; ++i)
        if (frames[i] != other.frames[i]) return false;
    return true;
}

bool Site::before(const Site& other) const {
    for (unsigned i = 1; i <= depth && i <= other.depth; ++i)
        if (frames[depth - i] != other.frames[other.depth - i]) return frames[depth - i] < other.frames[other.depth - i];
    return depth < other.depth;
}

// The arena's first stack is no stack: it holds the threads' records and, past them, the group's.
Worker::Worker()
    : arena_(reserve(kArenaBytes, kArenaBytes, PROT_NONE)), group_(*reinterpret_cast<Group*>(arena_ + kStackBytes / 2)) {
    static_assert((kMaxThreads + 2) * sizeof(Thread) <= kStackBytes / 2);
    mprotect(arena_, kStackBytes, PROT_READ | PROT_WRITE);
    memory = reserve(kDeclaredBytes + kDynamicBytes + 4096, 4096, PROT_READ | PROT_WRITE);
    dynamic_ = memory + kDeclaredBytes;
    group_.worker = this;
}

unsigned Worker::slot_of(const Thread& thread) const {
    return unsigned(&thread - reinterpret_cast<const Thread*>(arena_));
}

Thread* Worker::idle_stack() {
    if (idle_count_) return idle_[--idle_count_];
    const unsigned slot = ++stacks_;
    char* const stack = arena_ + slot * kStackBytes;
    // The lowest page stays out of reach: it catches overflow.
    mprotect(stack + 16384, kStackBytes - 16384, PROT_READ | PROT_WRITE);
    // Tops at different places in the cache: aligned stacks would all fall into the same few lines.
    char* const top = stack + kStackBytes - 256 - (slot * 5 % 128) * 64;
    Thread* const thread = reinterpret_cast<Thread*>(arena_) + slot;
    thread->group = &group_;
    thread->stack_pointer = first_frame(top, fiber);
    return thread;
}

void Worker::fiber() {
    Thread& self = current();
    Worker& worker = worker_of(self);
    worker.waiting(self).entry_frame = __builtin_frame_address(0);
    for (;;) {
        worker.start(self);
        worker.launch_->entry(worker.launch_->argv);
        worker.finish(self);
        if (worker.ready_head_ == worker.ready_tail_ && worker.next_ < worker.group_.threads) continue;
        // This stack serves the next thread that starts, perhaps in another group.
        worker.idle_[worker.idle_count_++] = &self;
        if (worker.ready_head_ != worker.ready_tail_) {
            engine_switch(&self.stack_pointer, worker.next_thread()->stack_pointer);
        } else {
            engine_switch(&self.stack_pointer, worker.outside_);
        }
    }
}

void Worker::run(const Launch& launch, std::uint64_t group) {
    if (launch_ != &launch) begin(launch);
    ++serial_;
    group_number_ = group;
    const auto x = unsigned(group % launch.grid.x);
    const auto rest = group / launch.grid.x;
    group_.block_index = {x, unsigned(rest % launch.grid.y), unsigned(rest / launch.grid.y)};
    const Dim3 at = group_.block_index, full = launch.block, all = launch.threads;
    group_.block_dim = {std::min(full.x, all.x - at.x * full.x), std::min(full.y, all.y - at.y * full.y),
                        std::min(full.z, all.z - at.z * full.z)};
    const unsigned threads = group_.block_dim.x * group_.block_dim.y * group_.block_dim.z;
    group_.threads = threads;
    next_index_ = {0, 0, 0};
    next_ = finished_ = arrived_ = yes_ = orders_ = device_epoch_ = threadgroup_epoch_ = 0;
    acquired = 0;
    for (unsigned first = 0; first < threads; first += kSimd) {
        const unsigned count = threads - first < kSimd ? threads - first : kSimd;
        Simdgroup& simdgroup = simdgroups_[first / kSimd];
        simdgroup.lanes = count == kSimd ? ~0u : (1u << count) - 1;
        simdgroup.finished = simdgroup.at_barrier = simdgroup.waiting = 0;
        simdgroup.device_epoch = simdgroup.threadgroup_epoch = 0;
    }
    if (launch.shared_bytes) std::memset(dynamic_, 0xFF, launch.shared_bytes);
    if (launch.checked) new_stamps();
    engine_switch(&outside_, idle_stack()->stack_pointer);
}

void Worker::start(Thread& self) {
    self.index = next_index_;
    self.linear = next_++;
    if (++next_index_.x == group_.block_dim.x) {
        next_index_.x = 0;
        if (++next_index_.y == group_.block_dim.y) {
            next_index_.y = 0;
            ++next_index_.z;
        }
    }
    simdgroups_[self.linear / kSimd].lane[self.linear % kSimd] = &self;
}

void Worker::finish(Thread& self) {
    ++finished_;
    Simdgroup& simdgroup = simdgroups_[self.linear / kSimd];
    simdgroup.finished |= 1u << self.linear % kSimd;
    if (simdgroup.all_stopped()) complete(simdgroup, earliest(simdgroup), nullptr);
    if (arrived_ && arrived_ + finished_ == group_.threads) release_barrier(nullptr);
}

Thread* Worker::next_thread() {
    if (ready_head_ != ready_tail_) return ready_[ready_head_++ % kRing];
    return idle_stack();
}

// There is always a thread to go on with: when the last lane of a simdgroup stops, its collective completes,
// and when the last thread of the group stops, so does the barrier.
void Worker::suspend(Thread& self) {
    Thread* const next = next_thread();
    if (next != &self) engine_switch(&self.stack_pointer, next->stack_pointer);
}

void Worker::yield(Thread& self) {
    if (ready_head_ == ready_tail_ && next_ == group_.threads) return;
    make_ready(&self);
    if (next_ < group_.threads) {
        engine_switch(&self.stack_pointer, idle_stack()->stack_pointer);
    } else {
        suspend(self);
    }
}

Votes Worker::arrive(Thread& self, bool yes, unsigned orders, void** frame) {
    Simdgroup& simdgroup = simdgroups_[self.linear / kSimd];
    yes_ += yes;
    orders_ |= orders;
    at_barrier_[arrived_++] = &self;
    if (launch_->checked) {
        Waiting& mine = waiting(self);
        mine.site.walk(frame, mine.entry_frame);
        const Site& first = waiting(*at_barrier_[0]).site;
        if (!(mine.site == first))
            check::report("divergent barrier", "threads of one threadgroup wait at different barriers", mine.site, &first);
    }
    if (arrived_ + finished_ == group_.threads) {
        release_barrier(&self);
        return votes_;
    }
    simdgroup.at_barrier |= 1u << self.linear % kSimd;
    if (simdgroup.all_stopped()) complete(simdgroup, earliest(simdgroup), nullptr);
    suspend(self);
    return votes_;
}

void Worker::release_barrier(Thread* last) {
    votes_ = {yes_, arrived_};
    if (launch_->checked) {
        if (finished_ && !launch_->exit_counts_as_arrival) {
            char text[128];
            std::snprintf(text, sizeof text, "%u of %u threads returned before this barrier", finished_, group_.threads);
            check::report("divergent barrier", text, waiting(*at_barrier_[0]).site);
        }
        if (orders_ & kDeviceMemory) ++device_epoch_;
        if (orders_ & kThreadgroupMemory) ++threadgroup_epoch_;
        new_stamps();
    }
    for (unsigned i = 0; i < arrived_; ++i)
        if (at_barrier_[i] != last) make_ready(at_barrier_[i]);
    for (unsigned i = 0; i * kSimd < group_.threads; ++i) simdgroups_[i].at_barrier = 0;
    arrived_ = yes_ = orders_ = 0;
}

std::uint32_t Worker::join(Thread& self, void* mine, Complete how, std::uint32_t mask, void** frame,
                           unsigned orders) {
    Simdgroup& simdgroup = simdgroups_[self.linear / kSimd];
    Waiting& wait = waiting(self);
    const unsigned lane = self.linear % kSimd;
    const std::uint32_t bit = 1u << lane;
    wait.mine = mine;
    wait.complete = how ? how : order_lanes;
    wait.mask = mask;
    wait.orders = orders;
    wait.site.walk(frame, wait.entry_frame);
    if (!simdgroup.waiting) {
        simdgroup.first = lane;
        simdgroup.mixed = false;
    } else if (!simdgroup.mixed) {
        simdgroup.mixed = !(waiting(*simdgroup.lane[simdgroup.first]).site == wait.site);
    }
    simdgroup.waiting |= bit;

    std::uint32_t set = 0;
    if (mask) {
        const std::uint32_t wanted = (mask & simdgroup.live()) | bit;
        if (!(wanted & ~simdgroup.waiting)) {
            set = wanted;
            for (std::uint32_t rest = wanted; rest; rest &= rest - 1)
                if (const Waiting& other = waiting(*simdgroup.lane[__builtin_ctz(rest)]);
                    other.mask != mask || other.complete != wait.complete)
                    set = 0;
        }
    } else if (simdgroup.waiting == simdgroup.live() && !simdgroup.mixed) {
        set = simdgroup.waiting;
    }
    if (!set && simdgroup.all_stopped()) set = earliest(simdgroup);
    if (set) complete(simdgroup, set, &self);
    if (!(set & bit)) suspend(self);
    return wait.active;
}

// Every lane has stopped somewhere: those at the earliest site go on together, as on hardware that
// reconverges. (A lane of a _sync collective is only here when lanes of its mask stand elsewhere.)
std::uint32_t Worker::earliest(const Simdgroup& simdgroup) {
    const Site* best = nullptr;
    std::uint32_t set = 0;
    for (std::uint32_t rest = simdgroup.waiting; rest; rest &= rest - 1) {
        const unsigned lane = __builtin_ctz(rest);
        const Site& site = waiting(*simdgroup.lane[lane]).site;
        if (!best || site.before(*best)) {
            best = &site;
            set = 0;
        }
        if (site == *best) set |= 1u << lane;
    }
    return set;
}

void Worker::complete(Simdgroup& simdgroup, std::uint32_t set, Thread* self) {
    void* lanes[kSimd];
    Waiting* any = nullptr;
    for (std::uint32_t rest = set; rest; rest &= rest - 1) {
        const unsigned lane = __builtin_ctz(rest);
        Thread* const thread = simdgroup.lane[lane];
        Waiting& wait = waiting(*thread);
        lanes[lane] = wait.mine;
        wait.active = set;
        if (thread != self) make_ready(thread);
        any = &wait;
    }
    simdgroup.waiting &= ~set;
    if (simdgroup.waiting) simdgroup.mixed = true;  // settled by earliest()
    completing_ = &any->site;
    if (launch_->checked) {
        const std::uint32_t wanted = any->mask ? any->mask & simdgroup.live() : set;
        if (wanted & ~set) fault("divergent collective", "lanes named in the mask stand elsewhere or never come");
        if (any->complete == order_lanes && !any->mask && set != simdgroup.live())
            fault("divergent barrier", "not all lanes of the simdgroup reach this simdgroup barrier");
    }
    if (any->complete == order_lanes) {
        simdgroup.device_epoch += any->orders & kDeviceMemory ? 1 : 0;
        simdgroup.threadgroup_epoch += any->orders & kThreadgroupMemory ? 1 : 0;
        put_stamp(unsigned(&simdgroup - simdgroups_));
    } else {
        any->complete(lanes, set);
    }
    completing_ = nullptr;
}

void Worker::new_stamps() {
    for (unsigned i = 0; i * kSimd < group_.threads; ++i) put_stamp(i);
}

void Worker::put_stamp(unsigned index) {
    const Simdgroup& simdgroup = simdgroups_[index];
    device_stamp[index] = check::stamp(group_number_, device_epoch_, simdgroup.device_epoch);
    threadgroup_stamp[index] = check::stamp(group_number_, threadgroup_epoch_, simdgroup.threadgroup_epoch);
}

void* Worker::threadgroup_memory(const Slot& slot) {
    if (slot.index >= kSlots || slot.offset + slot.bytes > kDeclaredBytes)
        stop("the kernel declares more threadgroup memory than any GPU has");
    Allocation& allocation = slots_[slot.index];
    char* const at = memory + slot.offset;
    if (allocation.touched != serial_) {
        allocation = {serial_, slot.offset, slot.bytes};
        if (slot.index >= slots_seen_) slots_seen_ = slot.index + 1;
        std::memset(at, 0xFF, slot.bytes);
    }
    return at;
}

void Worker::begin(const Launch& launch) {
    launch_ = &launch;
    group_.grid_dim = launch.grid;
    group_.full_block_dim = launch.block;
    group_.grid_threads = launch.threads;
    for (unsigned i = 0; i < slots_seen_; ++i) slots_[i] = {};
    slots_seen_ = 0;
}

// The shims' side.

void barrier(unsigned orders) {
    Thread& self = current();
    worker_of(self).arrive(self, false, orders, static_cast<void**>(__builtin_frame_address(0)));
}

Votes barrier_vote(bool yes) {
    Thread& self = current();
    return worker_of(self).arrive(self, yes, kAllMemory, static_cast<void**>(__builtin_frame_address(0)));
}

std::uint32_t collective(void* mine, Complete complete, std::uint32_t mask) {
    Thread& self = current();
    return worker_of(self).join(self, mine, complete, mask, static_cast<void**>(__builtin_frame_address(0)));
}

bool is_live(unsigned lane) {
    Thread& self = current();
    return worker_of(self).is_live(self, lane);
}

void simd_barrier(std::uint32_t mask, unsigned orders) {
    Thread& self = current();
    worker_of(self).join(self, nullptr, nullptr, mask, static_cast<void**>(__builtin_frame_address(0)), orders);
}

void yield() {
    Thread& self = current();
    worker_of(self).yield(self);
}

void* threadgroup_memory(const Slot& slot) { return worker_of(current()).threadgroup_memory(slot); }
void* dynamic_shared() { return worker_of(current()).dynamic_shared(); }
std::size_t dynamic_shared_bytes() { return worker_of(current()).launch().shared_bytes; }

}  // namespace engine
