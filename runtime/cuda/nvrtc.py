"""NVRTC, NVIDIA's run-time compiler, through ctypes: source in, cubin out. It needs no GPU."""

import ctypes
import functools
import importlib.util
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cu2mlx.runtime.protocol import CompileError


class NoNvrtcError(Exception):
    """There is no NVRTC here."""


@dataclass(frozen=True, slots=True)
class Cubin:
    """Compiled code and the symbol of its kernel, with the PTX it was made from where it was made just now."""

    code: bytes
    symbol: str
    ptx: str = field(default="", compare=False, repr=False)


def library_places() -> Iterator[str]:
    """Where NVRTC may lie: $CU2MLX_NVRTC, NVIDIA's packages on PyPI, a CUDA toolkit, the loader's own path."""
    if wish := os.environ.get("CU2MLX_NVRTC"):
        yield wish
        return
    for folder in _nvidia_packages():
        yield from _matching(folder, "*/lib/libnvrtc.so.*")
    for home in _toolkits():
        yield from _matching(home, "lib64/libnvrtc.so.*")
    for version in (13, 12):
        yield f"libnvrtc.so.{version}"


def include_folders() -> list[str]:
    """Folders with CUDA's own headers (cuda_fp16.h …), for original kernels; empty where there are none."""
    folders = [f"{home}/include" for home in _toolkits()]
    for package in _nvidia_packages():
        folders += _matching(package, "*/include")
    found = [folder for folder in folders if (Path(folder) / "cuda_fp16.h").is_file()]
    return [each for folder in found[:1] for each in (folder, f"{folder}/cccl") if Path(each).is_dir()]


def _matching(folder: str, pattern: str) -> list[str]:
    return [str(path) for path in sorted(Path(folder).glob(pattern))]


def _nvidia_packages() -> list[str]:
    spec = importlib.util.find_spec("nvidia")
    return list(spec.submodule_search_locations or ()) if spec else []


def _toolkits() -> list[str]:
    places = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"]
    return [place for place in places if place and Path(place).is_dir()]


@functools.cache
def load_library() -> ctypes.CDLL:
    """Raises NoNvrtcError."""
    if sys.platform != "linux":
        raise NoNvrtcError("NVRTC runs on Linux only here")
    for place in library_places():
        try:
            # NVRTC opens its builtins by name: it finds them when they are loaded already.
            for builtins in sorted(Path(place).parent.glob("libnvrtc-builtins.so.*")):
                ctypes.CDLL(str(builtins))
            return ctypes.CDLL(place)
        except OSError:
            continue
    raise NoNvrtcError("no NVRTC found: pip install 'cu2mlx[cuda13]', or a CUDA toolkit")


def version() -> tuple[int, int]:
    """Major and minor version. Raises NoNvrtcError."""
    major, minor = ctypes.c_int(), ctypes.c_int()
    load_library().nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
    return major.value, minor.value


def compile_source(
    source: str, options: Sequence[str], name: str, headers: Mapping[str, str] | None = None
) -> Cubin:
    """Compile the kernel that the C++ expression `name` names ("k<float, 128>").

    `headers`: text by the name under which the source includes it. Raises CompileError, NoNvrtcError.
    """
    nvrtc = load_library()
    names = [key.encode() for key in headers or {}]
    texts = [value.encode() for value in (headers or {}).values()]
    program = ctypes.c_void_p()
    strings = ctypes.c_char_p * max(len(names), 1)
    _must(nvrtc, nvrtc.nvrtcCreateProgram(
        ctypes.byref(program), source.encode(), b"kernel", len(names), strings(*texts), strings(*names)
    ))  # fmt: skip
    try:
        _must(nvrtc, nvrtc.nvrtcAddNameExpression(program, name.encode()))
        flags = [option.encode() for option in options]
        status = nvrtc.nvrtcCompileProgram(program, len(flags), (ctypes.c_char_p * len(flags))(*flags))
        if status != 0:
            raise CompileError(_bytes(nvrtc, program, "ProgramLog").rstrip(b"\0\n").decode(errors="replace"))
        lowered = ctypes.c_char_p()
        _must(nvrtc, nvrtc.nvrtcGetLoweredName(program, name.encode(), ctypes.byref(lowered)))
        symbol = (lowered.value or b"").decode()
        ptx = _bytes(nvrtc, program, "PTX").rstrip(b"\0").decode()
        return Cubin(_bytes(nvrtc, program, "CUBIN"), symbol, ptx)
    finally:
        nvrtc.nvrtcDestroyProgram(ctypes.byref(program))


def _bytes(nvrtc: ctypes.CDLL, program: ctypes.c_void_p, what: str) -> bytes:
    size = ctypes.c_size_t()
    _must(nvrtc, getattr(nvrtc, f"nvrtcGet{what}Size")(program, ctypes.byref(size)))
    buffer = ctypes.create_string_buffer(size.value)
    _must(nvrtc, getattr(nvrtc, f"nvrtcGet{what}")(program, buffer))
    return buffer.raw


def _must(nvrtc: ctypes.CDLL, status: int) -> None:
    if status != 0:
        nvrtc.nvrtcGetErrorString.restype = ctypes.c_char_p
        raise CompileError(f"NVRTC: {nvrtc.nvrtcGetErrorString(status).decode()}")
