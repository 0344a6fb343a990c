// Where a pointer leads: CUDA asks at run time, in Metal its type says so.
namespace cu {

// The kinds of memory, to be compared.
enum class memory { in_device, in_threadgroup, in_constant, in_thread };

}  // namespace cu
