// Records inside records: iterators for a loop over a grid, and over a row; a view with a cursor into it.
template <typename T>
class GridLoop {
  struct Iterator {
    __device__ Iterator(T index, T step) : index_(index), step_(step) {}
    __device__ T operator*() const { return index_; }
    __device__ Iterator& operator++() {
      index_ += step_;
      return *this;
    }
    __device__ bool operator!=(const Iterator& other) const { return index_ < other.index_; }

   private:
    T index_;
    const T step_;
  };

 public:
  __device__ GridLoop(T begin, T step, T end) : begin_(begin), step_(step), end_(end) {}
  __device__ Iterator begin() const { return Iterator{begin_, step_}; }
  __device__ Iterator end() const { return Iterator{end_, 0}; }

 private:
  T begin_, step_, end_;
};

template <typename T>
__device__ GridLoop<T> grid_loop(T count) {
  return GridLoop<T>(blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x, count);
}

template <typename scalar_t>
struct Row {
  class cursor {
   public:
    typedef cursor self_type;
    __device__ cursor(const scalar_t* at) : at_(at) {}
    __device__ self_type operator++() {
      ++at_;
      return *this;
    }
    __device__ const scalar_t& operator*() const { return *at_; }
    __device__ bool operator!=(const self_type& other) const { return at_ != other.at_; }

   private:
    const scalar_t* at_;
  };

  __device__ Row(const scalar_t* first, int length) : first_(first), length_(length) {}
  __device__ cursor begin() const { return cursor(first_); }
  __device__ cursor end() const { return cursor(first_ + length_); }

  const scalar_t* first_;
  int length_;
};

// A view of which the kernel needs little: the rest is left out, what only the host could do, too.
struct Names {
  __host__ __device__ Names() : count_(0) {}
  Names(const std::vector<int>& all) : count_(all.size()) {}
  __host__ __device__ int count() const { return count_; }
  __device__ const char* first() const { return cursor_of<0>(); }
  std::string joined() const { return std::accumulate(begin(), end(), std::string()); }

 private:
  class letters {
    std::string::iterator at;
  };
  int count_;
};

__global__ void row_sums(const float* x, float* y, int rows, int width) {
  for (int row : grid_loop<int>(rows)) {
    float sum = Names().count();
    for (float v : Row<float>(x + row * width, width)) sum += v;
    y[row] = sum;
  }
}
