//// recursion
int depth(int n) { //! function 'depth' calls itself
  return n == 0 ? 0 : 1 + depth(n - 1);
}
//// recursion over two functions
int odd(int n);
int even(int n) { return n == 0 ? 1 : odd(n - 1); } //! function 'even' calls itself
int odd(int n) { return n == 0 ? 0 : even(n - 1); } //! function 'odd' calls itself
//// goto
[[kernel]] void k(device int* x [[buffer(0)]]) {
again:
  x[0] += 1;
  if (x[0] < 3) goto again; //! Metal has no goto
}
//// virtual
struct Shape {
  virtual float area() const { return 0; } //! Metal has no virtual functions
};
//// asm
[[kernel]] void k(device int* x [[buffer(0)]]) {
  asm volatile("nop"); //! Metal has no inline assembly
  x[0] = 1;
}
//// new
[[kernel]] void k(device int* x [[buffer(0)]], uint n [[threads_per_grid]]) {
  thread int* p = new int[4]; //! Metal has no heap
  x[0] = p[0];
}
//// delete
void drop(thread int* p) {
  delete p; //! Metal has no heap
}
//// throw
int checked(int n) {
  if (n < 0) throw 1; //! Metal has no exceptions
  return n;
}
//// try
int checked(int n) {
  try { //! Metal has no exceptions
    n += 1;
  } catch (...) { //! Metal has no exceptions
  }
  return n;
}
//// dynamic_cast
struct A {};
struct B : A {};
thread B* down(thread A* a) {
  return dynamic_cast<thread B*>(a); //! Metal has no run-time type information
}
//// thread_local
thread_local int count; //! Metal has no thread_local
//// missing return
int sign_of(int x) {
  if (x > 0) return 1;
} //! non-void function does not return a value in all control paths
//// missing semicolon
[[kernel]] void k(device int* x [[buffer(0)]]) {
  x[0] = 1 //! expected ';'
}
//// missing brace
[[kernel]] void k(device int* x [[buffer(0)]]) { //! never closed
  x[0] = 1;
//// condition of no type
struct Pair { int a, b; };
[[kernel]] void k(device int* x [[buffer(0)]]) {
  Pair p = {1, 2};
  if (p) x[0] = 1; //! is not contextually convertible to 'bool'
}
//// template argument of a wrong kind
template <int N>
int twice() { return 2 * N; }
[[kernel]] void k(device int* x [[buffer(0)]], const constant int& n [[buffer(1)]]) {
  x[0] = twice<n>(); //! no matching function for call to 'twice'
}
//// static assertion
template <int N>
[[kernel]] void k(device int* x [[buffer(0)]]) {
  static_assert(N % 32 == 0, "N must fill simdgroups"); //! N must fill simdgroups
  x[0] = N;
}
template [[host_name("k_33")]] [[kernel]] decltype(k<33>) k<33>;
//// a function twice
int one() { return 1; }
int one() { return 1; } //! redefinition of 'one'
//// using namespace forgotten by its full name
[[kernel]] void k(device float* x [[buffer(0)]]) {
  x[0] = std::min(x[0], x[1]); //! use of undeclared identifier 'std'
}
