// Checked mode: who touched which byte of memory last, and what that says about the kernel.
//
// A record is 64 bits: group 20 | barriers passed 20 | simdgroup barriers passed 10 | thread 10 | compare-and-
// exchange 1 | atomic 1 | state 2. Each 4-byte word of memory has two, its last writer and its readers; a word
// that was touched in parts has two for each of its bytes. Two accesses of which one writes conflict unless
// the same thread made them, both are atomic, or a barrier lies between (of the group, or of their simdgroup).
// A plain read does not conflict with a compare-and-exchange: loops around one begin with such a read, which
// may be out of date. Groups are ordered only by a fence of the writer followed by an atomic operation of the
// reader's group.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "worker.h"

namespace engine::check {

struct Finding {
    std::string kind, message;
    Site site, other;  // `other`: the other place of a divergence; depth 0 if there is none
};

struct Buffer {
    std::uintptr_t begin, end;
    unsigned argument;
};

inline constexpr std::size_t kPage = 65536;  // buffers start on one, with at least one between them

inline std::uint64_t stamp(std::uint64_t group, unsigned barriers, unsigned simd_barriers) {
    return group << 44 | std::uint64_t(barriers & 0xFFFFF) << 24 | std::uint64_t(simd_barriers & 0x3FF) << 14;
}

// A stretch of memory.
struct Range {
    std::uintptr_t begin = 0, end = 0;
    bool holds(std::uintptr_t address) const { return address >= begin && address < end; }
};

// Before a launch in checked mode. `device` is the room that holds all buffers; the kernel may also
// touch its library (constants, globals) and its arguments.
void begin(Range device, const std::vector<Buffer>& buffers, Range library, Range arguments);
extern bool active;  // set by begin; the host clears it when the launch has ended
std::vector<Finding> findings();  // since begin

void report(const char* kind, const char* message, const Site& site, const Site* other = nullptr);

// One access by the running kernel; `frame` is the hook's.
enum class Access { kRead, kWrite, kAtomic, kExchange, kAtomicRead, kAtomicStore };
void access_shared(std::uintptr_t address, std::size_t bytes, Access how, void** frame);
inline void access(std::uintptr_t address, std::size_t bytes, Access how, void** frame) {
    const auto own = (address ^ reinterpret_cast<std::uintptr_t>(frame)) < kArenaBytes;  // a thread's stack
    if (!own && active) access_shared(address, bytes, how, frame);
}
void fence(const Thread& thread);

}  // namespace engine::check
