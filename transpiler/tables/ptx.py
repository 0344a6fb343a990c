"""PTX instructions that inline assembly may hold, and how Metal says them (NVIDIA's PTX ISA manual).

A row is written for an opcode without its types and its hints. What needs more than one expression (memory,
atomics, conversions, comparisons) is a form in rules/ptx_forms.py. What has neither is refused by its name.
"""

from typing import NamedTuple

TYPES = {
    "u8": "uchar", "u16": "ushort", "u32": "uint", "u64": "ulong",
    "s8": "char", "s16": "short", "s32": "int", "s64": "long",
    "b8": "uchar", "b16": "ushort", "b32": "uint", "b64": "ulong", "pred": "bool",
    "f16": "half", "f16x2": "half2", "bf16": "bfloat", "bf16x2": "bfloat2", "f32": "float",
}  # fmt: skip
WIDTHS = {
    "uchar": 8, "char": 8, "ushort": 16, "short": 16, "half": 16, "bfloat": 16, "uint": 32, "int": 32,
    "float": 32, "half2": 32, "bfloat2": 32, "ulong": 64, "long": 64, "bool": 1,
}  # fmt: skip
INTEGERS = frozenset({"uchar", "char", "ushort", "short", "uint", "int", "ulong", "long"})
UNSIGNED = {"char": "uchar", "short": "ushort", "int": "uint", "long": "ulong"}
WIDER = {"u16": "uint", "s16": "int", "u32": "ulong", "s32": "long"}

# Say how, not what: Metal has no such choice, and the result is the same.
HINTS = frozenset({
    "ftz", "approx", "full", "noftz", "uni", "sync", "aligned", "weak", "generic",
    "ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc", "L1::no_allocate", "L1::evict_normal", "L1::evict_first",
    "L1::evict_last", "L1::evict_unchanged", "L2::64B", "L2::128B", "L2::256B", "relaxed", "gpu", "cta",
})  # fmt: skip

_I32, _I64, _I16 = frozenset({"u32", "s32"}), frozenset({"u64", "s64"}), frozenset({"u16", "s16"})
_BITS = frozenset({"b16", "b32", "b64", "pred"})
_HALVES = frozenset({"f16", "f16x2"})
_BFLOATS = frozenset({"bf16", "bf16x2"})
_INTEGERS = _I16 | _I32 | _I64
_ARITHMETIC = _INTEGERS | {"f32"} | _HALVES | _BFLOATS
_F32, _B32 = frozenset({"f32"}), frozenset({"b32"})


class Row(NamedTuple):
    """One operation. `spelling` is over the sources `{0}` `{1}` …, `types` those of the instruction that it
    is right for. `sources` and `result` are Metal types where they are not the instruction's own.
    """

    spelling: str
    types: frozenset[str]
    sources: tuple[str | None, ...] = ()
    result: str | None = None


