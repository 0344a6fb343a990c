"""What `__half` and `__nv_bfloat16` have in common: cuda_fp16.h and cuda_bf16.h mirror each other.

Metal's half has the whole math library; its bfloat has arithmetic, comparison and conversion only, so the
functions of bfloat go through float or the support library.
"""

from typing import NamedTuple

from cu2mlx.transpiler.tables.row import Builtin, row


class Format(NamedTuple):
    """One 16-bit format: CUDA's and MSL's type names, the part of CUDA's function names that says it."""

    cuda: str  # __half
    cuda2: str  # __half2
    msl: str  # half
    msl2: str  # half2
    infix: str  # "half" in __half2int_rn
    native_math: bool  # whether Metal's math functions take it

    def types(self, lanes: int) -> tuple[str, str, str]:
        """CUDA type, MSL type and MSL float type of one or two lanes."""
        return (self.cuda, self.msl, "float") if lanes == 1 else (self.cuda2, self.msl2, "float2")


_OPERATORS = (("add", "+"), ("sub", "-"), ("mul", "*"))
_ORDERED = (("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">="))
_OPPOSITE = {"lt": ">=", "le": ">", "gt": "<=", "ge": "<"}
_TRUE_FUNCTIONS = ("cos", "exp", "exp10", "exp2", "log", "log10", "log2", "rsqrt", "sin", "sqrt", "tanh")
_ROUNDINGS = ("ceil", "floor", "rint", "trunc")
_INTEGERS = {
    "short": "short",
    "ushort": "unsigned short",
    "int": "int",
    "uint": "unsigned int",
    "ll": "long long",
    "ull": "unsigned long long",
}
_MODES = ("rn", "rz", "ru", "rd")


def rows(form: Format) -> tuple[Builtin, ...]:
    """All functions that both headers have, for one format."""
    return (
        *(r for lanes in (1, 2) for r in _arithmetic(form, lanes)),
        *(r for lanes in (1, 2) for r in _math(form, lanes)),
        *(r for lanes in (1, 2) for r in _comparisons(form, lanes)),
        *_pair_predicates(form),
        *_integer_conversions(form),
    )


def _arithmetic(form: Format, lanes: int) -> tuple[Builtin, ...]:
    cuda, _, _ = form.types(lanes)
    suffix = "2" if lanes == 2 else ""
    one, two = f"({cuda} a)", f"({cuda} a, {cuda} b)"
    three = f"({cuda} a, {cuda} b, {cuda} c)"
    division = "__h2div" if lanes == 2 else "__hdiv"

    def native(function: str, operands: str) -> str:
        return (
            f"{function}({operands})"
            if form.native_math
            else f"cu::h{function.lstrip('f')}{suffix}({operands})"
        )

    return (
        *(row(f"{cuda} __h{name}{suffix}{two}", f"({{0}} {sign} {{1}})") for name, sign in _OPERATORS),
        *(
            row(
                f"{cuda} __h{name}{suffix}_rn{two}",
                f"cu::h{name}{suffix}_rn({{0}}, {{1}})",
                caveat="never contracted",
            )
            for name, _ in _OPERATORS
        ),
        *(
            row(
                f"{cuda} __h{name}{suffix}_sat{two}",
                f"cu::h{name}{suffix}_sat({{0}}, {{1}})",
                caveat="clamped to 0 … 1, NaN becomes 0",
            )
            for name, _ in _OPERATORS
        ),
        row(f"{cuda} {division}{two}", "({0} / {1})"),
        row(
            f"{cuda} __hfma{suffix}{three}",
            "fma({0}, {1}, {2})" if form.native_math else f"cu::hfma{suffix}({{0}}, {{1}}, {{2}})",
        ),
        row(f"{cuda} __hfma{suffix}_sat{three}", f"cu::hfma{suffix}_sat({{0}}, {{1}}, {{2}})"),
        row(f"{cuda} __hfma{suffix}_relu{three}", f"cu::hfma{suffix}_relu({{0}}, {{1}}, {{2}})"),
        row(f"{cuda} __hneg{suffix}{one}", "(-{0})"),
        row(f"{cuda} __habs{suffix}{one}", native("fabs", "{0}")),
        row(f"{cuda} __hmax{suffix}{two}", native("fmax", "{0}, {1}")),
        row(f"{cuda} __hmin{suffix}{two}", native("fmin", "{0}, {1}")),
        row(f"{cuda} __hmax{suffix}_nan{two}", f"cu::hmax{suffix}_nan({{0}}, {{1}})"),
        row(f"{cuda} __hmin{suffix}_nan{two}", f"cu::hmin{suffix}_nan({{0}}, {{1}})"),
    )


def _math(form: Format, lanes: int) -> tuple[Builtin, ...]:
    cuda, msl, wide = form.types(lanes)
    prefix = "h2" if lanes == 2 else "h"
    one = "1.0f" if lanes == 1 else "float2(1.0f)"
    through_float = "computed in float, rounded once"
    return (
        *(
            row(f"{cuda} {prefix}{name}({cuda} a)", f"{msl}(precise::{name}({wide}({{0}})))", through_float)
            for name in _TRUE_FUNCTIONS
        ),
        row(
            f"{cuda} {prefix}tanh_approx({cuda} a)",
            f"{msl}(precise::tanh({wide}({{0}})))",
            through_float,
            caveat="more accurate than CUDA's",
        ),
        row(
            f"{cuda} {prefix}rcp({cuda} a)",
            f"{msl}(precise::divide({one}, {wide}({{0}})))",
            through_float,
        ),
        *(
            row(
                f"{cuda} {prefix}{name}({cuda} a)",
                f"{name}({{0}})" if form.native_math else f"{msl}({name}({wide}({{0}})))",
                "exact",
            )
            for name in _ROUNDINGS
        ),
    )


def _comparisons(form: Format, lanes: int) -> tuple[Builtin, ...]:
    """`__hlt` is false on NaN, `__hltu` true; so with the others. Pairs answer 1.0 or 0.0 per lane."""
    cuda, msl, _ = form.types(lanes)
    suffix, result = ("2", cuda) if lanes == 2 else ("", "bool")
    two = f"({cuda} a, {cuda} b)"

    def answer(condition: str) -> str:
        return f"{msl}({condition})" if lanes == 2 else f"({condition})"

    return (
        row(f"{result} __heq{suffix}{two}", answer("{0} == {1}")),
        row(f"{result} __hneu{suffix}{two}", answer("{0} != {1}")),
        row(
            f"{result} __hne{suffix}{two}", f"cu::hne{suffix}({{0}}, {{1}})", caveat="false on NaN, unlike !="
        ),
        row(f"{result} __hequ{suffix}{two}", f"cu::hequ{suffix}({{0}}, {{1}})", caveat="true on NaN"),
        *(row(f"{result} __h{name}{suffix}{two}", answer(f"{{0}} {sign} {{1}}")) for name, sign in _ORDERED),
        *(
            row(f"{result} __h{name}u{suffix}{two}", answer(f"!({{0}} {_OPPOSITE[name]} {{1}})"))
            for name, _ in _ORDERED
        ),
    )


def _pair_predicates(form: Format) -> tuple[Builtin, ...]:
    """`__hb…2`: true if both lanes are; `__h…2_mask`: 0xffff in each half that is."""
    two = f"({form.cuda2} a, {form.cuda2} b)"
    conditions = {
        "eq": "{0} == {1}",
        "neu": "{0} != {1}",
        **{name: f"{{0}} {sign} {{1}}" for name, sign in _ORDERED},
        **{f"{name}u": f"!({{0}} {_OPPOSITE[name]} {{1}})" for name, _ in _ORDERED},
    }
    isnan = "isnan({0})" if form.native_math else "isnan(float2({0}))"
    return (
        *(row(f"bool __hb{name}2{two}", f"all({condition})") for name, condition in conditions.items()),
        *(
            row(f"unsigned int __h{name}2_mask{two}", f"as_type<uint>(-short2({condition}))")
            for name, condition in conditions.items()
        ),
        *(row(f"bool __hb{name}2{two}", f"cu::hb{name}2({{0}}, {{1}})") for name in ("ne", "equ")),
        *(
            row(f"unsigned int __h{name}2_mask{two}", f"cu::h{name}2_mask({{0}}, {{1}})")
            for name in ("ne", "equ")
        ),
        row(f"{form.cuda2} __hisnan2({form.cuda2} a)", f"{form.msl2}({isnan})"),
        row(f"bool __hisnan({form.cuda} a)", isnan.replace("float2", "float")),
        row(f"int __hisinf({form.cuda} a)", "cu::hisinf({0})", caveat="-1 for -inf, 1 for +inf"),
    )


def _integer_conversions(form: Format) -> tuple[Builtin, ...]:
    """Both ways, four rounding modes. To int through float, which holds every value of either format."""
    name = form.infix
    return (
        *(
            row(
                f"{integer} __{name}2{short}_{mode}({form.cuda} h)",
                f"cu::float2{short}_{mode}(float({{0}}))",
                "exact",
                caveat="saturates, as in CUDA",
            )
            for short, integer in _INTEGERS.items()
            for mode in _MODES
        ),
        *(
            row(
                f"{integer} __{name}2{short}_rz({form.cuda} h)",
                f"cu::float2{short}_rz(float({{0}}))",
                "exact",
                caveat="saturates, as in CUDA",
            )
            for short, integer in (("char", "signed char"), ("uchar", "unsigned char"))
        ),
        *(
            row(f"{form.cuda} __{short}2{name}_{mode}({integer} i)", f"cu::{short}2{name}_{mode}({{0}})")
            for short, integer in _INTEGERS.items()
            for mode in _MODES
        ),
    )
