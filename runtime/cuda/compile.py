"""A kernel text to a cubin, kept in the cache folder."""

import functools
import hashlib
from pathlib import Path

from cu2mlx.runtime.cpu.compiler import cache_folder
from cu2mlx.runtime.cuda import cuda_source, msl_source, nvrtc
from cu2mlx.runtime.cuda.nvrtc import Cubin
from cu2mlx.runtime.protocol import KernelText

_OPTIONS = ("--device-as-default-execution-space", "--device-int128", "-w")


def compile_kernel(kernel: KernelText, architecture: str) -> Cubin:
    """Compile for an architecture ("sm_90"). Raises CompileError, NoNvrtcError."""
    options = [*_OPTIONS, f"-arch={architecture}"]
    if kernel.language == "msl":
        unit = msl_source.translation_unit(kernel.text, kernel.entry, dict(kernel.constants))
        return _cached(unit, msl_source.ENTRY, (*options, "--std=c++20"), _msl_headers())
    unit = cuda_source.translation_unit(kernel.text)
    options += ["--std=c++17", *(f"-I{folder}" for folder in nvrtc.include_folders())]
    return _cached(unit, kernel.entry, tuple(options), _torch_header())


def _cached(unit: str, name: str, options: tuple[str, ...], headers: tuple[tuple[str, str], ...]) -> Cubin:
    digest = hashlib.sha256(repr((nvrtc.version(), unit, name, options, headers)).encode()).hexdigest()[:24]
    place = cache_folder() / f"cuda-{digest}.cubin"
    if place.exists():
        symbol, _, code = place.read_bytes().partition(b"\n")
        return Cubin(code, symbol.decode())
    made = nvrtc.compile_source(unit, options, name, dict(headers))
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