_U = "uint"
ROWS: dict[str, tuple[Row, ...]] = {
    "add": (Row("{0} + {1}", _ARITHMETIC),), "sub": (Row("{0} - {1}", _ARITHMETIC),),
    "mul": (Row("{0} * {1}", frozenset({"f32"}) | _HALVES | _BFLOATS),),
    "add.rn": (Row("cu::fadd_rn({0}, {1})", _F32), Row("{0} + {1}", _HALVES | _BFLOATS)),
    "sub.rn": (Row("cu::fsub_rn({0}, {1})", _F32), Row("{0} - {1}", _HALVES | _BFLOATS)),
    "mul.rn": (Row("cu::fmul_rn({0}, {1})", _F32), Row("{0} * {1}", _HALVES | _BFLOATS)),
    "add.sat": (Row("cu::saturatef({0} + {1})", _F32),), "mul.sat": (Row("cu::saturatef({0} * {1})", _F32),),
    "mul.lo": (Row("{0} * {1}", _INTEGERS),), "mad.lo": (Row("{0} * {1} + {2}", _INTEGERS),),
    "mul.hi": (Row("mulhi({0}, {1})", _I32 | _I64),),
    "mad.hi": (Row("mulhi({0}, {1}) + {2}", frozenset({"u32"})),),
    "mul24.lo": (Row("cu::umul24({0}, {1})", frozenset({"u32"})),),
    "div": (Row("{0} / {1}", _INTEGERS | _F32),), "div.rn": (Row("{0} / {1}", _F32),),
    "rem": (Row("{0} % {1}", _INTEGERS),),
    "fma.rn": (Row("fma({0}, {1}, {2})", _F32 | _HALVES), Row("cu::hfma({0}, {1}, {2})", frozenset({"bf16"})),
               Row("cu::hfma2({0}, {1}, {2})", frozenset({"bf16x2"}))),
    "fma.rn.sat": (Row("cu::saturatef(fma({0}, {1}, {2}))", _F32),),
    "min": (Row("min({0}, {1})", _INTEGERS), Row("fmin({0}, {1})", _F32 | _HALVES),
            Row("cu::hmin2({0}, {1})", frozenset({"bf16x2"})), Row("cu::hmin({0}, {1})", frozenset({"bf16"}))),
    "max": (Row("max({0}, {1})", _INTEGERS), Row("fmax({0}, {1})", _F32 | _HALVES),
            Row("cu::hmax2({0}, {1})", frozenset({"bf16x2"})), Row("cu::hmax({0}, {1})", frozenset({"bf16"}))),
    "abs": (Row("abs({0})", frozenset({"s32"})), Row("fabs({0})", _F32 | _HALVES)),
    "neg": (Row("0u - {0}", frozenset({"s32"}), ("uint",), "uint"), Row("-{0}", _F32 | _HALVES | _BFLOATS)),
    "and": (Row("{0} & {1}", _BITS),), "or": (Row("{0} | {1}", _BITS),), "xor": (Row("{0} ^ {1}", _BITS),),
    "not": (Row("!{0}", frozenset({"pred"})), Row("~{0}", _BITS)),
    "shl": (Row("cu::shl({0}, {1})", _B32 | {"b64"}, (None, _U)),),
    "shr": (Row("cu::shr({0}, {1})", _B32 | _I32 | _I64 | {"b64"}, (None, _U)),),
    "shf.l.wrap": (Row("cu::funnelshift_l({0}, {1}, {2})", _B32),),
    "shf.r.wrap": (Row("cu::funnelshift_r({0}, {1}, {2})", _B32),),
    "shf.l.clamp": (Row("cu::funnelshift_lc({0}, {1}, {2})", _B32),),
    "shf.r.clamp": (Row("cu::funnelshift_rc({0}, {1}, {2})", _B32),),
    "lop3": (Row("cu::lop3({0}, {1}, {2}, {3})", _B32),), "prmt": (Row("cu::byte_perm({0}, {1}, {2})", _B32),),
    "bfe": (Row("cu::bfe({0}, {1}, {2})", _I32, (None, _U, _U)),),
    "bfi": (Row("cu::bfi({0}, {1}, {2}, {3})", _B32),),
    "brev": (Row("reverse_bits({0})", _B32 | {"b64"}),),
    "popc": (Row("popcount({0})", _B32 | {"b64"}, (), "uint"),),
    "clz": (Row("clz({0})", _B32 | {"b64"}, (), "uint"),), "bfind": (Row("cu::bfind({0})", _I32, (), "uint"),),
    "sad": (Row("cu::sad({0}, {1}, {2})", frozenset({"s32"}), (None, None, _U), "uint"),
            Row("cu::usad({0}, {1}, {2})", frozenset({"u32"}))),
    "selp": (Row("{2} ? {0} : {1}", _BITS - {"pred"} | _INTEGERS | _F32, (None, None, "bool")),),
    "ex2": (Row("precise::exp2({0})", _F32),), "lg2": (Row("precise::log2({0})", _F32),),
    "sin": (Row("precise::sin({0})", _F32),), "cos": (Row("precise::cos({0})", _F32),),
    "tanh": (Row("precise::tanh({0})", _F32),), "rcp": (Row("1.0f / {0}", _F32),),
    "rcp.rn": (Row("1.0f / {0}", _F32),), "rsqrt": (Row("precise::rsqrt({0})", _F32),),
    "sqrt": (Row("precise::sqrt({0})", _F32),), "sqrt.rn": (Row("precise::sqrt({0})", _F32),),
    "copysign": (Row("copysign({1}, {0})", _F32),),
    "activemask": (Row("cu::activemask()", _B32),),
    "vote.ballot": (Row("cu::ballot_sync({1}, {0})", _B32, ("bool", _U)),),
    "vote.any": (Row("cu::any_sync({1}, {0})", frozenset({"pred"}), ("bool", _U)),),
    "vote.all": (Row("cu::all_sync({1}, {0})", frozenset({"pred"}), ("bool", _U)),),
    "match.any": (Row("cu::match_any_sync({1}, {0})", _B32 | {"b64"}, (None, _U), "uint"),),
    **{f"redux.{name}": (Row(f"cu::reduce_{name}_sync({{1}}, {{0}})", _I32 | _B32, (None, _U)),)
       for name in ("add", "min", "max", "and", "or", "xor")},
}  # fmt: skip

