"""A generated text taken apart and given to MLX's generator again is the same text."""

import re
from functools import cache
from pathlib import Path

import pytest

from cu2mlx import seeds
from cu2mlx.runtime.emulate import PREAMBLE
from cu2mlx.runtime.metal.binding import bind
from cu2mlx.runtime.protocol import CompileError
from cu2mlx.transpiler.binding.generator import Input, Output, generated_source, metal_source
from cu2mlx.transpiler.binding.signature import SMALLEST_DEVICE_ARRAY, signature
from cu2mlx.transpiler.instance import default_instance
from cu2mlx.transpiler.pipeline import translate
from cu2mlx.transpiler.source import read_source

SEEDS = sorted(Path(seeds.__file__).parent.glob("*/*.cu"))


@cache
def generated(path: Path) -> list[tuple[str, str]]:
    """Name and full text of each kernel of a seed."""
    found = [kernel.interface for kernel in translate(read_source(path)).kernels]
    return [
        (signature(each).name, generated_source(each, default_instance(each)))
        for each in found
        if each is not None
    ]


@pytest.mark.parametrize("path", SEEDS, ids=lambda path: path.stem)
def test_binding_is_the_generator_backwards(path: Path) -> None:
    for name, text in generated(path):
        entry = re.search(r"\[\[kernel\]\] void (\w+)\(", text)
        assert entry is not None
        bound = bind(PREAMBLE + text, entry[1])
        inputs = [
            Input(each.name, each.dtype, 1 if each.scalar else SMALLEST_DEVICE_ARRAY, 0 if each.scalar else 1)
            for each in bound.inputs
        ]
        outputs = [Output(each.name, each.dtype) for each in bound.outputs]
        again = metal_source(name, inputs, outputs, bound.template, bound.header, bound.body)
        assert again == text
        assert bound.first_line == PREAMBLE.count("\n")


ADD = """[[kernel]] void add(
  const device float* a [[buffer(0)]],
  {extra}device float* c [[buffer(1)]]) {{
c[0] = a[0];
}}
"""


def test_a_text_that_mlx_would_not_write() -> None:
    with pytest.raises(CompileError, match="inputs \\(const\\) before outputs"):
        bind(
            "[[kernel]] void f(\n  device float* c [[buffer(0)]],\n  const device float* a [[buffer(1)]]) {\n"
            "c[0] = a[0];\n}\n",
            "f",
        )
    with pytest.raises(CompileError, match="no kernel"):
        bind(ADD.format(extra=""), "other")
    with pytest.raises(CompileError, match="threadgroup memory as an argument"):
        bind(ADD.format(extra="threadgroup float* s [[threadgroup(0)]],\n"), "add")


def test_more_buffers_than_metal_binds() -> None:
    inputs = "".join(f"  const device float* a{i} [[buffer({i})]],\n" for i in range(31))
    text = f"[[kernel]] void f(\n{inputs}  device float* c [[buffer(31)]]) {{\nc[0] = a0[0];\n}}\n"
    with pytest.raises(CompileError, match="32 buffers; Metal binds 31"):
        bind(text, "f")
