//// double variable
[[kernel]] void k(device float* x [[buffer(0)]]) {
  double sum = x[0]; //! Metal has no type 'double'
  x[0] = sum;
}
//// double parameter
float square(double x) { //! Metal has no type 'double'
  return x * x;
}
//// cast to double
[[kernel]] void k(device float* x [[buffer(0)]]) {
  x[0] = (double)x[1]; //! Metal has no type 'double'
}
//// long long
[[kernel]] void k(device float* x [[buffer(0)]]) {
  long long n = 3; //! long long
  x[0] = n;
}
//// min of int and uint
[[kernel]] void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[0] = min(x[1], i); //! call to 'min' is ambiguous (hint: cast)
}
//// max of float and int is fine, of long and int is not
[[kernel]] void k(device int* x [[buffer(0)]], device long* y [[buffer(1)]]) {
  y[0] = max(y[1], x[0]); //! call to 'max' is ambiguous
}
//// exp of int
[[kernel]] void k(device int* x [[buffer(0)]]) {
  x[0] = exp(x[1]); //! call to 'exp' is ambiguous
}
//// float to bfloat in an initialisation
[[kernel]] void k(device float* x [[buffer(0)]]) {
  bfloat b = x[0]; //! no viable conversion from 'device float' to 'bfloat' (hint: bfloat(x))
  x[1] = b;
}
//// float literal to bfloat
[[kernel]] void k(device bfloat* x [[buffer(0)]]) {
  x[0] = 1.0f; //! no viable overloaded '=' (hint: bfloat(x))
}
//// bfloat arithmetic with float is float
[[kernel]] void k(device bfloat* x [[buffer(0)]], device float* y [[buffer(1)]]) {
  x[0] = x[1] * y[0]; //! no viable overloaded '='
}
//// float to bfloat in an argument
void store(device bfloat* x, bfloat v) { x[0] = v; }
[[kernel]] void k(device bfloat* x [[buffer(0)]], device float* y [[buffer(1)]]) {
  store(x, y[0]); //! no matching function for call to 'store'
}
//// float to bfloat in a template instance
template <typename T>
[[kernel]] void scale(const device T* x [[buffer(0)]], device T* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  y[i] = x[i] * 2.0f; //! no viable overloaded '='
}
template [[host_name("scale_float")]] [[kernel]] decltype(scale<float>) scale<float>;
template [[host_name("scale_bfloat")]] [[kernel]] decltype(scale<bfloat>) scale<bfloat>;
//// half to bfloat
[[kernel]] void k(device half* x [[buffer(0)]], device bfloat* y [[buffer(1)]]) {
  y[0] = x[0]; //! no viable overloaded '='
}
//// bfloat to half
[[kernel]] void k(device half* x [[buffer(0)]], device bfloat* y [[buffer(1)]]) {
  x[0] = y[0]; //! from incompatible type 'device bfloat'
}
//// half times bfloat
[[kernel]] void k(device half* x [[buffer(0)]], device bfloat* y [[buffer(1)]]) {
  float z = x[0] * y[0]; //! operator '*'
  x[0] = z;
}
//// half vector to float vector
[[kernel]] void k(device half4* x [[buffer(0)]]) {
  float4 v = x[0]; //! no viable conversion
  x[1] = half4(v);
}
//// vectors of two sizes
[[kernel]] void k(device float4* x [[buffer(0)]], device float3* y [[buffer(1)]]) {
  x[0] = x[1] + y[0]; //! invalid operands to binary expression
}
//// too many components
[[kernel]] void k(device float2* x [[buffer(0)]]) {
  x[0] = float2(1, 2, 3); //! no matching constructor
}
//// address of a component
[[kernel]] void k(device float4* x [[buffer(0)]]) {
  device float* p = &x[0].y; //! the address of a vector element cannot be taken
  p[0] = 1;
}
//// component as a reference
void bump(thread float& x) { x += 1; }
[[kernel]] void k(device float4* x [[buffer(0)]]) {
  float4 v = x[0];
  bump(v.x); //! no matching function for call to 'bump'
  x[0] = v;
}
//// repeated component written
[[kernel]] void k(device float4* x [[buffer(0)]]) {
  x[0].xx = float2(1, 2); //! no setter defined for property 'xx'
}
//// bits of a float vector
[[kernel]] void k(device float4* x [[buffer(0)]]) {
  x[0] = x[0] & x[1]; //! invalid operands to binary expression
}
//// as_type of another size
[[kernel]] void k(device half* x [[buffer(0)]]) {
  x[0] = as_type<uint>(x[1]); //! as_type needs types of one size
}
//// pointer to integer
[[kernel]] void k(device float* x [[buffer(0)]]) {
  int n = x; //! cannot initialize a variable of type 'int'
  x[0] = n;
}
//// 64-bit shuffle
[[kernel]] void k(device long* x [[buffer(0)]]) {
  x[0] = simd_shuffle_xor(x[1], 1); //! call to 'simd_shuffle_xor' is ambiguous
}
//// shuffle of a struct
struct Best { float value; int index; };
[[kernel]] void k(device float* x [[buffer(0)]]) {
  Best b = {x[0], 1};
  b = simd_shuffle_down(b, 1); //! no matching function for call to 'simd_shuffle_down'
  x[0] = b.value;
}
//// vote used as a number
[[kernel]] void k(device uint* x [[buffer(0)]]) {
  uint mask = simd_ballot(x[0] > 1); //! no viable conversion from 'simd_vote' to 'uint'
  x[0] = mask;
}
//// matrix of another size
#include <metal_simdgroup_matrix>
[[kernel]] void k(device float* x [[buffer(0)]]) {
  simdgroup_matrix<float, 16, 16> m; //! simdgroup_matrix exists for 8 by 8
  simdgroup_load(m, x, 16);
}
//// matrix of int
#include <metal_simdgroup_matrix>
[[kernel]] void k(device int* x [[buffer(0)]]) {
  simdgroup_matrix<int, 8, 8> m; //! simdgroup_matrix exists for float, half and bfloat
  simdgroup_load(m, x, 8);
}
