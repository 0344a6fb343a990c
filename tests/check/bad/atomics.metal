//// atomic operation on a plain pointer
[[kernel]] void k(device int* x [[buffer(0)]]) {
  atomic_fetch_add_explicit(x, 1, memory_order_relaxed); //! no matching function for call to 'atomic_fetch_add_explicit'
}
//// 64-bit atomic addition
[[kernel]] void k(device atomic_ulong* x [[buffer(0)]]) {
  atomic_fetch_add_explicit(x, 1ul, memory_order_relaxed); //! no matching function for call to 'atomic_fetch_add_explicit'
}
//// result of a 64-bit atomic maximum
[[kernel]] void k(device atomic_ulong* x [[buffer(0)]], device ulong* y [[buffer(1)]]) {
  y[0] = atomic_max_explicit(x, 1ul, memory_order_relaxed); //! from incompatible type 'void'
}
//// atomic of long
[[kernel]] void k(device atomic<long>* x [[buffer(0)]]) {
  atomic_store_explicit(x, 1, memory_order_relaxed); //! atomic<T> exists for int, uint, bool, ulong and float
}
//// float maximum
[[kernel]] void k(device atomic_float* x [[buffer(0)]]) {
  atomic_fetch_max_explicit(x, 1.0f, memory_order_relaxed); //! no matching function for call to 'atomic_fetch_max_explicit'
}
//// float addition in threadgroup memory
[[kernel]] void k(device float* x [[buffer(0)]]) {
  threadgroup atomic_float sum;
  atomic_fetch_add_explicit(&sum, x[0], memory_order_relaxed); //! no matching function for call to 'atomic_fetch_add_explicit'
}
//// bits of a float
[[kernel]] void k(device atomic_float* x [[buffer(0)]]) {
  atomic_fetch_or_explicit(x, 1, memory_order_relaxed); //! no matching function for call to 'atomic_fetch_or_explicit'
}
//// memory order left out
[[kernel]] void k(device atomic_int* x [[buffer(0)]]) {
  atomic_fetch_add_explicit(x, 1); //! no matching function for call to 'atomic_fetch_add_explicit'
}
//// memory order other than relaxed
[[kernel]] void k(device atomic_int* x [[buffer(0)]]) {
  atomic_fetch_add_explicit(x, 1, memory_order_seq_cst); //! memory_order_relaxed
}
//// plain assignment to an atomic
[[kernel]] void k(device atomic_int* x [[buffer(0)]]) {
  x[0] = x[1]; //! deleted
}
//// strong compare and exchange
[[kernel]] void k(device atomic_int* x [[buffer(0)]]) {
  int expected = 0;
  atomic_compare_exchange_strong_explicit(x, &expected, 1, memory_order_relaxed, memory_order_relaxed); //! 'atomic_compare_exchange_strong_explicit'
}
//// expected value in device memory
[[kernel]] void k(device atomic_int* x [[buffer(0)]], device int* e [[buffer(1)]]) {
  atomic_compare_exchange_weak_explicit(x, e, 1, memory_order_relaxed, memory_order_relaxed); //! no matching function
}
//// barrier without flags
[[kernel]] void k(device int* x [[buffer(0)]]) {
  threadgroup_barrier(); //! no matching function for call to 'threadgroup_barrier'
  x[0] = 1;
}
