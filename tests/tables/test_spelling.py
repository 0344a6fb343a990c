"""One-line pairs: a CUDA call and how Metal says it; and the rules of filling a spelling."""

import re
from pathlib import Path

import pytest

from cu2mlx.transpiler.tables import Builtin, lookup
from cu2mlx.transpiler.tables.row import refused, row
from cu2mlx.transpiler.tables.spell import is_primary, spell

CALL = re.compile(r"(?P<name>[\w:]+?)(?:<(?P<type>[\w *]+)>)?\((?P<arguments>.*)\)$")
LINES = [
    line
    for line in (Path(__file__).parent / "pairs.txt").read_text().splitlines()
    if line and not line.startswith("#")
]


def split_arguments(text: str) -> list[str]:
    return [part.strip() for part in text.split(",")] if text else []


def overload(name: str, first_type: str | None) -> Builtin:
    rows = [r for r in lookup(name) if r.spelling is not None]
    if first_type is not None:
        rows = [r for r in rows if r.parameter_types[0] == first_type]
    return rows[0]


def test_there_are_enough_pairs() -> None:
    assert len(LINES) >= 150 and len(set(LINES)) == len(LINES)


@pytest.mark.parametrize("line", LINES)
def test_pair(line: str) -> None:
    cuda, _, metal = line.partition(" -> ")
    call = CALL.match(cuda)
    assert call is not None
    chosen = overload(call["name"], call["type"])
    assert spell(chosen, split_arguments(call["arguments"])) == metal


SUM = row("int sum(int a, int b = 1)", "({0} + {1=1})")


def test_operands_are_put_in_parentheses_only_where_an_operator_is_near() -> None:
    assert spell(SUM, ["x", "f(y)[2].z"]) == "(x + f(y)[2].z)"
    assert spell(SUM, ["x * y", "-z"]) == "((x * y) + (-z))"
    assert spell(row("int f(int a)", "cu::f({0})"), ["x + y"]) == "cu::f(x + y)"


def test_default_stands_in_for_a_missing_argument() -> None:
    assert spell(SUM, ["x"]) == "(x + 1)"


def test_context_fills_named_placeholders() -> None:
    barrier = lookup("__syncthreads")[0]
    assert spell(barrier, [], flags="mem_flags::mem_threadgroup") == (
        "threadgroup_barrier(mem_flags::mem_threadgroup)"
    )
    shuffle = lookup("__shfl_sync")[0]
    assert spell(shuffle, ["m", "v", "0"], lane="lane") == "cu::shfl_sync(v, 0, 32, lane)"
    tile = lookup("thread_block_tile::thread_rank")[0]
    assert spell(tile, [], self="tiles[i + 1]") == "tiles[i + 1].thread_rank()"
    assert spell(tile, [], self="a + b") == "(a + b).thread_rank()"


def test_the_float_form_of_a_double_function() -> None:
    exp = next(r for r in lookup("exp") if r.double_only)
    assert spell(exp, ["x"], spelling=exp.narrowed) == "precise::exp(x)"


def test_what_cannot_be_filled_is_an_error_that_names_it() -> None:
    with pytest.raises(ValueError, match=r"clock64 has no MSL spelling \(CU3205\)"):
        spell(refused("long long clock64()", "CU3205"), [])
    with pytest.raises(ValueError, match=r"expf: nothing fills \{0\}"):
        spell(lookup("expf")[0], [])
    with pytest.raises(ValueError, match=r"nothing fills \{self\}"):
        spell(lookup("thread_block::sync")[0], [])


@pytest.mark.parametrize(
    "text", ["x", "a.b", "p->q", "f(x + y)", "a[i - 1]", "(a + b)", "cu::f<int>(x)", "1.0f", "m[0](x).y"]
)
def test_primaries(text: str) -> None:
    assert is_primary(text)


@pytest.mark.parametrize(
    "text", ["-x", "*p", "a + b", "(int)x", "a ? b : c", "&x", "a < b", "a, b", "", "new T"]
)
def test_not_primaries(text: str) -> None:
    assert not is_primary(text)
