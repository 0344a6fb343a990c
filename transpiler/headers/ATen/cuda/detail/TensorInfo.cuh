// Device side of PyTorch's strided tensor descriptor, as far as kernels use it.
#pragma once
#define MAX_TENSORINFO_DIMS 25

namespace at { namespace cuda { namespace detail {

template <typename T, typename IndexType>
struct TensorInfo {
  T* data;
  IndexType sizes[MAX_TENSORINFO_DIMS];
  IndexType strides[MAX_TENSORINFO_DIMS];
  int dims;
};

// Offset in elements of the element with row-major number `linear`.
template <typename T, typename IndexType, int Dims>
struct IndexToOffset {
  static __host__ __device__ IndexType get(IndexType linear, const TensorInfo<T, IndexType>& info) {
    IndexType offset = 0;
    for (int i = info.dims - 1; i > 0; --i) {
      offset += (linear % info.sizes[i]) * info.strides[i];
      linear /= info.sizes[i];
    }
    return offset + linear * info.strides[0];
  }
};

}}}  // namespace at::cuda::detail
