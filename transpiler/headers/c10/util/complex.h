// PyTorch's complex numbers: the two parts under their own names, and the arithmetic of kernels.
#pragma once

namespace c10 {

template <typename T>
struct complex {
  T real_;
  T imag_;

  __host__ __device__ constexpr complex() : real_(0), imag_(0) {}
  __host__ __device__ constexpr complex(T real, T imag = T(0)) : real_(real), imag_(imag) {}

  __host__ __device__ T real() const { return real_; }
  __host__ __device__ T imag() const { return imag_; }

  __host__ __device__ complex operator+(const complex& b) const { return complex(real_ + b.real_, imag_ + b.imag_); }
  __host__ __device__ complex operator-(const complex& b) const { return complex(real_ - b.real_, imag_ - b.imag_); }
  __host__ __device__ complex operator*(const complex& b) const {
    return complex(real_ * b.real_ - imag_ * b.imag_, real_ * b.imag_ + imag_ * b.real_);
  }
};

template <typename T>
__host__ __device__ complex<T> operator*(T a, const complex<T>& b) {
  return complex<T>(a * b.real_, a * b.imag_);
}

}  // namespace c10
