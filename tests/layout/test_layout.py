"""Sizes, alignments and offsets of translated records are those of the CUDA original.

The truth comes from the C++ compiler, which is given CUDA's types in plain C++ (cuda_types.h). It is compared with
what original and translation say of themselves on the CPU machine, and with what the type-checker's Metal says.
"""

import subprocess
import tempfile
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from cu2mlx.runtime.check import check_msl
from cu2mlx.runtime.cpu.compiler import find_compiler
from cu2mlx.transpiler.binding.generator import generated_source
from cu2mlx.transpiler.instance import default_instance
from tests.layout.structs import STRUCTS, Struct
from tests.translated import run_both, translated_kernel

# Numbers: size, alignment, distance of array elements in shared memory, then the members' offsets.
_KERNEL = """#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cuComplex.h>
{text}
__global__ void k(const S *in, S *out, int *layout) {{
  __shared__ S shared[3];
  S local = in[0];
  layout[0] = sizeof(S);
  layout[1] = alignof(S);
  layout[2] = (int)((const char *)&shared[1] - (const char *)&shared[0]);
{offsets}
  shared[2] = in[1];
  __syncthreads();
  out[0] = shared[2];
  out[1] = local;
  S *p = &out[2];
  *p = in[2];
}}
"""
_COUNT = 3


def kernel(struct: Struct) -> str:
    offsets = [
        f"  layout[{place}] = (int)((const char *)&in->{member} - (const char *)in);"
        for place, member in enumerate(struct.members, 3)
    ]
    return _KERNEL.format(text=struct.text, offsets="\n".join(offsets))


@cache
def truths() -> dict[str, list[int]]:
    """What the C++ compiler says of every record, in one program."""
    include = (Path(__file__).with_name("cuda_types.h")).read_text()
    spaces, prints = [], []
    for number, struct in enumerate(STRUCTS.values()):
        spaces.append(f"namespace n{number} {{\n{struct.text}\n}}")
        values = [f"sizeof(n{number}::S)", f"alignof(n{number}::S)", f"sizeof(n{number}::S)"]
        values += [f"offsetof(n{number}::S, {member})" for member in struct.members]
        prints += [f'    std::printf("%zu ", {value});' for value in values] + ['    std::puts("");']
    text = "\n".join([include, *spaces, "int main() {", *prints, "}", ""])
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder) / "layout.cpp", Path(folder) / "layout"
        source.write_text(text)
        command = [*find_compiler().command, "-std=c++20", "-w", str(source), "-o", str(program)]
        subprocess.run(command, check=True, capture_output=True, text=True)
        printed = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout
    lines = printed.splitlines()
    return {name: [int(word) for word in line.split()] for name, line in zip(STRUCTS, lines, strict=True)}


@pytest.mark.parametrize("name", STRUCTS)
def test_layout(name: str) -> None:
    """Both sides say what the compiler says, and copies move every byte of the members."""
    struct, expected = STRUCTS[name], truths()[name]
    size = expected[0]
    data = np.random.default_rng(4).integers(1, 128, _COUNT * size).astype(np.uint8)
    if "bool" in struct.text:
        data[...] = 1
    arguments = {"in": data, "out": np.zeros_like(data), "layout": np.zeros(len(expected), np.int32)}
    both = run_both(kernel(struct), arguments, 1)
    assert both.original["layout"].tolist() == expected
    assert both.translated["layout"].tolist() == expected
    elements = data.reshape(_COUNT, size)
    for side in both:
        copied = side["out"].reshape(_COUNT, size)
        same = copied == elements[[1, 0, 2]]
        assert same[:, _bytes_of_members(struct, expected)].all()


def _bytes_of_members(struct: Struct, layout: list[int]) -> list[int]:
    """A byte of each listed member: padding need not be copied."""
    plain = [place for place, member in zip(layout[3:], struct.members, strict=True)]
    return sorted(set(plain))


@pytest.mark.parametrize("name", STRUCTS)
def test_checker_knows_the_layout(name: str) -> None:
    """The type-checker's Metal, whose vectors are as large as Apple's, agrees."""
    struct, (size, alignment, _, *offsets) = STRUCTS[name], truths()[name]
    _, translated = translated_kernel(kernel(struct), "k")
    assert translated.interface is not None
    text = generated_source(translated.interface, default_instance(translated.interface, ()))
    claims = [f"sizeof(S) == {size}", f"alignof(S) == {alignment}"]
    claims += [
        f"__builtin_offsetof(S, {member}) == {offset}"
        for member, offset in zip(struct.members, offsets, strict=True)
        if member[-2:] not in (".x", ".y", ".z", ".w")  # lanes are no members in Metal
    ]
    text += "".join(f'static_assert({claim}, "{claim}");\n' for claim in claims)
    assert check_msl(text, mlx_preamble=True) == ()
