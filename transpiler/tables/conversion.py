"""Type conversion with a rounding mode, and reinterpretation of bits."""

from cu2mlx.transpiler.tables.row import Builtin, double, row

_INTEGERS = {"int": "int", "uint": "unsigned int", "ll": "long long", "ull": "unsigned long long"}
_MODES = ("rn", "rz", "ru", "rd")

ROWS: tuple[Builtin, ...] = (
    *(
        row(
            f"{integer} __float2{short}_{mode}(float x)",
            f"cu::float2{short}_{mode}({{0}})",
            "exact",
            caveat="saturates as CUDA does; a plain Metal cast need not",
        )
        for short, integer in _INTEGERS.items()
        for mode in _MODES
    ),
    *(
        row(
            f"float __{short}2float_{mode}({integer} x)",
            "float({0})" if mode == "rn" else f"cu::{short}2float_{mode}({{0}})",
            "correctly rounded",
        )
        for short, integer in _INTEGERS.items()
        for mode in _MODES
    ),
    row("int __float_as_int(float x)", "as_type<int>({0})"),
    row("unsigned int __float_as_uint(float x)", "as_type<uint>({0})"),
    row("float __int_as_float(int x)", "as_type<float>({0})"),
    row("float __uint_as_float(unsigned int x)", "as_type<float>({0})"),
    *(
        double(f"{integer} __double2{short}_{mode}(double x)", f"cu::float2{short}_{mode}({{0}})")
        for short, integer in _INTEGERS.items()
        for mode in _MODES
    ),
    *(
        double(f"double __{short}2double_{mode}({integer} x)", "float({0})")
        for short, integer in _INTEGERS.items()
        for mode in (_MODES if short.endswith("ll") else ("rn",))
    ),
    *(
        double(f"float __double2float_{mode}(double x)", "float({0})" if mode == "rn" else None)
        for mode in _MODES
    ),
    double("long long __double_as_longlong(double x)", None),
    double("double __longlong_as_double(long long x)", None),
    double("int __double2hiint(double x)", None),
    double("int __double2loint(double x)", None),
    double("double __hiloint2double(int high, int low)", None),
)
