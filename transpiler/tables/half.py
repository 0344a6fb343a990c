"""`__half` and `__half2`: Metal's half and half2."""

from cu2mlx.transpiler.tables.row import Builtin, double, row
from cu2mlx.transpiler.tables.sixteen import Format, rows

FORM = Format("__half", "__half2", "half", "half2", "half", native_math=True)

ROWS: tuple[Builtin, ...] = (
    row("__half __float2half(float a)", "half({0})"),
    row("__half __float2half_rn(float a)", "half({0})"),
    *(
        row(f"__half __float2half_{mode}(float a)", f"cu::float2half_{mode}({{0}})")
        for mode in ("rz", "ru", "rd")
    ),
    double("__half __double2half(double a)", "half({0})"),
    row("float __half2float(__half a)", "float({0})"),
    row("__half2 __float2half2_rn(float a)", "half2(half({0}))"),
    row("__half2 __floats2half2_rn(float a, float b)", "half2(half({0}), half({1}))"),
    row("__half2 __float22half2_rn(float2 a)", "half2({0})"),
    row("float2 __half22float2(__half2 a)", "float2({0})"),
    row("float __low2float(__half2 a)", "float({0}.x)"),
    row("float __high2float(__half2 a)", "float({0}.y)"),
    row("__half __low2half(__half2 a)", "{0}.x"),
    row("__half __high2half(__half2 a)", "{0}.y"),
    row("__half2 __low2half2(__half2 a)", "half2({0}.x)"),
    row("__half2 __high2half2(__half2 a)", "half2({0}.y)"),
    row("__half2 __half2half2(__half a)", "half2({0})"),
    row("__half2 __halves2half2(__half a, __half b)", "half2({0}, {1})"),
    row("__half2 __lows2half2(__half2 a, __half2 b)", "half2({0}.x, {1}.x)"),
    row("__half2 __highs2half2(__half2 a, __half2 b)", "half2({0}.y, {1}.y)"),
    row("__half2 __lowhigh2highlow(__half2 a)", "{0}.yx"),
    row("__half2 make_half2(__half x, __half y)", "half2({0}, {1})"),
    row("short __half_as_short(__half h)", "as_type<short>({0})"),
    row("unsigned short __half_as_ushort(__half h)", "as_type<ushort>({0})"),
    row("__half __short_as_half(short i)", "as_type<half>(short({0}))"),
    row("__half __ushort_as_half(unsigned short i)", "as_type<half>(ushort({0}))"),
    row(
        "__half2 __hcmadd(__half2 a, __half2 b, __half2 c)",
        "cu::hcmadd({0}, {1}, {2})",
        caveat="complex a*b+c",
    ),
    *rows(FORM),
)
