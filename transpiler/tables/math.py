"""Single-precision math: the CUDA math API's float functions, their C++ overloads, and their double twins.

Accuracy is what Metal promises (MSL 4, table 8.1; a bound in ulp) for its own functions; for those of the
support library it is measured (accuracy.py).
"""

from cu2mlx.transpiler.tables.row import MEASURED, Builtin, double, row

EXACT = "exact"
ROUNDED = "correctly rounded"

# base name, parameters (R stands for float or double), spelling, accuracy. Each gives three rows: `namef`,
# the float overload of `name`, and `name` of double.
_OVERLOADED = (
    ("acos", "R x", "precise::acos({0})", "4 ulp"),
    ("acosh", "R x", "precise::acosh({0})", "4 ulp"),
    ("asin", "R x", "precise::asin({0})", "4 ulp"),
    ("asinh", "R x", "precise::asinh({0})", "4 ulp"),
    ("atan", "R x", "precise::atan({0})", "5 ulp"),
    ("atan2", "R y, R x", "precise::atan2({0}, {1})", "6 ulp"),
    ("atanh", "R x", "precise::atanh({0})", "5 ulp"),
    ("cbrt", "R x", "cu::cbrt({0})", MEASURED),
    ("ceil", "R x", "ceil({0})", EXACT),
    ("copysign", "R x, R y", "copysign({0}, {1})", EXACT),
    ("cos", "R x", "precise::cos({0})", "4 ulp"),
    ("cosh", "R x", "precise::cosh({0})", "4 ulp"),
    ("cospi", "R x", "cu::cospi({0})", MEASURED),
    ("cyl_bessel_i0", "R x", "cu::cyl_bessel_i0({0})", MEASURED),
    ("cyl_bessel_i1", "R x", "cu::cyl_bessel_i1({0})", MEASURED),
    ("erf", "R x", "cu::erf({0})", MEASURED),
    ("erfc", "R x", "cu::erfc({0})", MEASURED),
    ("erfcinv", "R x", "cu::erfcinv({0})", MEASURED),
    ("erfcx", "R x", "cu::erfcx({0})", MEASURED),
    ("erfinv", "R x", "cu::erfinv({0})", MEASURED),
    ("exp", "R x", "precise::exp({0})", "4 ulp"),
    ("exp10", "R x", "cu::exp10({0})", MEASURED),
    ("exp2", "R x", "precise::exp2({0})", "4 ulp"),
    ("expm1", "R x", "cu::expm1({0})", MEASURED),
    ("fabs", "R x", "fabs({0})", EXACT),
    ("fdim", "R x, R y", "cu::fdim({0}, {1})", ROUNDED),
    ("floor", "R x", "floor({0})", EXACT),
    ("fma", "R x, R y, R z", "fma({0}, {1}, {2})", ROUNDED),
    ("fmax", "R x, R y", "fmax({0}, {1})", EXACT),
    ("fmin", "R x, R y", "fmin({0}, {1})", EXACT),
    ("fmod", "R x, R y", "precise::fmod({0}, {1})", EXACT),
    ("frexp", "R x, int *exponent", "cu::frexp({0}, {1})", EXACT),
    ("hypot", "R x, R y", "cu::hypot({0}, {1})", MEASURED),
    ("j0", "R x", "cu::j0({0})", MEASURED),
    ("j1", "R x", "cu::j1({0})", MEASURED),
    ("jn", "int n, R x", "cu::jn({0}, {1})", MEASURED),
    ("ldexp", "R x, int exponent", "cu::ldexp({0}, {1})", ROUNDED),
    ("lgamma", "R x", "cu::lgamma({0})", MEASURED),
    ("log", "R x", "precise::log({0})", "4 ulp"),
    ("log10", "R x", "precise::log10({0})", "4 ulp"),
    ("log1p", "R x", "cu::log1p({0})", MEASURED),
    ("log2", "R x", "precise::log2({0})", "4 ulp"),
    ("logb", "R x", "cu::logb({0})", EXACT),
    ("modf", "R x, R *integral", "cu::modf({0}, {1})", EXACT),
    ("nearbyint", "R x", "rint({0})", EXACT),
    ("nextafter", "R x, R y", "cu::nextafter({0}, {1})", EXACT),
    ("normcdf", "R x", "cu::normcdf({0})", MEASURED),
    ("normcdfinv", "R x", "cu::normcdfinv({0})", MEASURED),
    ("pow", "R x, R y", "precise::pow({0}, {1})", "16 ulp"),
    ("rcbrt", "R x", "cu::rcbrt({0})", MEASURED),
    ("remainder", "R x, R y", "cu::remainder({0}, {1})", EXACT),
    ("remquo", "R x, R y, int *quotient", "cu::remquo({0}, {1}, {2})", EXACT),
    ("rint", "R x", "rint({0})", EXACT),
    ("round", "R x", "round({0})", EXACT),
    ("rsqrt", "R x", "precise::rsqrt({0})", ROUNDED),
    ("scalbln", "R x, long n", "cu::scalbln({0}, {1})", ROUNDED),
    ("scalbn", "R x, int n", "cu::scalbn({0}, {1})", ROUNDED),
    ("sin", "R x", "precise::sin({0})", "4 ulp"),
    ("sinh", "R x", "precise::sinh({0})", "4 ulp"),
    ("sinpi", "R x", "cu::sinpi({0})", MEASURED),
    ("sqrt", "R x", "precise::sqrt({0})", ROUNDED),
    ("tan", "R x", "precise::tan({0})", "6 ulp"),
    ("tanh", "R x", "precise::tanh({0})", "5 ulp"),
    ("tgamma", "R x", "cu::tgamma({0})", MEASURED),
    ("trunc", "R x", "trunc({0})", EXACT),
    ("y0", "R x", "cu::y0({0})", MEASURED),
    ("y1", "R x", "cu::y1({0})", MEASURED),
    ("yn", "int n, R x", "cu::yn({0}, {1})", MEASURED),
)

