"""SIMD in a word: four bytes or two half-words in one 32-bit integer. All come from the support library."""

from cu2mlx.transpiler.tables.row import Builtin, row

_UNARY = ("abs", "absss", "neg", "negss")
_BINARY = (
    *("absdiffs", "absdiffu", "add", "addss", "addus", "avgs", "avgu", "haddu"),
    *("maxs", "maxu", "mins", "minu", "sads", "sadu", "sub", "subss", "subus"),
)
_RELATIONS = ("eq", "ges", "geu", "gts", "gtu", "les", "leu", "lts", "ltu", "ne")
_WIDTHS = ("2", "4")

# DPX instructions: kind of word → its CUDA type.
_DPX = {"s32": "int", "u32": "unsigned int", "s16x2": "unsigned int", "u16x2": "unsigned int"}
_EXTREMES = ("max", "min")

ROWS: tuple[Builtin, ...] = (
    *(
        row(f"unsigned int __v{name}{width}(unsigned int a)", f"cu::v{name}{width}({{0}})")
        for name in _UNARY
        for width in _WIDTHS
    ),
    *(
        row(
            f"unsigned int __v{name}{width}(unsigned int a, unsigned int b)",
            f"cu::v{name}{width}({{0}}, {{1}})",
        )
        for name in (
            *_BINARY,
            *(f"cmp{relation}" for relation in _RELATIONS),
            *(f"set{r}" for r in _RELATIONS),
        )
        for width in _WIDTHS
    ),
    *(
        row(
            f"{cuda} __v{name}_{kind}{relu}({cuda} a, {cuda} b, {cuda} c)",
            f"cu::v{name}_{kind}{relu}({{0}}, {{1}}, {{2}})",
        )
        for kind, cuda in _DPX.items()
        for extreme in _EXTREMES
        for name in (f"iadd{extreme}", f"i{extreme}3")
        for relu in (("", "_relu") if kind.startswith("s") else ("",))
    ),
    *(
        row(
            f"{cuda} __vi{extreme}_{kind}_relu({cuda} a, {cuda} b)",
            f"cu::vi{extreme}_{kind}_relu({{0}}, {{1}})",
        )
        for kind, cuda in _DPX.items()
        if kind.startswith("s")
        for extreme in _EXTREMES
    ),
    *(
        row(
            f"{cuda} __vib{extreme}_{kind}({cuda} a, {cuda} b, bool *which)",
            f"cu::vib{extreme}_{kind}({{0}}, {{1}}, {{2}})",
        )
        for kind, cuda in _DPX.items()
        if kind.endswith("32")
        for extreme in _EXTREMES
    ),
    *(
        row(
            f"{cuda} __vib{extreme}_{kind}({cuda} a, {cuda} b, bool *high, bool *low)",
            f"cu::vib{extreme}_{kind}({{0}}, {{1}}, {{2}}, {{3}})",
        )
        for kind, cuda in _DPX.items()
        if kind.endswith("x2")
        for extreme in _EXTREMES
    ),
)
