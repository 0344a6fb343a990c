//// misspelt attribute
[[kernel]] void k(device float* x [[buffer(0)]], uint i [[thread_position_in_gird]]) { //! unknown attribute 'thread_position_in_gird' (hint: thread_position_in_grid)
  x[i] = 1;
}
//// CUDA's word as an attribute
[[kernel]] void k(device float* x [[buffer(0)]], uint3 i [[threadIdx]]) { //! unknown attribute 'threadIdx'
  x[i.x] = 1;
}
//// misspelt kernel
[[kernal]] void k(device float* x [[buffer(0)]]) { //! unknown attribute 'kernal' (hint: kernel)
  x[0] = 1;
}
//// the same attribute twice
[[kernel]] void k(
    device float* x [[buffer(0)]],
    uint i [[thread_position_in_grid]],
    uint j [[thread_position_in_grid]]) { //! the value of 'thread_position_in_grid' is given to two parameters
  x[i] = j;
}
//// a float position
[[kernel]] void k(device float* x [[buffer(0)]], float i [[thread_position_in_grid]]) { //! needs uint, uint2, uint3
  x[0] = i;
}
//// a signed position
[[kernel]] void k(device float* x [[buffer(0)]], int3 i [[threadgroup_position_in_grid]]) { //! not 'int3'
  x[i.x] = 1;
}
//// a position of four components
[[kernel]] void k(device float* x [[buffer(0)]], uint4 i [[thread_position_in_grid]]) { //! not 'uint4'
  x[i.x] = 1;
}
//// a vector lane
[[kernel]] void k(device float* x [[buffer(0)]], uint3 lane [[thread_index_in_simdgroup]]) { //! needs uint or ushort, not 'uint3'
  x[lane.x] = 1;
}
//// a signed lane
[[kernel]] void k(device float* x [[buffer(0)]], int lane [[thread_index_in_simdgroup]]) { //! needs uint or ushort, not 'int'
  x[lane] = 1;
}
//// one buffer index twice
[[kernel]] void k(
    const device float* x [[buffer(0)]],
    device float* y [[buffer(0)]]) { //! buffer index 0 is taken by 'x'
  y[0] = x[0];
}
//// one threadgroup index twice
[[kernel]] void k(
    threadgroup float* x [[threadgroup(1)]],
    threadgroup float* y [[threadgroup(1)]]) { //! threadgroup index 1 is taken by 'x'
  y[0] = x[0];
}
//// buffer index out of range
[[kernel]] void k(device float* x [[buffer(31)]]) { //! buffer index 31 is over the limit of 30
  x[0] = 1;
}
//// buffer without an index
[[kernel]] void k(device float* x [[buffer]]) { //! attribute 'buffer' needs an index
  x[0] = 1;
}
//// a value as a buffer
[[kernel]] void k(device float* x [[buffer(0)]], int n [[buffer(1)]]) { //! kernel parameter 'n' is a value and cannot be a buffer
  x[0] = n;
}
//// a value without an attribute
[[kernel]] void k(device float* x [[buffer(0)]], float scale) { //! kernel parameter 'scale' is a value without attribute
  x[0] = scale;
}
//// pointer to pointers
[[kernel]] void k(device float* const device* x [[buffer(0)]]) { //! kernel parameter 'x' is a pointer to a pointer
  x[0][0] = 1;
}
//// thread memory as a buffer
[[kernel]] void k(thread float* x [[buffer(0)]]) { //! kernel parameter 'x' points to thread memory
  x[0] = 1;
}
//// threadgroup memory as a buffer
[[kernel]] void k(threadgroup float* x [[buffer(0)]]) { //! attribute 'buffer' needs device or constant memory
  x[0] = 1;
}
//// device memory as threadgroup
[[kernel]] void k(device float* x [[threadgroup(0)]]) { //! attribute 'threadgroup' needs a threadgroup pointer
  x[0] = 1;
}
//// a kernel with a result
[[kernel]] float k(device float* x [[buffer(0)]]) { //! kernel 'k' must return void
  return x[0];
}
//// kernel as a word, value without attribute
kernel void k(device float* x [[buffer(0)]], uint n) { //! kernel parameter 'n' is a value without attribute
  x[0] = n;
}
//// two sizes of a simdgroup
[[kernel]] void k(
    device float* x [[buffer(0)]],
    uint a [[threads_per_simdgroup]],
    uint b [[thread_execution_width]]) { //! the value of 'thread_execution_width' is given to two parameters
  x[a] = b;
}
