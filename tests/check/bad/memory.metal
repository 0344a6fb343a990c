//// threadgroup memory in a helper
float total(const device float* x) {
  threadgroup float s[32]; //! threadgroup variables can only be declared in a kernel (hint: pass a threadgroup pointer)
  s[0] = x[0];
  return s[0];
}
//// threadgroup memory over the limit
[[kernel]] void k(device float* x [[buffer(0)]]) {
  threadgroup float a[4096];
  threadgroup float b[4097]; //! 32772 bytes of threadgroup memory; the limit is 32768
  a[0] = b[0] = x[0];
}
//// threadgroup memory over the limit in one instance
template <typename T, int N>
[[kernel]] void k(device T* x [[buffer(0)]]) {
  threadgroup T tile[N][N + 1]; //! 66048 bytes of threadgroup memory
  tile[0][0] = x[0];
}
template [[host_name("k_64")]] [[kernel]] decltype(k<float, 64>) k<float, 64>;
template [[host_name("k_128")]] [[kernel]] decltype(k<float, 128>) k<float, 128>;
//// threadgroup memory of dynamic size
[[kernel]] void k(device float* x [[buffer(0)]], const constant int& n [[buffer(1)]]) {
  threadgroup float s[n]; //! the size of an array must be a constant
  s[0] = x[0];
}
//// thread array of dynamic size
[[kernel]] void k(device float* x [[buffer(0)]], const constant int& n [[buffer(1)]]) {
  float s[n]; //! the size of an array must be a constant
  s[0] = x[0];
}
//// initialised threadgroup array
[[kernel]] void k(device float* x [[buffer(0)]]) {
  threadgroup float s[4] = {0, 0, 0, 0}; //! threadgroup variable 's' cannot be initialised
  x[0] = s[0];
}
//// initialised threadgroup value
[[kernel]] void k(device float* x [[buffer(0)]]) {
  threadgroup int count = 0; //! threadgroup variable 'count' cannot be initialised
  x[0] = count;
}
//// write through a const pointer
[[kernel]] void k(const device float* x [[buffer(0)]]) {
  x[0] = 1; //! read-only variable is not assignable
}
//// write to constant memory
[[kernel]] void k(constant float* x [[buffer(0)]]) {
  x[0] = 1; //! read-only variable is not assignable
}
//// write to a constant reference
[[kernel]] void k(const constant int& n [[buffer(0)]]) {
  n = 1; //! const-qualified
}
//// write to a constant table
constant float table[2] = {1, 2};
[[kernel]] void k(device float* x [[buffer(0)]]) {
  table[0] = x[0]; //! read-only variable is not assignable
}
//// const lost in an argument
void store(device float* x) { x[0] = 1; }
[[kernel]] void k(const device float* x [[buffer(0)]]) {
  store(x); //! no matching function for call to 'store'
}
//// uninitialised variable
[[kernel]] void k(device float* x [[buffer(0)]]) {
  float sum;
  x[0] = sum + 1; //! variable 'sum' is uninitialized when used here
}
//// address of a local returned
thread float* pick(float x) {
  return &x; //! address of stack memory
}
