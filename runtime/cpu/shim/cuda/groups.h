// Cooperative groups: thread_block, grid_group (without sync), tiles up to a warp, coalesced groups and their
// partitions. Collectives over them (reduce, scan, memcpy_async) are in groups_algorithms.h.
#pragma once
#include "device.h"
#include "integer_intrinsics.h"
#include "warp.h"

namespace cooperative_groups {

using std::size_t;

// What all groups share: a set of lanes of one warp (mask != 0) or the whole block (mask == 0).
class thread_group {
 public:
  using size_type = unsigned long long;
  thread_group(unsigned mask, unsigned size, unsigned rank) : mask_(mask), size_(size), rank_(rank) {}
  unsigned long long size() const { return size_; }
  unsigned long long num_threads() const { return size_; }
  unsigned long long thread_rank() const { return rank_; }
  void sync() const {
    if (mask_ == 0) engine::barrier();
    else engine::simd_barrier(mask_);
  }
  bool is_valid() const { return true; }
  unsigned lanes() const { return mask_; }

 protected:
  unsigned mask_, size_, rank_;
};

class thread_block : public thread_group {
 public:
  thread_block() : thread_group(0, engine::group_threads(), engine::linear_index()) {}
  static unsigned size() { return engine::group_threads(); }
  static unsigned num_threads() { return engine::group_threads(); }
  static unsigned thread_rank() { return engine::linear_index(); }
  static void sync() { engine::barrier(); }
  static dim3 group_index() { return cudashim::to_dim3(engine::block_index()); }
  static dim3 thread_index() { return cudashim::to_dim3(engine::thread_index()); }
  static dim3 group_dim() { return cudashim::to_dim3(engine::block_dim()); }
  static dim3 dim_threads() { return group_dim(); }
};
inline thread_block this_thread_block() { return thread_block(); }

class grid_group {
 public:
  static unsigned long long block_rank() {
    engine::Dim3 b = engine::block_index(), g = engine::grid_dim();
    return b.x + (unsigned long long)g.x * (b.y + (unsigned long long)g.y * b.z);
  }
  static unsigned long long num_blocks() {
    engine::Dim3 g = engine::grid_dim();
    return (unsigned long long)g.x * g.y * g.z;
  }
  static unsigned long long thread_rank() { return block_rank() * engine::group_threads() + engine::linear_index(); }
  static unsigned long long size() { return num_blocks() * engine::group_threads(); }
  static unsigned long long num_threads() { return size(); }
  static dim3 group_dim() { return cudashim::to_dim3(engine::grid_dim()); }
  static dim3 dim_blocks() { return group_dim(); }
  static dim3 block_index() { return cudashim::to_dim3(engine::block_index()); }
  static bool is_valid() { return num_blocks() == 1; }
  static void sync() {
    if (num_blocks() != 1) engine::stop("grid.sync(): the CPU machine runs blocks one after another");
    engine::barrier();
  }
};
inline grid_group this_grid() { return grid_group(); }

// A group of lanes of one warp with the warp's collectives; ranks count the set bits of the mask.
class lane_group : public thread_group {
 public:
  explicit lane_group(unsigned mask)
      : thread_group(mask, unsigned(__popc(mask)), unsigned(__popc(mask & ((1u << engine::lane()) - 1u)))) {}

  template <class T> T shfl(T value, int rank) const {
    return cudashim::shuffle(mask_, value, lane_of_rank(unsigned(rank) % size_));
  }
  template <class T> T shfl_up(T value, unsigned delta) const {
    return cudashim::shuffle(mask_, value, lane_of_rank(delta > rank_ ? rank_ : rank_ - delta));
  }
  template <class T> T shfl_down(T value, unsigned delta) const {
    return cudashim::shuffle(mask_, value, lane_of_rank(rank_ + delta >= size_ ? rank_ : rank_ + delta));
  }
  int any(int predicate) const { return cudashim::ballot(mask_, predicate != 0) != 0; }
  int all(int predicate) const { return cudashim::all_of(mask_, predicate != 0); }
  unsigned ballot(int predicate) const { return to_ranks(cudashim::ballot(mask_, predicate != 0)); }
  template <class T> unsigned match_any(T value) const { return to_ranks(cudashim::match(mask_, value)); }
  template <class T> unsigned match_all(T value, int& predicate) const {
    predicate = cudashim::all_of(mask_, cudashim::match(mask_, value) == mask_);
    return predicate ? to_ranks(mask_) : 0;
  }

