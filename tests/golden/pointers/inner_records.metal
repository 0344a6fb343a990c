#include <metal_stdlib>
using namespace metal;

// Records inside records: iterators for a loop over a grid, and over a row; a view with a cursor into it.
template <typename T>
class GridLoop {
  struct Iterator {
    Iterator(T index, T step) : index_(index), step_(step) {}
    T operator*() const { return index_; }
    thread Iterator& operator++() thread {
      index_ += step_;
      return *this;
    }
    bool operator!=(const thread Iterator& other) const { return index_ < other.index_; }

   private:
    T index_;
    const T step_;
  };

 public:
  GridLoop(T begin, T step, T end) : begin_(begin), step_(step), end_(end) {}
  Iterator begin() const { return Iterator{begin_, step_}; }
  Iterator end() const { return Iterator{end_, 0}; }

 private:
  T begin_, step_, end_;
};

template <typename T>
inline GridLoop<T> grid_loop(uint3 threadgroup_position_in_grid, uint3 threads_per_threadgroup, uint3 thread_position_in_threadgroup, uint3 threadgroups_per_grid, T count) {
  return GridLoop<T>(threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x, threadgroups_per_grid.x * threads_per_threadgroup.x, count);
}

template <typename scalar_t>
struct Row {
  class cursor {
   public:
    typedef cursor self_type;
    cursor(const device scalar_t* at) : at_(at) {}
    self_type operator++() {
      ++at_;
      return *this;
    }
    const device scalar_t& operator*() const { return *at_; }
    bool operator!=(const thread self_type& other) const { return at_ != other.at_; }

   private:
    const device scalar_t* at_;
  };

  Row(const device scalar_t* first, int length) : first_(first), length_(length) {}
  cursor begin() const { return cursor(first_); }
  cursor end() const { return cursor(first_ + length_); }

  const device scalar_t* first_;
  int length_;
};

// A view of which the kernel needs little: the rest is left out, what only the host could do, too.
struct Names {
  Names() : count_(0) {}
  int count() const { return count_; }

 private:
  int count_;
};

[[kernel]] void row_sums(
    const device float* x [[buffer(0)]],
    const constant int& rows [[buffer(1)]],
    const constant int& width [[buffer(2)]],
    device float* y [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threadgroups_per_grid [[threadgroups_per_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  for (int row : grid_loop<int>(threadgroup_position_in_grid, threads_per_threadgroup, thread_position_in_threadgroup, threadgroups_per_grid, rows)) {
    float sum = Names().count();
    for (float v : Row<float>(x + row * width, width)) sum += v;
    y[row] = sum;
  }
}
