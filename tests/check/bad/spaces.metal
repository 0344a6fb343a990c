//// device pointer to a threadgroup parameter
void fill(threadgroup float* x);
[[kernel]] void k(device float* x [[buffer(0)]]) {
  fill(x); //! 1st argument
}
//// threadgroup pointer to a device parameter
void fill(device float* x);
[[kernel]] void k(device float* x [[buffer(0)]]) {
  threadgroup float s[32];
  fill(s); //! no matching function for call to 'fill'
}
//// constant pointer to a device parameter
float first(const device float* x);
[[kernel]] void k(const constant float* x [[buffer(0)]], device float* y [[buffer(1)]]) {
  y[0] = first(x); //! no matching function for call to 'first'
}
//// thread pointer to a device parameter
float first(const device float* x);
[[kernel]] void k(device float* y [[buffer(1)]]) {
  float local[4] = {};
  y[0] = first(local); //! no matching function for call to 'first'
}
//// reference argument
void bump(thread int& x) { x += 1; }
[[kernel]] void k(device int* x [[buffer(0)]]) {
  bump(x[0]); //! no matching function for call to 'bump'
}
//// assignment between spaces
[[kernel]] void k(device float* x [[buffer(0)]]) {
  threadgroup float s[32];
  device float* p = x;
  p = s; //! assigning to 'device float *' from incompatible type 'threadgroup float[32]'
}
//// initialisation between spaces
[[kernel]] void k(device float* x [[buffer(0)]]) {
  thread float* p = x; //! cannot initialize a variable of type 'thread float *' with an lvalue of type 'device float *'
}
//// reinterpret_cast between spaces
[[kernel]] void k(device float* x [[buffer(0)]]) {
  threadgroup uint* p = reinterpret_cast<threadgroup uint*>(x); //! reinterpret_cast from 'device float *' to 'threadgroup uint *'
  p[0] = 1;
}
//// C cast between spaces
[[kernel]] void k(device float* x [[buffer(0)]]) {
  threadgroup uint* p = (threadgroup uint*)x; //! address space
  p[0] = 1;
}
//// ternary over two spaces
[[kernel]] void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  threadgroup float s[32];
  x[0] = *(i > 3 ? x : s); //! incompatible operand types ('device float *' and 'threadgroup float *')
}
//// returned pointer
threadgroup float* pick(device float* x) {
  return x; //! cannot initialize return object of type 'threadgroup float *'
}
//// address of a local as a device pointer
[[kernel]] void k(device float* x [[buffer(0)]]) {
  float v = x[0];
  device float* p = &v; //! cannot initialize a variable of type 'device float *'
  p[0] = 1;
}
//// pointer parameter of a helper
float first(const float* x) { return x[0]; } //! pointer 'x' has no address space
//// pointer parameter of a kernel
[[kernel]] void k(float* x [[buffer(0)]]) { //! pointer 'x' has no address space
  x[0] = 1;
}
//// local pointer
[[kernel]] void k(device float* x [[buffer(0)]]) {
  float* p = x; //! pointer 'p' has no address space
  p[0] = 1;
}
//// reference parameter
void bump(int& x) { x += 1; } //! reference 'x' has no address space
//// cast without a space
[[kernel]] void k(device float* x [[buffer(0)]]) {
  device uint* p = (uint*)x; //! this pointer has no address space
  p[0] = 1;
}
//// template argument without a space
[[kernel]] void k(device float* x [[buffer(0)]]) {
  x[0] = *reinterpret_cast<const float*>(x + 4); //! this pointer has no address space
}
//// struct member
struct Pair {
  float* left; //! pointer 'left' has no address space
  int count;
};
//// pointer in a template
template <typename T>
T total(const T* x, int n) { //! pointer 'x' has no address space
  T sum = 0;
  for (int i = 0; i < n; i++) sum += x[i];
  return sum;
}
//// result of a function
float* pick(device float* x, int i); //! the pointer that 'pick' returns has no address space
//// inner space of a pointer to a pointer
void pick(device float** x); //! has no address space
//// space lost in a template instance
template <typename T>
T head(const threadgroup T* x) { return x[0]; }
[[kernel]] void k(device float* x [[buffer(0)]]) {
  x[1] = head<float>(x); //! no matching function for call to 'head'
}
//// program-scope variable without constant
float table[2] = {1, 2}; //! must be in the constant address space
//// const is not constant
const int width = 32; //! must be in the constant address space
//// device variable at program scope
device int counter; //! must be in the constant address space
//// static variable in a function
int next() {
  static int count = 0; //! a static variable must be in the constant address space
  return count++;
}
//// constant variable in a kernel
[[kernel]] void k(device float* x [[buffer(0)]]) {
  constant float table[2] = {1, 2}; //! a variable of a function cannot lie in device or constant memory
  x[0] = table[0];
}
//// device variable in a kernel
[[kernel]] void k(device float* x [[buffer(0)]]) {
  device float y; //! a variable of a function cannot lie in device or constant memory
  x[0] = 1;
}
//// value for a reference that is not const
inline float bump(thread float& a, float b) { return a += b; }
[[kernel]] void k(device float* x [[buffer(0)]]) {
  x[0] = bump(1.0f, x[1]); //! no matching function for call to 'bump'
}
//// element of a buffer for a const reference to the thread's memory
inline float twice(const thread float& a, float b) { return a + b; }
[[kernel]] void k(device float* x [[buffer(0)]]) {
  x[0] = twice(x[1], 1.0f); //! cannot bind reference in address space 'device' to object in address space 'thread'
}
//// a method's own member as a pointer to another type
inline void fetch(const device float* from, thread int* to) { *to = int(*from); }
struct Held {
  float last;
  void through(device float* x) {
    fetch(x, &last); //! no matching function for call to 'fetch'
  }
};
[[kernel]] void k(device float* x [[buffer(0)]]) {
  Held held;
  held.through(x);
}
//// a const method's own member as a pointer that writes
struct Kept {
  float last;
  void through(device float* x) const {
    thread float* pointer = &last; //! cannot initialize a variable of type
    x[0] = *pointer;
  }
};
[[kernel]] void k(device float* x [[buffer(0)]]) {
  Kept kept;
  kept.through(x);
}