 protected:
  int lane_of_rank(unsigned rank) const { return int(__fns(mask_, 0, int(rank) + 1)); }
  // Lane bits to rank bits.
  unsigned to_ranks(unsigned lanes) const {
    unsigned result = 0, rank = 0;
    for (unsigned rest = mask_; rest != 0; rest &= rest - 1, ++rank) result |= ((lanes & rest & (0u - rest)) != 0) << rank;
    return result;
  }
};

// The lanes of the calling thread's aligned segment of `size` lanes that exist in the block.
inline unsigned segment_mask(unsigned size) {
  unsigned first_of_warp = engine::linear_index() / 32 * 32, existing = engine::group_threads() - first_of_warp;
  unsigned present = existing >= 32 ? 0xffffffffu : (1u << existing) - 1u;
  unsigned segment = size >= 32 ? 0xffffffffu : ((1u << size) - 1u) << (engine::lane() & ~(size - 1u));
  return present & segment;
}

template <unsigned N, class Parent = void>
class thread_block_tile : public lane_group {
  static_assert(N >= 1 && N <= 32 && (N & (N - 1)) == 0, "the CPU machine has tiles of 1 to 32 threads");

 public:
  thread_block_tile(unsigned parent_rank, unsigned parent_size)
      : lane_group(segment_mask(N)), meta_rank_(parent_rank / N), meta_size_((parent_size + N - 1) / N) {}
  template <class Other>
  thread_block_tile(const thread_block_tile<N, Other>& other)
      : lane_group(other.lanes()), meta_rank_(other.meta_group_rank()), meta_size_(other.meta_group_size()) {}

  static constexpr unsigned size() { return N; }
  static constexpr unsigned num_threads() { return N; }
  static unsigned thread_rank() { return engine::linear_index() & (N - 1); }
  unsigned meta_group_rank() const { return meta_rank_; }
  unsigned meta_group_size() const { return meta_size_; }

  template <class T> T shfl(T value, int rank) const {
    return cudashim::shuffle(mask_, value, cudashim::source_indexed(rank, int(N)));
  }
  template <class T> T shfl_up(T value, unsigned delta) const {
    return cudashim::shuffle(mask_, value, cudashim::source_up(delta, int(N)));
  }
  template <class T> T shfl_down(T value, unsigned delta) const {
    return cudashim::shuffle(mask_, value, cudashim::source_down(delta, int(N)));
  }
  template <class T> T shfl_xor(T value, int bits) const {
    return cudashim::shuffle(mask_, value, cudashim::source_xor(bits, int(N)));
  }

 private:
  unsigned meta_rank_, meta_size_;
};

class coalesced_group : public lane_group {
 public:
  explicit coalesced_group(unsigned mask, unsigned meta_rank = 0, unsigned meta_size = 1)
      : lane_group(mask), meta_rank_(meta_rank), meta_size_(meta_size) {}
  unsigned meta_group_rank() const { return meta_rank_; }
  unsigned meta_group_size() const { return meta_size_; }

 private:
  unsigned meta_rank_, meta_size_;
};
inline coalesced_group coalesced_threads() { return coalesced_group(engine::active_lanes()); }

inline thread_block_tile<1> this_thread() { return thread_block_tile<1>(0, 1); }

template <unsigned N, class Parent>
inline thread_block_tile<N, Parent> tiled_partition(const Parent& parent) {
  return thread_block_tile<N, Parent>(unsigned(parent.thread_rank()), unsigned(parent.size()));
}
inline thread_group tiled_partition(const thread_block&, unsigned size) {
  if (size == 0 || size > 32 || (size & (size - 1)) != 0) engine::stop("tiled_partition: 1 to 32 threads, a power of two");
  return lane_group(segment_mask(size));
}
inline thread_group tiled_partition(const thread_group& parent, unsigned size) {
  return lane_group(segment_mask(size) & parent.lanes());
}
// Consecutive ranks in groups of `size`.
inline coalesced_group tiled_partition(const coalesced_group& parent, unsigned size) {
  unsigned mine = unsigned(parent.thread_rank()) / size, mask = 0, rank = 0;
  for (unsigned rest = parent.lanes(); rest != 0; rest &= rest - 1, ++rank)
    if (rank / size == mine) mask |= rest & (0u - rest);
  return coalesced_group(mask, mine, unsigned((parent.size() + size - 1) / size));
}

// Lanes with the same label; the groups are numbered by their first lane.
template <class Group, class Label>
inline coalesced_group labeled_partition(const Group& parent, Label label) {
  unsigned mask = cudashim::match(parent.lanes(), label);
  unsigned leaders = cudashim::ballot(parent.lanes(), (mask & ((1u << engine::lane()) - 1u)) == 0);
  unsigned first = mask & (0u - mask);
  return coalesced_group(mask, unsigned(__popc(leaders & (first - 1u))), unsigned(__popc(leaders)));
}
template <class Group>
inline coalesced_group binary_partition(const Group& parent, bool predicate) {
  return labeled_partition(parent, int(predicate));
}

template <class Group> inline void sync(const Group& group) { group.sync(); }
template <class Group> inline auto thread_rank(const Group& group) { return group.thread_rank(); }
template <class Group> inline auto group_size(const Group& group) { return group.size(); }

}  // namespace cooperative_groups

#include "groups_algorithms.h"
