"""Vector constructors. Three-lane vectors are packed in memory only; a rule handles that, not these rows."""

from cu2mlx.transpiler.tables.row import Builtin, double, row

# CUDA's element → the type of one lane in CUDA, Metal's element
ELEMENTS = {
    "char": ("signed char", "char"),
    "uchar": ("unsigned char", "uchar"),
    "short": ("short", "short"),
    "ushort": ("unsigned short", "ushort"),
    "int": ("int", "int"),
    "uint": ("unsigned int", "uint"),
    "long": ("long", "long"),
    "ulong": ("unsigned long", "ulong"),
    "longlong": ("long long", "long"),
    "ulonglong": ("unsigned long long", "ulong"),
    "float": ("float", "float"),
}


def _signature(element: str, lane: str, lanes: int) -> str:
    parameters = ", ".join(f"{lane} {name}" for name in "xyzw"[:lanes])
    return f"{element}{lanes} make_{element}{lanes}({parameters})"


def _construct(msl: str, lanes: int) -> str:
    arguments = ", ".join(f"{{{position}}}" for position in range(lanes))
    return f"{msl}{lanes}({arguments})" if lanes > 1 else f"cu::vec1<{msl}>({arguments})"


ROWS: tuple[Builtin, ...] = (
    *(
        row(_signature(element, lane, lanes), _construct(msl, lanes))
        for element, (lane, msl) in ELEMENTS.items()
        for lanes in (1, 2, 3, 4)
    ),
    *(
        row(_signature(element, lane, 4).replace(f"{element}4", f"{element}4_{bytes_}a"), _construct(msl, 4))
        for element, (lane, msl) in ELEMENTS.items()
        if msl.endswith("long")
        for bytes_ in (16, 32)
    ),
    *(double(_signature("double", "double", lanes), _construct("float", lanes)) for lanes in (1, 2, 3, 4)),
    row("cuFloatComplex make_cuFloatComplex(float re, float im)", "float2({0}, {1})"),
    row("cuComplex make_cuComplex(float re, float im)", "float2({0}, {1})"),
    row("float cuCrealf(cuFloatComplex z)", "{0}.x"),
    row("float cuCimagf(cuFloatComplex z)", "{0}.y"),
    row("cuFloatComplex cuConjf(cuFloatComplex z)", "cu::cuConjf({0})"),
    row("float cuCabsf(cuFloatComplex z)", "cu::cuCabsf({0})"),
    row("cuFloatComplex cuCaddf(cuFloatComplex a, cuFloatComplex b)", "({0} + {1})"),
    row("cuFloatComplex cuCsubf(cuFloatComplex a, cuFloatComplex b)", "({0} - {1})"),
    row("cuFloatComplex cuCmulf(cuFloatComplex a, cuFloatComplex b)", "cu::cuCmulf({0}, {1})"),
    row("cuFloatComplex cuCfmaf(cuComplex a, cuComplex b, cuComplex c)", "cu::cuCfmaf({0}, {1}, {2})"),
    row("cuFloatComplex cuCdivf(cuFloatComplex a, cuFloatComplex b)", "cu::cuCdivf({0}, {1})"),
)
