// Memory fences, which Metal has from 3.2 on.
namespace cu {

// __threadfence_block
// Metal 3.2
inline void threadfence_block() {
    metal::atomic_thread_fence(metal::mem_flags::mem_device | metal::mem_flags::mem_threadgroup,
                               metal::memory_order_seq_cst, metal::thread_scope_threadgroup);
}

// __threadfence, and __threadfence_system as far as Metal goes: the device.
// Metal 3.2
inline void threadfence() {
    metal::atomic_thread_fence(metal::mem_flags::mem_device | metal::mem_flags::mem_threadgroup,
                               metal::memory_order_seq_cst, metal::thread_scope_device);
}

}  // namespace cu
