"""SIMD in a word and DPX, lane by lane against Python integers."""

from collections.abc import Callable

import numpy as np
import pytest
from prelude_machine import Array, evaluate
from test_bits import words

Lanes = Callable[[int, int, int, int], int]  # x, y, lowest, highest → what a lane holds


def _clamp(value: int, low: int, high: int) -> int:
    return max(low, min(high, value))


_RELATIONS: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda x, y: x == y,
    "ne": lambda x, y: x != y,
    "ge": lambda x, y: x >= y,
    "gt": lambda x, y: x > y,
    "le": lambda x, y: x <= y,
    "lt": lambda x, y: x < y,
}
# name without its width → (signed lanes, operation)
_BINARY: dict[str, tuple[bool, Lanes]] = {
    "vadd": (False, lambda x, y, low, high: x + y),
    "vaddss": (True, lambda x, y, low, high: _clamp(x + y, low, high)),
    "vaddus": (False, lambda x, y, low, high: _clamp(x + y, low, high)),
    "vsub": (False, lambda x, y, low, high: x - y),
    "vsubss": (True, lambda x, y, low, high: _clamp(x - y, low, high)),
    "vsubus": (False, lambda x, y, low, high: _clamp(x - y, low, high)),
    # PTX vavrg: halves are rounded away from zero
    "vavgs": (True, lambda x, y, low, high: (x + y + 1) >> 1 if x + y >= 0 else -((-(x + y) + 1) >> 1)),
    "vavgu": (False, lambda x, y, low, high: (x + y + 1) >> 1),
    "vhaddu": (False, lambda x, y, low, high: (x + y) >> 1),
    "vmaxs": (True, lambda x, y, low, high: max(x, y)),
    "vmaxu": (False, lambda x, y, low, high: max(x, y)),
    "vmins": (True, lambda x, y, low, high: min(x, y)),
    "vminu": (False, lambda x, y, low, high: min(x, y)),
    "vabsdiffs": (True, lambda x, y, low, high: abs(x - y)),
    "vabsdiffu": (False, lambda x, y, low, high: abs(x - y)),
}
_UNARY: dict[str, tuple[bool, Lanes]] = {
    "vabs": (True, lambda x, y, low, high: abs(x)),
    "vabsss": (True, lambda x, y, low, high: min(abs(x), high)),
    "vneg": (True, lambda x, y, low, high: -x),
    "vnegss": (True, lambda x, y, low, high: min(-x, high)),
}


def _relation(name: str, full: bool) -> tuple[bool, Lanes]:
    compare = _RELATIONS[name[:2]]
    one = -1 if full else 1
    return name.endswith("s"), lambda x, y, low, high: one if compare(x, y) else 0


for _name in ("eq", "ne", *(f"{r}{s}" for r in ("ge", "gt", "le", "lt") for s in "su")):
    _BINARY[f"vcmp{_name}"] = _relation(_name, True)
    _BINARY[f"vset{_name}"] = _relation(_name, False)

_WIDTHS = {"2": 16, "4": 8}
_CASES = [(name, width) for name in (*_BINARY, *_UNARY) for width in _WIDTHS]


def _lanes(word: int, bits: int, signed: bool) -> list[int]:
    parts = [(word >> shift) & ((1 << bits) - 1) for shift in range(0, 32, bits)]
    return [p - (1 << bits) if signed and p >> (bits - 1) else p for p in parts]


def _join(lanes: list[int], bits: int) -> int:
    return sum((lane & ((1 << bits) - 1)) << (bits * i) for i, lane in enumerate(lanes))


def _apply(how: tuple[bool, Lanes], bits: int, a: int, b: int) -> int:
    signed, operation = how
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    pairs = zip(_lanes(a, bits, signed), _lanes(b, bits, signed), strict=True)
    return _join([operation(x, y, low, high) for x, y in pairs], bits)


