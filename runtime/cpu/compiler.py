"""The C++ compiler of this computer, and what it has built before."""

import functools
import hashlib
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cu2mlx.runtime.protocol import CompileError

ROOM = Path(__file__).resolve().parent
SHIM = ROOM / "shim"
HOST = ROOM / "host"

# -ffp-contract=off: original and translation then round alike, whatever each compiler fuses.
_COMMON = (
    "-std=c++20", "-fno-omit-frame-pointer", "-fno-strict-aliasing", "-fwrapv", "-ffp-contract=off",
    "-fno-math-errno", "-w",
)  # fmt: skip
# -fstack-clash-protection: a large frame must touch the guard page below its stack, not jump over it.
_KERNEL = ("-shared", "-fPIC", "-fvisibility=hidden", "-fno-exceptions", "-fstack-clash-protection")
# Copies and merges of a call site would blur where lanes stand (see Worker::earliest).
_GCC = (
    "-fno-reorder-blocks", "-fno-reorder-blocks-and-partition", "-fno-thread-jumps", "-fno-split-paths",
    "-fno-tree-ch", "-fno-crossjumping", "-fno-tree-tail-merge", "-fno-unroll-loops", "-fno-ipa-cp-clone",
    "-fno-optimize-sibling-calls",
)  # fmt: skip
# Not for gcc, which then makes float(int(-0.5f)) a trunc, and that -0.
_CLANG = (
    "-fno-trapping-math", "-fno-unroll-loops", "-fno-optimize-sibling-calls",
    "-Xclang", "-ffloat16-excess-precision=none",
)  # fmt: skip
_CHECKED = ("-g1", "-fsanitize=thread")  # compiled so, but linked without its runtime: ours is in the host


class NoCompilerError(Exception):
    """There is no C++ compiler here."""


@dataclass(frozen=True, slots=True)
class Compiler:
    """`command` runs it; `clang` says which family's options it takes."""

    command: tuple[str, ...]
    clang: bool
    version: str

    def flags(self, *, checked: bool) -> list[str]:
        """Options that compile a kernel to a library."""
        flags = [*_COMMON, *_KERNEL, *(_CLANG if self.clang else _GCC), "-O1" if checked else "-O2"]
        if platform.machine() in ("x86_64", "AMD64"):
            flags.append("-march=native")
        if checked:
            flags += [*_CHECKED, *self._link_without_runtime()]
        if self.is_zig:
            flags.append("-fno-sanitize=undefined")
        if sys.platform == "darwin":
            flags += ["-undefined", "dynamic_lookup"]
        return flags

    @property
    def is_zig(self) -> bool:
        return "ziglang" in self.command

    def _link_without_runtime(self) -> list[str]:
        if self.clang:
            return ["-mllvm", "-tsan-instrument-func-entry-exit=0"]
        return ["--param", "tsan-instrument-func-entry-exit=0"]


@functools.cache
def find_compiler() -> Compiler:
    """$CU2MLX_CXX, c++, clang++, g++ or PyPI's ziglang, whichever runs first. Raises NoCompilerError."""
    wish = os.environ.get("CU2MLX_CXX")
    candidates = [tuple(shlex.split(wish))] if wish else [("c++",), ("clang++",), ("g++",)]
    candidates = [command for command in candidates if wish or shutil.which(command[0])]
    if not wish:
        candidates.append((sys.executable, "-m", "ziglang", "c++"))
    for command in candidates:
        try:
            ran = subprocess.run([*command, "--version"], capture_output=True, text=True, check=False)
        except OSError:
            continue
        if ran.returncode == 0:
            return Compiler(command, "clang" in ran.stdout.lower() or "zig" in " ".join(command), ran.stdout)
    raise NoCompilerError(
        "no C++ compiler runs here: install one (c++, clang++ or g++), or `pip install ziglang`"
    )


def cache_folder() -> Path:
    """Where built kernels are kept: $CU2MLX_CACHE, or the user's cache folder."""
    if wish := os.environ.get("CU2MLX_CACHE"):
        return Path(wish)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "cu2mlx"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "cu2mlx"


def build_host() -> Path:
    """The host program that runs kernels, built when its sources or the compiler changed."""
    compiler = find_compiler()
    sources = sorted(HOST.glob("*.cpp"))
    flags = [*_COMMON, "-O2", "-rdynamic", "-pthread"]
    if compiler.is_zig:
        flags.append("-fno-sanitize=undefined")
    if sys.platform != "darwin":
        flags.append("-ldl")
    key = _key(compiler, flags, b"".join(path.read_bytes() for path in [*sources, *sorted(HOST.glob("*.h"))]))
    return _build(compiler, flags, sources, cache_folder() / f"host-{key}")


def build_kernel(unit: str, *, checked: bool) -> Path:
    """Compile a translation unit (shim includes and all) to a library.

    Raises CompileError with the compiler's messages; those about the kernel carry its own line numbers.
    """
    compiler = find_compiler()
    flags = compiler.flags(checked=checked)
    library = cache_folder() / f"kernel-{_key(compiler, flags, unit.encode())}.so"
    if library.exists():
        return library
    with tempfile.TemporaryDirectory(prefix="cu2mlx-") as folder:
        source = Path(folder) / "unit.cpp"
        source.write_text(unit)
        return _build(compiler, [*flags, f"-I{SHIM}"], [source], library)


@functools.cache
def _surroundings() -> bytes:
    """What else decides a built kernel: the shims, and the processor that -march=native means."""
    digest = hashlib.sha256()
    for path in sorted(SHIM.rglob("*")):
        if path.is_file():
            digest.update(str(path.relative_to(SHIM)).encode() + b"\0" + path.read_bytes())
    digest.update(f"{platform.machine()} {platform.processor()}".encode())
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        text = cpuinfo.read_text(errors="replace")
        digest.update("".join(sorted({row for row in text.splitlines() if row.startswith("flags")})).encode())
    return digest.digest()


def _key(compiler: Compiler, flags: Sequence[str], content: bytes) -> str:
    digest = hashlib.sha256(_surroundings())
    digest.update(repr((compiler.command, compiler.version, tuple(flags))).encode())
    digest.update(content)
    return digest.hexdigest()[:24]


def _build(compiler: Compiler, flags: Sequence[str], sources: Sequence[Path], target: Path) -> Path:
    if target.exists():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    # Compiled and linked apart where the link must not see -fsanitize; renamed last, so that a reader never
    # finds half a file.
    with tempfile.TemporaryDirectory(prefix="cu2mlx-", dir=target.parent) as folder:
        built = Path(folder) / target.name
        if "-fsanitize=thread" in flags:
            object_file = Path(folder) / "unit.o"
            compile_only = [flag for flag in flags if flag != "-shared"]
            _run(compiler, [*compile_only, "-c", str(sources[0]), "-o", str(object_file)])
            link = [flag for flag in flags if flag not in _CHECKED and not flag.startswith("-I")]
            _run(compiler, [*link, str(object_file), "-o", str(built)])
            if sys.platform == "darwin":  # macOS leaves line numbers in the object file; atos wants them kept
                subprocess.run(["dsymutil", str(built), "-o", f"{target}.dSYM"], check=False)
        else:
            _run(compiler, [*flags, *map(str, sources), "-o", str(built)])
        built.replace(target)
    return target


def _run(compiler: Compiler, arguments: Sequence[str]) -> None:
    ran = subprocess.run([*compiler.command, *arguments], capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        raise CompileError(ran.stderr.strip() or f"{compiler.command[0]} ended with {ran.returncode}")
