"""A kernel text to a cubin, kept in the cache folder."""

import functools
import hashlib
from pathlib import Path
from typing import NamedTuple

from cu2mlx.runtime.cpu.compiler import cache_folder
from cu2mlx.runtime.cuda import cuda_source, msl_source, nvrtc
from cu2mlx.runtime.cuda.nvrtc import Cubin
from cu2mlx.runtime.protocol import KernelText

_OPTIONS = ("--device-as-default-execution-space", "--device-int128", "-w")


class _Program(NamedTuple):
    """What NVRTC is given."""

    unit: str
    name: str
    options: tuple[str, ...]
    headers: tuple[tuple[str, str], ...]


@functools.lru_cache(maxsize=64)
def compile_kernel(kernel: KernelText, architecture: str) -> Cubin:
    """Compile for an architecture ("sm_90"); what one process asks for again and again (a timing launches a kernel on
    many sets of inputs) is read once. Raises CompileError, NoNvrtcError."""
    return _cached(_program_of(kernel, architecture))


def compile_unit(unit: str, name: str, language: str, architecture: str) -> Cubin:
    """A translation unit of either source, made for NVRTC; `name` is its kernel. Raises as compile_kernel does."""
    return _cached(_program(unit, name, language, architecture))


def ptx_of(kernel: KernelText, architecture: str) -> str:
    """The PTX of a kernel, made afresh. Raises CompileError, NoNvrtcError."""
    program = _program_of(kernel, architecture)
    return nvrtc.compile_source(program.unit, program.options, program.name, dict(program.headers)).ptx


def _program_of(kernel: KernelText, architecture: str) -> _Program:
    if kernel.language == "msl":
        unit = msl_source.translation_unit(kernel.text, kernel.entry, dict(kernel.constants))
        return _program(unit, msl_source.ENTRY, "msl", architecture)
    return _program(cuda_source.translation_unit(kernel.text), kernel.entry, "cuda", architecture)


def _program(unit: str, name: str, language: str, architecture: str) -> _Program:
    options = (*_OPTIONS, f"-arch={architecture}")
    if language == "msl":
        return _Program(unit, name, (*options, "--std=c++20"), _msl_headers())
    folders = (f"-I{folder}" for folder in nvrtc.include_folders())
    return _Program(unit, name, (*options, "--std=c++17", *folders), _torch_header())


def _cached(program: _Program) -> Cubin:
    digest = hashlib.sha256(repr((nvrtc.version(), *program)).encode()).hexdigest()[:24]
    place = cache_folder() / f"cuda-{digest}.cubin"
    if place.exists():
        symbol, _, code = place.read_bytes().partition(b"\n")
        return Cubin(code, symbol.decode())
    made = nvrtc.compile_source(program.unit, program.options, program.name, dict(program.headers))
    place.parent.mkdir(parents=True, exist_ok=True)
    part = place.with_suffix(f".{id(made)}.part")
    part.write_bytes(made.symbol.encode() + b"\n" + made.code)
    part.replace(place)  # whole, or not there
    return made


@functools.cache
def _msl_headers() -> tuple[tuple[str, str], ...]:
    return tuple(msl_source.headers().items())


@functools.cache
def _torch_header() -> tuple[tuple[str, str], ...]:
    path = Path(msl_source.SHIM) / "torch_types.h"
    return ((cuda_source.HEADER, path.read_text(encoding="utf-8")),)
