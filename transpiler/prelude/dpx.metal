// DPX: fused add, minimum and maximum of dynamic programming, on words or on two 16-bit lanes. Sums wrap.
namespace cu {

// __viaddmax_s32
inline int viaddmax_s32(int a, int b, int c) {
    return metal::max(as_type<int>(uint(a) + uint(b)), c);
}
// __vimax3_s32
inline int vimax3_s32(int a, int b, int c) {
    return metal::max(metal::max(a, b), c);
}
// __viaddmax_s32_relu
inline int viaddmax_s32_relu(int a, int b, int c) {
    return metal::max(viaddmax_s32(a, b, c), 0);
}
// __vimax3_s32_relu
inline int vimax3_s32_relu(int a, int b, int c) {
    return metal::max(vimax3_s32(a, b, c), 0);
}
// __vimax_s32_relu
inline int vimax_s32_relu(int a, int b) {
    return metal::max(metal::max(a, b), 0);
}
// __vibmax_s32: `which` says whether a was taken.
template <typename Pointer>
inline int vibmax_s32(int a, int b, Pointer which) {
    *which = a >= b;
    return metal::max(a, b);
}
// __viaddmax_u32
inline uint viaddmax_u32(uint a, uint b, uint c) {
    return metal::max(a + b, c);
}
// __vimax3_u32
inline uint vimax3_u32(uint a, uint b, uint c) {
    return metal::max(metal::max(a, b), c);
}
// __vibmax_u32: `which` says whether a was taken.
template <typename Pointer>
inline uint vibmax_u32(uint a, uint b, Pointer which) {
    *which = a >= b;
    return metal::max(a, b);
}
// __viaddmax_s16x2
inline uint viaddmax_s16x2(uint a, uint b, uint c) {
    return vmaxs2(vadd2(a, b), c);
}
// __vimax3_s16x2
inline uint vimax3_s16x2(uint a, uint b, uint c) {
    return vmaxs2(vmaxs2(a, b), c);
}
// __viaddmax_s16x2_relu
inline uint viaddmax_s16x2_relu(uint a, uint b, uint c) {
    return vmaxs2(viaddmax_s16x2(a, b, c), 0u);
}
// __vimax3_s16x2_relu
inline uint vimax3_s16x2_relu(uint a, uint b, uint c) {
    return vmaxs2(vimax3_s16x2(a, b, c), 0u);
}
// __vimax_s16x2_relu
inline uint vimax_s16x2_relu(uint a, uint b) {
    return vmaxs2(vmaxs2(a, b), 0u);
}
// __vibmax_s16x2: `high` and `low` say whether a's lane was taken.
template <typename Pointer>
inline uint vibmax_s16x2(uint a, uint b, Pointer high, Pointer low) {
    uint taken = vsetges2(a, b);
    *high = (taken & 0x10000u) != 0u;
    *low = (taken & 1u) != 0u;
    return vmaxs2(a, b);
}
// __viaddmax_u16x2
inline uint viaddmax_u16x2(uint a, uint b, uint c) {
    return vmaxu2(vadd2(a, b), c);
}
// __vimax3_u16x2
inline uint vimax3_u16x2(uint a, uint b, uint c) {
    return vmaxu2(vmaxu2(a, b), c);
}
// __vibmax_u16x2: `high` and `low` say whether a's lane was taken.
template <typename Pointer>
inline uint vibmax_u16x2(uint a, uint b, Pointer high, Pointer low) {
    uint taken = vsetgeu2(a, b);
    *high = (taken & 0x10000u) != 0u;
    *low = (taken & 1u) != 0u;
    return vmaxu2(a, b);
}

// __viaddmin_s32
inline int viaddmin_s32(int a, int b, int c) {
    return metal::min(as_type<int>(uint(a) + uint(b)), c);
}
// __vimin3_s32
inline int vimin3_s32(int a, int b, int c) {
    return metal::min(metal::min(a, b), c);
}
// __viaddmin_s32_relu
inline int viaddmin_s32_relu(int a, int b, int c) {
    return metal::max(viaddmin_s32(a, b, c), 0);
}
// __vimin3_s32_relu
inline int vimin3_s32_relu(int a, int b, int c) {
    return metal::max(vimin3_s32(a, b, c), 0);
}
// __vimin_s32_relu
inline int vimin_s32_relu(int a, int b) {
    return metal::max(metal::min(a, b), 0);
}
// __vibmin_s32: `which` says whether a was taken.
template <typename Pointer>
inline int vibmin_s32(int a, int b, Pointer which) {
    *which = a <= b;
    return metal::min(a, b);
}
// __viaddmin_u32
inline uint viaddmin_u32(uint a, uint b, uint c) {
    return metal::min(a + b, c);
}
// __vimin3_u32
inline uint vimin3_u32(uint a, uint b, uint c) {
    return metal::min(metal::min(a, b), c);
}
// __vibmin_u32: `which` says whether a was taken.
template <typename Pointer>
inline uint vibmin_u32(uint a, uint b, Pointer which) {
    *which = a <= b;
    return metal::min(a, b);
}
// __viaddmin_s16x2
inline uint viaddmin_s16x2(uint a, uint b, uint c) {
    return vmins2(vadd2(a, b), c);
}
// __vimin3_s16x2
inline uint vimin3_s16x2(uint a, uint b, uint c) {
    return vmins2(vmins2(a, b), c);
}
// __viaddmin_s16x2_relu
inline uint viaddmin_s16x2_relu(uint a, uint b, uint c) {
    return vmaxs2(viaddmin_s16x2(a, b, c), 0u);
}
// __vimin3_s16x2_relu
inline uint vimin3_s16x2_relu(uint a, uint b, uint c) {
    return vmaxs2(vimin3_s16x2(a, b, c), 0u);
}
// __vimin_s16x2_relu
inline uint vimin_s16x2_relu(uint a, uint b) {
    return vmaxs2(vmins2(a, b), 0u);
}
// __vibmin_s16x2: `high` and `low` say whether a's lane was taken.
template <typename Pointer>
inline uint vibmin_s16x2(uint a, uint b, Pointer high, Pointer low) {
    uint taken = vsetles2(a, b);
    *high = (taken & 0x10000u) != 0u;
    *low = (taken & 1u) != 0u;
    return vmins2(a, b);
}
// __viaddmin_u16x2
inline uint viaddmin_u16x2(uint a, uint b, uint c) {
    return vminu2(vadd2(a, b), c);
}
// __vimin3_u16x2
inline uint vimin3_u16x2(uint a, uint b, uint c) {
    return vminu2(vminu2(a, b), c);
}
// __vibmin_u16x2: `high` and `low` say whether a's lane was taken.
template <typename Pointer>
inline uint vibmin_u16x2(uint a, uint b, Pointer high, Pointer low) {
    uint taken = vsetleu2(a, b);
    *high = (taken & 0x10000u) != 0u;
    *low = (taken & 1u) != 0u;
    return vminu2(a, b);
}

}  // namespace cu