# Overflow of signed integers wraps in PTX: computed unsigned, where C++ defines it.
WRAPPING = frozenset({"add", "sub", "mul.lo", "mad.lo"})

COMPARISONS = {
    "eq": "{a} == {b}", "ne": "{a} != {b}", "lt": "{a} < {b}", "le": "{a} <= {b}", "gt": "{a} > {b}",
    "ge": "{a} >= {b}", "lo": "{a} < {b}", "ls": "{a} <= {b}", "hi": "{a} > {b}", "hs": "{a} >= {b}",
}  # fmt: skip
FLOAT_COMPARISONS = COMPARISONS | {
    "ne": "{a} < {b} || {a} > {b}", "neu": "{a} != {b}", "equ": "!({a} < {b} || {a} > {b})",
    "ltu": "!({a} >= {b})", "leu": "!({a} > {b})", "gtu": "!({a} <= {b})", "geu": "!({a} < {b})",
    "num": "{a} == {a} && {b} == {b}", "nan": "{a} != {a} || {b} != {b}",
}  # fmt: skip
LOGIC = {"and": "&&", "or": "||", "xor": "!="}

# Special register → spelling over the index values of index.HANDED.
SPECIAL = {
    "%laneid": "{lane}", "%warpid": "{simdgroup}", "%WARP_SZ": "32u", "WARP_SZ": "32u",
    "%lanemask_eq": "1u << {lane}", "%lanemask_lt": "(1u << {lane}) - 1u",
    "%lanemask_le": "(2u << {lane}) - 1u", "%lanemask_gt": "~((2u << {lane}) - 1u)",
    "%lanemask_ge": "~((1u << {lane}) - 1u)",
    **{f"%{ptx}.{axis}": f"{{{index}}}.{axis}" for axis in "xyz" for ptx, index in
       (("tid", "thread"), ("ctaid", "group"), ("ntid", "block"), ("nctaid", "grid"))},
}  # fmt: skip

# cvt's rounding of floats to integers → suffix of cu::float2int_…
TO_INTEGER = {"rni": "rn", "rzi": "rz", "rpi": "ru", "rmi": "rd"}
TO_WHOLE = {"rni": "rint", "rzi": "trunc", "rpi": "ceil", "rmi": "floor"}
FROM_INTEGER = {"rn": "rn", "rz": "rz", "rp": "ru", "rm": "rd"}
INTEGER_NAMES = {"int": "int", "uint": "uint", "long": "ll", "ulong": "ull"}

# PTX's atomic operation → the types Metal's support library has it for.
ATOMICS = {
    "add": frozenset({"u32", "s32", "f32", "f16", "f16x2", "bf16", "bf16x2"}),
    "min": frozenset({"u32", "s32"}), "max": frozenset({"u32", "s32"}),
    "and": frozenset({"b32"}), "or": frozenset({"b32"}), "xor": frozenset({"b32"}),
    "exch": frozenset({"b32"}), "cas": frozenset({"b32"}), "inc": frozenset({"u32"}), "dec": frozenset({"u32"}),
}  # fmt: skip

# First word of an opcode → the diagnostic that says why Metal cannot; longest match first.
REFUSED = {
    "mma": "CU3501", "wmma": "CU3501", "wgmma": "CU3501", "ldmatrix": "CU3501", "stmatrix": "CU3501",
    "movmatrix": "CU3501", "tcgen05": "CU3501", "mbarrier": "CU3207", "cp.async.bulk": "CU3207",
    "cp.async.mbarrier": "CU3207", "cp.reduce": "CU3207", "nanosleep": "CU3206",
    "barrier.cluster": "CU3202", "mapa": "CU3202", "tex": "CU3303", "tld4": "CU3303", "sust": "CU3304",
    "suld": "CU3304",
}  # fmt: skip

# They change no value: dropped, with a note. The waits are for launches that overlap; MLX's do not.
DROPPED = (
    "prefetch", "prefetchu", "griddepcontrol.wait", "griddepcontrol.launch_dependents",
    "discard", "applypriority",
)  # fmt: skip
