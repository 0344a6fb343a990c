"""Integer functions and bit intrinsics. Arguments are cast where Metal picks the overload by type."""

from cu2mlx.transpiler.tables.row import Builtin, double, row

# The pairs for which CUDA defines min and max, with the type both operands take.
_PAIRS = (
    ("int", "int", "int", "int"),
    ("unsigned int", "unsigned int", "unsigned int", "uint"),
    ("int", "unsigned int", "unsigned int", "uint"),
    ("unsigned int", "int", "unsigned int", "uint"),
    ("long", "long", "long", "long"),
    ("unsigned long", "unsigned long", "unsigned long", "ulong"),
    ("long", "unsigned long", "unsigned long", "ulong"),
    ("unsigned long", "long", "unsigned long", "ulong"),
    ("long long", "long long", "long long", "long"),
    ("unsigned long long", "unsigned long long", "unsigned long long", "ulong"),
    ("long long", "unsigned long long", "unsigned long long", "ulong"),
    ("unsigned long long", "long long", "unsigned long long", "ulong"),
)


def _extremes(name: str) -> tuple[Builtin, ...]:
    """`min` or `max`: one row for each pair of integers, float, and the usual conversions for all others."""
    return (
        *(
            row(
                f"{result} {name}({left} a, {right} b)",
                f"{name}({{0}}, {{1}})" if left == right else f"{name}({msl}({{0}}), {msl}({{1}}))",
            )
            for left, right, result, msl in _PAIRS
        ),
        row(f"float {name}(float a, float b)", f"f{name}({{0}}, {{1}})"),
        *(
            double(f"double {name}({left} a, {right} b)", f"f{name}(float({{0}}), float({{1}}))")
            for left, right in (("double", "double"), ("float", "double"), ("double", "float"))
        ),
        row(
            f"T {name}(T a, U b)",
            f"cu::{name}({{0}}, {{1}})",
            caveat="operands take C++'s common type; Metal calls mixed ones ambiguous",
        ),
        row(f"unsigned int u{name}(unsigned int a, unsigned int b)", f"{name}(uint({{0}}), uint({{1}}))"),
        row(f"long long ll{name}(long long a, long long b)", f"{name}(long({{0}}), long({{1}}))"),
        row(
            f"unsigned long long ull{name}(unsigned long long a, unsigned long long b)",
            f"{name}(ulong({{0}}), ulong({{1}}))",
        ),
    )


ROWS: tuple[Builtin, ...] = (
    *_extremes("min"),
    *_extremes("max"),
    row("int abs(int x)", "abs({0})"),
    row("long abs(long x)", "abs({0})"),
    row("long long abs(long long x)", "abs({0})"),
    row("long labs(long x)", "abs(long({0}))"),
    row("long long llabs(long long x)", "abs(long({0}))"),
    row("unsigned int __brev(unsigned int x)", "reverse_bits(uint({0}))"),
    row("unsigned long long __brevll(unsigned long long x)", "cu::brevll({0})"),
    row(
        "unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int s)",
        "cu::byte_perm({0}, {1}, {2} & 0x7777u)",
        caveat="the sign bits of the selector are not used, as in CUDA (PTX prmt uses them)",
    ),
    row("int __clz(int x)", "clz(int({0}))", caveat="32 for 0"),
    row("int __clzll(long long x)", "cu::clzll({0})", caveat="64 for 0"),
    row("int __ffs(int x)", "cu::ffs({0})", caveat="1-based, 0 for 0"),
    row("int __ffsll(long long x)", "cu::ffsll({0})", caveat="1-based, 0 for 0"),
    row("unsigned int __fns(unsigned int mask, unsigned int base, int offset)", "cu::fns({0}, {1}, {2})"),
    row("int __popc(unsigned int x)", "popcount(int({0}))"),
    row("int __popcll(unsigned long long x)", "cu::popcll({0})"),
    row("int __hadd(int x, int y)", "hadd(int({0}), int({1}))"),
    row("int __rhadd(int x, int y)", "rhadd(int({0}), int({1}))"),
    row("unsigned int __uhadd(unsigned int x, unsigned int y)", "hadd(uint({0}), uint({1}))"),
    row("unsigned int __urhadd(unsigned int x, unsigned int y)", "rhadd(uint({0}), uint({1}))"),
    row("int __mul24(int x, int y)", "cu::mul24({0}, {1})", caveat="low 24 bits, as in CUDA"),
    row("unsigned int __umul24(unsigned int x, unsigned int y)", "cu::umul24({0}, {1})"),
    row("int __mulhi(int x, int y)", "mulhi(int({0}), int({1}))"),
    row("unsigned int __umulhi(unsigned int x, unsigned int y)", "mulhi(uint({0}), uint({1}))"),
    row("long long __mul64hi(long long x, long long y)", "cu::mul64hi({0}, {1})"),
    row(
        "unsigned long long __umul64hi(unsigned long long x, unsigned long long y)",
        "cu::umul64hi({0}, {1})",
    ),
    row("unsigned int __sad(int x, int y, unsigned int z)", "(absdiff(int({0}), int({1})) + {2})"),
    row(
        "unsigned int __usad(unsigned int x, unsigned int y, unsigned int z)",
        "(absdiff(uint({0}), uint({1})) + {2})",
    ),
    *(
        row(
            f"unsigned int __funnelshift_{direction}(unsigned int lo, unsigned int hi, unsigned int shift)",
            f"cu::funnelshift_{direction}({{0}}, {{1}}, {{2}})",
            caveat="shift clamped at 32" if direction.endswith("c") else "shift taken modulo 32",
        )
        for direction in ("l", "lc", "r", "rc")
    ),
    row("int __dp4a(int a, int b, int c)", "cu::dp4a({0}, {1}, {2})"),
    row("unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c)", "cu::dp4a({0}, {1}, {2})"),
    row("int __dp4a(char4 a, char4 b, int c)", "cu::dp4a({0}, {1}, {2})"),
    row("unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c)", "cu::dp4a({0}, {1}, {2})"),
    *(
        row(
            f"{result} __dp2a_{half}({left} a, {right} b, {result} c)",
            f"cu::dp2a_{half}({{0}}, {{1}}, {{2}})",
        )
        for half in ("lo", "hi")
        for result, left, right in (
            ("int", "int", "int"),
            ("unsigned int", "unsigned int", "unsigned int"),
            ("int", "short2", "char4"),
            ("unsigned int", "ushort2", "uchar4"),
        )
    ),
    row("unsigned short __nv_bswap16(unsigned short x)", "cu::bswap16({0})"),
    row("unsigned int __nv_bswap32(unsigned int x)", "cu::bswap32({0})"),
    row("unsigned long long __nv_bswap64(unsigned long long x)", "cu::bswap64({0})"),
)
