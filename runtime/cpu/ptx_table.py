"""What PTX instructions mean, as C++ on Registers: one row per operation (ptx_forms.py writes statements).

In an expression row, a, b, c are the source operands as the instruction's type T (D for the destination's).
The reference is NVIDIA's PTX ISA manual. Modifiers that only hint (cache, scope, alignment) are dropped.
"""

TYPES = {
    "u8": "uint8_t", "u16": "uint16_t", "u32": "uint32_t", "u64": "uint64_t",
    "s8": "int8_t", "s16": "int16_t", "s32": "int32_t", "s64": "int64_t",
    "b8": "uint8_t", "b16": "uint16_t", "b32": "uint32_t", "b64": "uint64_t", "pred": "bool",
    "f16": "__half", "f16x2": "__half2", "bf16": "__nv_bfloat16", "bf16x2": "__nv_bfloat162",
    "f32": "float", "f64": "double",
}  # fmt: skip

HINTS = frozenset({
    "volatile", "relaxed", "acquire", "release", "acq_rel", "sc", "weak", "gpu", "sys", "cta", "cluster",
    "ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc", "uni", "sync", "aligned", "approx", "full", "noftz", "ftz",
    "L1", "L2",
})  # fmt: skip

# opcode without types and hints -> expression of the result.
EXPRESSIONS: dict[str, str] = {
    "add": "a + b", "sub": "a - b", "mul": "a * b", "mul.lo": "a * b", "mul.rn": "a * b",
    "add.rn": "a + b", "sub.rn": "a - b", "div.rn": "a / b", "div": "a / b", "rem": "a % b",
    "mul.hi": "mul_hi(a, b)", "mad.lo": "a * b + c", "mad.hi": "mul_hi(a, b) + c",
    "mul24.lo": "mul24(a, b)", "mad24.lo": "mul24(a, b) + c",
    "fma.rn": "fused(a, b, c)", "mad": "fused(a, b, c)", "mad.rn": "fused(a, b, c)",
    "fma.rn.relu": "ptx::relu(fused(a, b, c))",
    "add.sat": "saturated_sum(a, b)", "sub.sat": "saturated_sum(a, -b)", "mul.sat": "unit_clamp(a * b)",
    "fma.rn.sat": "unit_clamp(fused(a, b, c))",
    "min": "ptx::least(a, b)", "max": "ptx::greatest(a, b)", "abs": "magnitude(a)", "neg": "-a",
    "and": "a & b", "or": "a | b", "xor": "a ^ b", "not": "not_of(a)", "cnot": "a == 0",
    "popc": "popcount(a)", "clz": "leading_zeros(a)", "brev": "reversed(a)", "bfind": "highest_bit(a)",
    "ex2": "exp2_of(a)", "lg2": "std::log2(a)", "sin": "std::sin(a)", "cos": "std::cos(a)",
    "tanh": "tanh_of(a)",
    "rcp": "1 / a", "rcp.rn": "1 / a", "rsqrt": "rsqrt(a)", "sqrt": "std::sqrt(a)", "sqrt.rn": "std::sqrt(a)",
    "copysign": "std::copysign(b, a)", "sad": "(a > b ? a - b : b - a) + c",
}  # fmt: skip

# opcode -> function of ptx.h over the sources as Registers; {T} is the instruction's type.
FUNCTIONS: dict[str, str] = {
    "lop3": "lop3", "prmt": "prmt", "bfe": "bfe<{T}>", "bfi": "bfi<{T}>", "shl": "shl<{T}>",
    "shr": "shr<{T}>", "shf.l.wrap": "shf_l_wrap", "shf.r.wrap": "shf_r_wrap", "shf.l.clamp": "shf_l_clamp",
    "shf.r.clamp": "shf_r_clamp", "mov": "same", "cvta": "same", "cvta.global": "same", "cvta.local": "same",
    "cvta.to.global": "same", "cvta.to.local": "same", "cvta.const": "same", "cvta.to.const": "same",
    "cvta.to.shared": "to_shared", "cvta.shared": "from_shared", "selp": "selp", "activemask": "activemask",
    "vote.ballot": "vote_ballot", "vote.any": "vote_any", "vote.all": "vote_all", "vote.uni": "vote_uni",
    "match.any": "match_any<{T}>", "redux.add": "redux<{T}, Plus>", "redux.min": "redux<{T}, Least>",
    "redux.max": "redux<{T}, Greatest>", "redux.and": "redux<{T}, BitAnd>", "redux.or": "redux<{T}, BitOr>",
    "redux.xor": "redux<{T}, BitXor>", "dp4a": "dp4a<{T}, {S}>",
}  # fmt: skip

