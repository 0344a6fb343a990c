#include <metal_stdlib>
using namespace metal;

template <typename T>
struct complex {
  T real_;
  T imag_;

  constexpr complex() : real_(0), imag_(0) {}
  constexpr complex(T real, T imag = T(0)) : real_(real), imag_(imag) {}

  T real() const { return real_; }

  complex operator+(const thread complex& b) const { return complex(real_ + b.real_, imag_ + b.imag_); }
  complex operator-(const thread complex& b) const { return complex(real_ - b.real_, imag_ - b.imag_); }
  complex operator*(const thread complex& b) const {
    return complex(real_ * b.real_ - imag_ * b.imag_, real_ * b.imag_ + imag_ * b.real_);
  }
};

template <typename T>
inline complex<T> operator*(T a, const thread complex<T>& b) {
  return complex<T>(a * b.real_, a * b.imag_);
}

using complex_t_ = complex<float>;

inline complex_t_ turned(complex_t_ z, float angle) {
  return complex_t_(precise::cos(angle), precise::sin(angle)) * z;
}

[[kernel]] void rotate(
    const device uchar* z [[buffer(0)]],
    const device float* angles [[buffer(1)]],
    const device uchar* shift [[buffer(2)]],
    const constant int& n [[buffer(3)]],
    device uchar* out [[buffer(4)]],
    device float* parts [[buffer(5)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  const device complex_t_* z_typed = (const device complex_t_*)z;
  complex_t_ shift_value = *(const device complex_t_*)shift;
  device complex_t_* out_typed = (device complex_t_*)out;
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i >= n) return;
  complex_t_ moved = turned(z_typed[i], angles[i]) + 2.0f * shift_value - complex_t_(1.0f);
  out_typed[i] = moved;
  parts[i] = moved.real() + moved.imag_;
}
