// Views of tensors by value: private members, a shape that copies itself, elements that are const in one view.
template <typename T, int MAX = 3>
struct Extents {
  __host__ __device__ Extents() {}
  __host__ __device__ Extents(const Extents<T, MAX>& other) : rank(other.rank) {
    for (int i = 0; i < rank; ++i) sizes[i] = other.sizes[i];
  }
  Extents(const std::vector<T>& all) : rank(all.size()) {}
  __host__ __device__ T& operator[](int i) { return sizes[i]; }
  __host__ __device__ const T& operator[](int i) const { return sizes[i]; }

 protected:
  T sizes[MAX];
  int rank = 0;
};

struct Shape : public Extents<int> {
  __host__ __device__ Shape() : Extents<int>() {}
  __host__ __device__ Shape(const Shape& other) : Extents<int>(other) {}
  Shape& operator=(const Shape& other) = default;
};

template <typename T>
class View {
 public:
  __host__ __device__ View(T* data, Shape shape) : data_(data), shape_(shape) {}
  __host__ __device__ View() {}
  __host__ __device__ T& operator()(int i, int j) { return data_[i * shape_[1] + j]; }
  __host__ __device__ T* data() { return data_; }
  __host__ __device__ int dim(int i) const { return shape_[i]; }
  __host__ bool empty() const { return shape_.size() == 0; }

 private:
  T* data_ = nullptr;
  Shape shape_;
};

__device__ float total(const float* row, int width) {
  float sum = 0.0f;
  for (int j = 0; j < width; ++j) sum += row[j];
  return sum;
}

__global__ void centre(View<const float> x, View<float> y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= x.dim(0)) return;
  float mean = total(x.data() + i * x.dim(1), x.dim(1)) / x.dim(1);
  for (int j = 0; j < x.dim(1); ++j) y(i, j) = x(i, j) - mean + 0.5f * y(i, j);
}