# opcode -> statement without a result.
ACTIONS: dict[str, str] = {
    "bar": "__syncthreads();", "barrier": "__syncthreads();", "barrier.cta": "__syncthreads();",
    "bar.warp": "__syncwarp({0}.as<unsigned>());", "membar": "__threadfence();",
    "membar.gl": "__threadfence();",
    "fence": "__threadfence();", "fence.proxy.async": "__threadfence();", "nanosleep": "__nanosleep(0);",
    "trap": "__trap();", "cp.async.commit_group": ";", "cp.async.wait_group": ";", "cp.async.wait_all": ";",
    "prefetch.global": ";", "prefetch.local": ";", "prefetch": ";", "prefetchu": ";",
    "griddepcontrol.wait": ";",
    "griddepcontrol.launch_dependents": ";", "discard.global": ";", "brkpt": ";",
}  # fmt: skip

COMPARISONS = {
    "eq": "a == b", "ne": "a < b || a > b", "lt": "a < b", "le": "a <= b", "gt": "a > b", "ge": "a >= b",
    "lo": "a < b", "ls": "a <= b", "hi": "a > b", "hs": "a >= b",
    "equ": "!(a < b || a > b)", "neu": "a != b", "ltu": "!(a >= b)", "leu": "!(a > b)", "gtu": "!(a <= b)",
    "geu": "!(a < b)", "num": "a == a && b == b", "nan": "a != a || b != b",
}  # fmt: skip

ATOMICS = {
    "add": "old + b", "min": "ptx::least(old, b)", "max": "ptx::greatest(old, b)", "and": "old & b",
    "or": "old | b",
    "xor": "old ^ b", "exch": "b", "inc": "old >= b ? 0 : old + 1",
    "dec": "old == 0 || old > b ? b : old - 1",
    "cas": "old == b ? c : old",
}  # fmt: skip

SPECIAL = {
    "%laneid": "engine::lane()", "%warpid": "engine::simdgroup()",
    "%nwarpid": "(engine::group_threads() + 31) / 32",
    "%smid": "0", "%nsmid": "1", "%clock": "uint32_t(tick())", "%clock64": "tick()", "%globaltimer": "tick()",
    "%lanemask_eq": "1u << engine::lane()", "%lanemask_lt": "(1u << engine::lane()) - 1u",
    "%lanemask_le": "(2u << engine::lane()) - 1u", "%lanemask_gt": "~((2u << engine::lane()) - 1u)",
    "%lanemask_ge": "~((1u << engine::lane()) - 1u)",
    **{f"%{ptx}.{axis}": f"engine::{call}().{axis}" for axis in "xyz" for ptx, call in
       [("tid", "thread_index"), ("ctaid", "block_index"), ("ntid", "block_dim"), ("nctaid", "grid_dim")]},
    "%WARP_SZ": "32", "WARP_SZ": "32",
}  # fmt: skip

# The result's bits do not depend on the sign: computed unsigned, where C++ defines overflow.
WRAPPING = frozenset({"add", "sub", "mul.lo", "mad.lo", "neg"})

ROUNDINGS = {
    "rn": "nearest_even", "rz": "zero", "rm": "down", "rp": "up",
    "rni": "nearest_even", "rzi": "zero", "rmi": "down", "rpi": "up", "rna": "nearest_even",
}  # fmt: skip
