"""Every spelling is well typed: one MSL function for each row, with CUDA's parameters in Metal's types."""

import re

import pytest

from cu2mlx.runtime.check import check_msl
from cu2mlx.transpiler.prelude import assemble, available
from cu2mlx.transpiler.tables import GROUPS, Builtin
from cu2mlx.transpiler.tables.index import HANDED
from cu2mlx.transpiler.tables.signature import Parameter, parameters, result_type
from cu2mlx.transpiler.tables.spell import spell
from cu2mlx.transpiler.tables.types import TYPES

BITWISE = re.compile(r"_(?:and|or|xor)_|atomic(?:And|Or|Xor)")
PLACES = {name: f"{name}_" for name in HANDED}
PLACE_PARAMETERS = [f"{index.type} {name}_" for name, index in HANDED.items()]
SCRATCH = "threadgroup uint* scratch_"
# What stands for the classes and template parameters of cooperative groups and CUB, and for arrays of items.
OBJECTS = {
    "thread_block": "cu::thread_block",
    "thread_block_tile": "cu::thread_block_tile<16>",
    "coalesced_group": "cu::coalesced_group",
    "thread_group": "cu::thread_group",
    "grid_group": "cu::grid_group",
    **{f"cub::{name}": f"cu::{name}<float, 64>" for name in ("BlockReduce", "BlockScan")},
    **{f"cub::{name}": f"cu::{name}<float, 64, 2>" for name in ("BlockLoad", "BlockStore", "BlockExchange")},
    **{f"cub::{name}": f"cu::{name}<float, 16>" for name in ("WarpReduce", "WarpScan")},
    "cub::BlockRadixSort": "cu::BlockRadixSort<int, 64, 2, int>",
    "G": "cu::thread_block_tile<16>",
    "Op": "cu::plus<float>",
}


def metal_type(cuda: str, generic: str) -> str | None:
    """Metal's name of a parameter or result type; `generic` stands for T and U, None for other names."""
    if cuda in ("T", "U"):
        return generic
    if cuda == "void":
        return "float"
    if cuda in OBJECTS:
        return OBJECTS[cuda]
    row = TYPES.get(cuda)
    return None if row is None else row.metal or row.narrowed


def metal_parameter(parameter: Parameter, row: Builtin, title: str, generic: str) -> str | None:
    if parameter.type in ("Items&", "Ranks&"):
        element = {"Ranks&": "ushort"}.get(parameter.type, "int" if "Sort" in row.name else "float")
        return f"thread {element} (&{parameter.name})[2]"
    type_ = metal_type(parameter.type.rstrip("*&"), generic)
    if type_ is None:
        return None
    if parameter.type == "G&":  # groups go by value
        return f"{type_} {parameter.name}"
    in_device = title in ("Atomics", "Memory") or parameter.name in ("p", "address", "to", "from")
    space = "device" if in_device else "thread"
    mark = parameter.type[len(parameter.type.rstrip("*&")) :]
    return f"{space} {type_}{mark} {parameter.name}" if mark else f"{type_} {parameter.name}"


def function(row: Builtin, spelling: str, title: str, position: int) -> str | None:
    """An MSL function that returns the row's expression; None where a type is beyond this test."""
    generic = "uint" if BITWISE.search(row.name) else "float"
    known = [p for p in parameters(row.signature) if p.type != "..."]
    declared = [metal_parameter(p, row, title, generic) for p in known]
    if None in declared:
        return None
    owner = row.name.rpartition("::")[0]
    context = {"self": "self_", "scratch": "scratch_", "space0": "device"}
    context["t0"] = "16" if "partition" in row.name else "float"
    text = spell(row, [p.name for p in known], spelling=spelling, **context, **PLACES)
    result = metal_type(result_type(row.signature), generic)
    has_value = result_type(row.signature) != "void" and text != "((void)0)" and spelling != row.unused
    returns = result is not None and has_value
    object_ = [f"{OBJECTS[owner]} self_"] if owner in OBJECTS else []
    given = [d for d in declared if d is not None]
    everything = ", ".join((*object_, *given, *PLACE_PARAMETERS, SCRATCH))
    head = f"inline {result if returns else 'void'} row_{position}({everything})"
    return f"{head} {{ {'return ' if returns else ''}{text}; }}"


@pytest.mark.parametrize("title", GROUPS)
def test_spellings_type_check(title: str) -> None:
    functions, names, skipped = [], set(), []
    for position, row in enumerate(GROUPS[title]):
        for spelling in (row.spelling, row.narrowed, row.unused):
            if spelling is None or "{arguments}" in spelling or row.name == "std::get":
                continue  # of tuples and lambdas: tests/golden/standard/tuples.cu, warp/invoke_one.cu
            used = set(re.findall(r"\bcu::(\w+)", spelling))
            text = function(row, spelling, title, position) if used <= available() else None
            if text is None:
                skipped.append(row.signature)
            else:
                functions.append(text)
                names |= set(re.findall(r"\bcu::(\w+)", text))
    head = f"#include <metal_stdlib>\nusing namespace metal;\n{assemble(names)}\n"
    first = head.count("\n") + 1
    lines = [*head.splitlines(), *functions]
    findings = check_msl("\n".join(lines) + "\n")
    wrong = [f"{finding.message}: {lines[finding.line - 1]}" for finding in findings if finding.line >= first]
    assert wrong == []
    assert skipped == []


def test_a_wrong_spelling_would_be_found() -> None:
    text = "#include <metal_stdlib>\nusing namespace metal;\ninline float f(float x) { return erf(x); }\n"
    assert check_msl(text)
