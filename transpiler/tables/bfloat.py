"""`__nv_bfloat16` and `__nv_bfloat162`: Metal's bfloat and bfloat2 (from float explicitly only)."""

from cu2mlx.transpiler.tables.row import Builtin, double, row
from cu2mlx.transpiler.tables.sixteen import Format, rows

FORM = Format("__nv_bfloat16", "__nv_bfloat162", "bfloat", "bfloat2", "bfloat16", native_math=False)

ROWS: tuple[Builtin, ...] = (
    row("__nv_bfloat16 __float2bfloat16(float a)", "bfloat({0})"),
    row("__nv_bfloat16 __float2bfloat16_rn(float a)", "bfloat({0})"),
    *(
        row(f"__nv_bfloat16 __float2bfloat16_{mode}(float a)", f"cu::float2bfloat16_{mode}({{0}})")
        for mode in ("rz", "ru", "rd")
    ),
    double("__nv_bfloat16 __double2bfloat16(double a)", "bfloat({0})"),
    row("float __bfloat162float(__nv_bfloat16 a)", "float({0})"),
    row("__nv_bfloat162 __float2bfloat162_rn(float a)", "bfloat2(bfloat({0}))"),
    row("__nv_bfloat162 __floats2bfloat162_rn(float a, float b)", "bfloat2(bfloat({0}), bfloat({1}))"),
    row("__nv_bfloat162 __float22bfloat162_rn(float2 a)", "bfloat2({0})"),
    row("float2 __bfloat1622float2(__nv_bfloat162 a)", "float2({0})"),
    row("float __low2float(__nv_bfloat162 a)", "float({0}.x)"),
    row("float __high2float(__nv_bfloat162 a)", "float({0}.y)"),
    row("__nv_bfloat16 __low2bfloat16(__nv_bfloat162 a)", "{0}.x"),
    row("__nv_bfloat16 __high2bfloat16(__nv_bfloat162 a)", "{0}.y"),
    row("__nv_bfloat162 __low2bfloat162(__nv_bfloat162 a)", "bfloat2({0}.x)"),
    row("__nv_bfloat162 __high2bfloat162(__nv_bfloat162 a)", "bfloat2({0}.y)"),
    row("__nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a)", "bfloat2({0})"),
    row("__nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b)", "bfloat2({0}, {1})"),
    row("__nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b)", "bfloat2({0}.x, {1}.x)"),
    row("__nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b)", "bfloat2({0}.y, {1}.y)"),
    row("__nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 a)", "{0}.yx"),
    row("__nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y)", "bfloat2({0}, {1})"),
    row("short __bfloat16_as_short(__nv_bfloat16 h)", "as_type<short>({0})"),
    row("unsigned short __bfloat16_as_ushort(__nv_bfloat16 h)", "as_type<ushort>({0})"),
    row("__nv_bfloat16 __short_as_bfloat16(short i)", "as_type<bfloat>(short({0}))"),
    row("__nv_bfloat16 __ushort_as_bfloat16(unsigned short i)", "as_type<bfloat>(ushort({0}))"),
    row(
        "__nv_bfloat162 __hcmadd(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c)",
        "cu::hcmadd({0}, {1}, {2})",
        caveat="complex a*b+c",
    ),
    *rows(FORM),
)