# These have no float overload of the plain name: `norm3d(float, …)` does not exist.
_SUFFIXED = (
    ("norm3d", "R a, R b, R c", "cu::norm3d({0}, {1}, {2})"),
    ("norm4d", "R a, R b, R c, R d", "cu::norm4d({0}, {1}, {2}, {3})"),
    ("norm", "int n, const R *p", "cu::norm({0}, {1})"),
    ("rhypot", "R x, R y", "cu::rhypot({0}, {1})"),
    ("rnorm3d", "R a, R b, R c", "cu::rnorm3d({0}, {1}, {2})"),
    ("rnorm4d", "R a, R b, R c, R d", "cu::rnorm4d({0}, {1}, {2}, {3})"),
    ("rnorm", "int n, const R *p", "cu::rnorm({0}, {1})"),
)

_UNMEASURED = ("norm", "rnorm")

# base name, result, parameters, spelling: functions whose result is not the argument's type.
_TO_INTEGER = (
    ("ilogb", "int", "cu::ilogb({0})"),
    ("lrint", "long", "cu::float2ll_rn({0})"),
    ("llrint", "long long", "cu::float2ll_rn({0})"),
    ("lround", "long", "cu::float2ll_rz(round({0}))"),
    ("llround", "long long", "cu::float2ll_rz(round({0}))"),
)

_PREDICATES = ("isfinite", "isinf", "isnan", "signbit")

# What the C library's macros call: __isnanf and its kin.
_GLIBC = {"isnan": "isnan", "isinf": "isinf", "finite": "isfinite", "signbit": "signbit"}

_SINCOS = (("sincos", "4 ulp"), ("sincospi", MEASURED))

_INTRINSICS = (
    row("float __cosf(float x)", "fast::cos({0})", "fast", caveat="accurate for |x| ≤ π"),
    row("float __exp10f(float x)", "fast::exp10({0})", "fast"),
    row("float __expf(float x)", "fast::exp({0})", "fast"),
    row("float __fdividef(float x, float y)", "fast::divide({0}, {1})", "fast"),
    row("float __log10f(float x)", "fast::log10({0})", "fast"),
    row("float __log2f(float x)", "fast::log2({0})", "fast"),
    row("float __logf(float x)", "fast::log({0})", "fast"),
    row("float __powf(float x, float y)", "fast::pow({0}, {1})", "fast"),
    row("float __saturatef(float x)", "cu::saturatef({0})", EXACT, caveat="NaN becomes 0, as in CUDA"),
    row("void __sincosf(float x, float *s, float *c)", "cu::fast_sincos({0}, {1}, {2})", "fast"),
    row("float __sinf(float x)", "fast::sin({0})", "fast", caveat="accurate for |x| ≤ π"),
    row("float __tanf(float x)", "fast::tan({0})", "fast"),
    row(
        "float __tanhf(float x)",
        "precise::tanh({0})",
        "5 ulp",
        caveat="Metal's fast::tanh overflows from 43 on",
    ),
    row("float fdividef(float x, float y)", "precise::divide({0}, {1})", ROUNDED),
    double("double fdivide(double x, double y)", "precise::divide({0}, {1})"),
    row("float nanf(const char *tag)", "NAN", EXACT, caveat="the payload is dropped"),
    double("double nan(const char *tag)", "NAN"),
    row("float pow(float x, int n)", "cu::powi({0}, {1})", MEASURED),
    double("double powi(double x, int n)", "cu::powi({0}, {1})"),
    row("float abs(float x)", "fabs({0})", EXACT),
    double("double abs(double x)", "fabs({0})"),
)