@pytest.fixture(scope="module")
def results() -> tuple[dict[str, Array], dict[str, Array]]:
    inputs = {"a": words(32, 3), "b": words(32, 4), "c": words(32, 5)}
    inputs["b"][100:110] = inputs["a"][100:110]  # equal lanes
    calls = {f"{name}{w}": f"cu::{name}{w}({'a' if name in _UNARY else 'a, b'})" for name, w in _CASES}
    calls |= {f"vsad{s}{w}": f"cu::vsad{s}{w}(a, b)" for s in "su" for w in _WIDTHS}
    calls |= {name: how for name, (how, _) in _DPX.items()}
    return inputs, evaluate(calls, inputs, np.uint32)


@pytest.mark.parametrize(("name", "width"), _CASES)
def test_lanes(name: str, width: str, results: tuple[dict[str, Array], dict[str, Array]]) -> None:
    inputs, found = results
    how = _UNARY.get(name) or _BINARY[name]
    pairs = zip(inputs["a"].tolist(), inputs["b"].tolist(), strict=True)
    expected = [_apply(how, _WIDTHS[width], a, b) for a, b in pairs]
    np.testing.assert_array_equal(found[f"{name}{width}"], np.array(expected, np.uint32))


@pytest.mark.parametrize("signed", "su")
@pytest.mark.parametrize("width", _WIDTHS)
def test_sums_of_differences(
    signed: str, width: str, results: tuple[dict[str, Array], dict[str, Array]]
) -> None:
    inputs, found = results
    bits = _WIDTHS[width]
    pairs = zip(inputs["a"].tolist(), inputs["b"].tolist(), strict=True)
    expected = [
        sum(
            abs(x - y)
            for x, y in zip(_lanes(a, bits, signed == "s"), _lanes(b, bits, signed == "s"), strict=True)
        )
        for a, b in pairs
    ]
    np.testing.assert_array_equal(found[f"vsad{signed}{width}"], np.array(expected, np.uint32))


def _dpx_cases() -> dict[str, tuple[str, Callable[[int, int, int], int]]]:
    cases: dict[str, tuple[str, Callable[[int, int, int], int]]] = {}
    for extreme, take in (("max", max), ("min", min)):
        for kind, bits, signed in (
            ("s32", 32, True),
            ("u32", 32, False),
            ("s16x2", 16, True),
            ("u16x2", 16, False),
        ):

            def add(a: int, b: int, c: int, take=take, bits=bits, signed=signed, relu=False) -> int:  # type: ignore[no-untyped-def]
                sums = _lanes(
                    _join(
                        [
                            x + y
                            for x, y in zip(_lanes(a, bits, signed), _lanes(b, bits, signed), strict=True)
                        ],
                        bits,
                    ),
                    bits,
                    signed,
                )
                best = [take(s, z) for s, z in zip(sums, _lanes(c, bits, signed), strict=True)]
                return _join([max(x, 0) if relu else x for x in best], bits)

            def three(a: int, b: int, c: int, take=take, bits=bits, signed=signed, relu=False) -> int:  # type: ignore[no-untyped-def]
                lanes = (_lanes(word, bits, signed) for word in (a, b, c))
                best = [take(values) for values in zip(*lanes, strict=True)]
                return _join([max(x, 0) if relu else x for x in best], bits)

            cast = "int" if kind == "s32" else "uint"
            arguments = ", ".join(f"{cast}({x})" for x in "abc")
            for relu in (False, True) if signed else (False,):
                suffix = "_relu" if relu else ""
                for stem, model in ((f"viadd{extreme}", add), (f"vi{extreme}3", three)):
                    name = f"{stem}_{kind}{suffix}"
                    cases[name] = (
                        f"uint(cu::{name}({arguments}))",
                        lambda a, b, c, model=model, relu=relu: model(a, b, c, relu=relu),  # type: ignore[misc]
                    )
    return cases


_DPX = _dpx_cases()


@pytest.mark.parametrize("name", _DPX)
def test_dpx(name: str, results: tuple[dict[str, Array], dict[str, Array]]) -> None:
    inputs, found = results
    rows = zip(*(inputs[column].tolist() for column in "abc"), strict=True)
    expected = [_DPX[name][1](*row) & 0xFFFFFFFF for row in rows]
    np.testing.assert_array_equal(found[name], np.array(expected, np.uint32))
