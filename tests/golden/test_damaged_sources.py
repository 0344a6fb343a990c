"""Sources that are cut off or garbled: an error at a place, never an exception."""

import random
import re
from pathlib import Path

import pytest

from cu2mlx.transpiler.binding.metal import emit_metal
from cu2mlx.transpiler.binding.module import emit_module
from cu2mlx.transpiler.diagnostics import Severity
from cu2mlx.transpiler.pipeline import Translation, translate
from cu2mlx.transpiler.source import SourceFile

ROOT = Path(__file__).parents[2]
SOURCES = sorted(
    path
    for path in [*(ROOT / "seeds").rglob("*.cu"), *(ROOT / "tests/golden").rglob("*.cu")]
    if path.stat().st_size < 6000
)
WHOLE = "__global__ void scale(float* x) {\n    if (x[0] > 0.0f) { x[threadIdx.x] *= 2.0f; }\n}\n"


def translated(text: str) -> Translation:
    """The translation, all of it printed. A kernel without an error has an interface."""
    translation = translate(SourceFile("damaged.cu", text))
    interfaces = [kernel.interface for kernel in translation.kernels if kernel.interface is not None]
    if interfaces:
        emit_module(interfaces, "damaged.cu")
        emit_metal(interfaces)
    for kernel in translation.refused:
        assert any(d.severity is Severity.ERROR for d in kernel.diagnostics)
    return translation


def codes(text: str) -> set[str]:
    return {d.code.code for d in translated(text).diagnostics}


@pytest.mark.parametrize("length", range(len(WHOLE) - 2))
def test_a_file_that_is_cut_off_is_an_error(length: int) -> None:
    assert codes(WHOLE[:length]) & {"CU1006", "CU1101", "CU1102"}


@pytest.mark.parametrize(
    "statement",
    [
        'asm volatile("add.f32;" : "=f"(x[0]) : "f"(x[1]));',
        'asm volatile("add.f32 %0;" : "=f"(x[0]) : "f"(x[1]));',
        'asm volatile("cvt.f32.s32;" : "=f"(x[0]) : "r"(1));',
        'asm volatile("setp.u32 p, 1;" : "=f"(x[0]));',
        'asm volatile("ld.global.f32 %0;" : "=f"(x[0]));',
        'asm volatile("shfl.sync.bfly.b32 %0, %0;" : "+f"(x[0]));',
    ],
)
def test_assembly_with_the_wrong_number_of_operands_is_refused(statement: str) -> None:
    assert "CU3502" in codes(f"__global__ void k(float* x) {{ {statement} }}")


def test_a_cast_of_nothing() -> None:
    translated("__global__ void k(float* x) { *reinterpret_cast<float*>() = 1.0f; }")


def test_a_declaration_without_a_type() -> None:
    translated(
        "struct A { __device__ f(float* x) { (*x) = 1.0f; } };\n__global__ void k(float* x) { A a; a.f(x); }"
    )


def garbled(text: str, chance: random.Random) -> str:
    """The text with a word dropped, doubled or replaced, or a few dropped."""
    words = re.findall(r"\w+|\s+|[^\w\s]", text)
    place = chance.randrange(len(words))
    new = chance.choice(([], [words[place]] * 2, [chance.choice(words)], None))
    dropped = chance.randrange(2, 12) if new is None else 1
    words[place : place + dropped] = new or []
    return "".join(words)


@pytest.mark.parametrize("seed", range(8))
def test_garbled_sources_do_not_raise(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(25):
        translated(garbled(chance.choice(SOURCES).read_text(encoding="utf-8"), chance))
