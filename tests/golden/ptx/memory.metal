#include <metal_stdlib>
using namespace metal;

// support library: cu::atomic_add, cu::copy_async

inline void load16(thread void* dst, const device void* src, bool access) {
    thread uint4* data = reinterpret_cast<thread uint4*>(dst);
    do {
        bool p = uint((int)access) != 0u;
        data[0].x = 0u;
        data[0].y = 0u;
        data[0].z = 0u;
        data[0].w = 0u;
        if (p) {
            uint4 loaded = *(const device uint4*)src;
            data[0].x = loaded.x;
            data[0].y = loaded.y;
            data[0].z = loaded.z;
            data[0].w = loaded.w;
        }
    } while (false);
}

inline void store_shared(threadgroup void* dst, uint value) {
    *(threadgroup uint*)dst = value;
}

[[kernel]] void copy(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  threadgroup float tile[128];
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  float four[4];
  load16(four, in + 4 * i, 4 * i < n);
  store_shared(tile + thread_position_in_threadgroup.x, as_type<uint>(four[0] + four[3]));
  threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
  uint back;
  back = *(const threadgroup uint*)((const threadgroup uchar*)(tile + (thread_position_in_threadgroup.x ^ 1)) + 0);
  /* prefetch.global.L1 */;
  *(device uint*)(out + i) = back;
}

[[kernel]] void count(
    const device uint* keys [[buffer(0)]],
    device uint* totals [[buffer(1)]],
    device float* sums [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  threadgroup uint local[32];
  local[thread_position_in_threadgroup.x] = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint key = keys[thread_position_in_threadgroup.x] & 31, old;
  old = cu::atomic_add((threadgroup uint*)(&local[key]), uint(1));
  cu::atomic_add((device uint*)(totals + key), (old + 1));
  cu::atomic_add((device float*)sums, 0.5f);
}

[[kernel]] void staged(
    const device uint* in [[buffer(0)]],
    device uint* out [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  const device uint4* in_uint4 = (const device uint4*)in;
  device uint4* out_uint4 = (device uint4*)out;
  threadgroup uint4 tile[32];
  cu::copy_async((threadgroup uint*)(tile + thread_position_in_threadgroup.x), (const device uint*)(in_uint4 + thread_position_in_threadgroup.x), 16u, 16u);
  /* cp.async.commit_group: the copies are done */;
  /* cp.async.wait_group: the copies are done */;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out_uint4[thread_position_in_threadgroup.x] = tile[31 - thread_position_in_threadgroup.x];
}