# Metal may contract a * b + c unless told not to; the support library's functions of these names do not.
_NEAREST = (
    row("float __fadd_rn(float x, float y)", "cu::fadd_rn({0}, {1})", ROUNDED, caveat="never contracted"),
    row("float __fsub_rn(float x, float y)", "cu::fsub_rn({0}, {1})", ROUNDED, caveat="never contracted"),
    row("float __fmul_rn(float x, float y)", "cu::fmul_rn({0}, {1})", ROUNDED, caveat="never contracted"),
    row("float __fmaf_rn(float x, float y, float z)", "fma({0}, {1}, {2})", ROUNDED),
    row("float __fmaf_ieee_rn(float x, float y, float z)", "fma({0}, {1}, {2})", ROUNDED),
    row("float __fdiv_rn(float x, float y)", "precise::divide({0}, {1})", ROUNDED),
    row("float __frcp_rn(float x)", "precise::divide(1.0f, {0})", ROUNDED),
    row("float __fsqrt_rn(float x)", "precise::sqrt({0})", ROUNDED),
    row("float __frsqrt_rn(float x)", "precise::rsqrt({0})", ROUNDED),
)

_DIRECTED = (
    ("fadd", "float x, float y", "{0}, {1}"),
    ("fsub", "float x, float y", "{0}, {1}"),
    ("fmul", "float x, float y", "{0}, {1}"),
    ("fmaf", "float x, float y, float z", "{0}, {1}, {2}"),
    ("fdiv", "float x, float y", "{0}, {1}"),
    ("frcp", "float x", "{0}"),
    ("fsqrt", "float x", "{0}"),
)
_MODES = ("rd", "ru", "rz")

# name, number of operands, float form under --double=float
_DOUBLE_ARITHMETIC = (
    ("dadd", 2, "cu::fadd_rn({0}, {1})"),
    ("dsub", 2, "cu::fsub_rn({0}, {1})"),
    ("dmul", 2, "cu::fmul_rn({0}, {1})"),
    ("ddiv", 2, "precise::divide({0}, {1})"),
    ("drcp", 1, "precise::divide(1.0f, {0})"),
    ("dsqrt", 1, "precise::sqrt({0})"),
    ("fma", 3, "fma({0}, {1}, {2})"),
)


def _triple(result: str, name: str, parameters: str, spelling: str, accuracy: str) -> tuple[Builtin, ...]:
    """`namef(float)`, `name(float)`, `name(double)`."""
    in_float, in_double = parameters.replace("R ", "float "), parameters.replace("R ", "double ")
    return (
        row(f"{result.replace('R', 'float')} {name}f({in_float})", spelling, accuracy),
        row(f"{result.replace('R', 'float')} {name}({in_float})", spelling, accuracy),
        double(f"{result.replace('R', 'double')} {name}({in_double})", spelling),
    )


ROWS: tuple[Builtin, ...] = (
    *(r for name, parameters, how, ulp in _OVERLOADED for r in _triple("R", name, parameters, how, ulp)),
    *(r for name, result, how in _TO_INTEGER for r in _triple(result, name, "R x", how, EXACT)),
    *(
        r
        for name, ulp in _SINCOS
        for r in _triple("void", name, "R x, R *s, R *c", f"cu::{name}({{0}}, {{1}}, {{2}})", ulp)
    ),
    *(
        r
        for name, parameters, how in _SUFFIXED
        for r in _triple("R", name, parameters, how, "" if name in _UNMEASURED else MEASURED)
        if r.name.endswith("f") or r.double_only
    ),
    *(row(f"bool {name}(float x)", f"{name}({{0}})", EXACT) for name in _PREDICATES),
    *(double(f"bool {name}(double x)", f"{name}({{0}})") for name in _PREDICATES),
    *(row(f"int __{name}f(float x)", f"{metal}({{0}})", EXACT) for name, metal in _GLIBC.items()),
    *_INTRINSICS,
    *_NEAREST,
    *(
        row(
            f"float __fmaf_ieee_{mode}(float x, float y, float z)",
            f"cu::fmaf_{mode}({{0}}, {{1}}, {{2}})",
            ROUNDED,
        )
        for mode in _MODES
    ),
    *(
        row(f"float __{name}_{mode}({parameters})", f"cu::{name}_{mode}({arguments})", ROUNDED)
        for name, parameters, arguments in _DIRECTED
        for mode in _MODES
    ),
    *(
        double(
            f"double __{name}_{mode}({', '.join(f'double {operand}' for operand in 'xyz'[:arity])})",
            narrowed if mode == "rn" else None,
        )
        for name, arity, narrowed in _DOUBLE_ARITHMETIC
        for mode in ("rn", *_MODES)
    ),
)
