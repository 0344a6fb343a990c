"""Clang in this process, reading MSL as C++ for OpenCL 2021 against our declarations of Metal's library."""

import contextlib
import hashlib
import os
import re
import sys
import tempfile
import time
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clang.cindex import TranslationUnit

INCLUDE = Path(__file__).parent / "include"

# Generic pointers stay on for methods (`this` in any space); the lint demands that the text itself names
# a space. `spir64` keeps sizes and signedness the same on every machine.
_ARGUMENTS = (
    *("-target", "spir64-unknown-unknown", "-cl-std=CLC++2021", "-cl-no-stdinc", "-nostdinc"),
    *("-cl-single-precision-constant", "-fdeclspec", "-ferror-limit=40", "-ftemplate-depth=512"),
    *(
        "-Wno-everything",
        "-Wuninitialized",
        "-Wreturn-type",
        "-Wreturn-stack-address",
    ),
    # Functions of OpenCL's that clang knows without a header: in Metal these names are free.
    *(
        f"-D{name}=__msl_own_{name}"
        for name in ("to_global", "to_local", "to_private", "read_pipe", "write_pipe")
    ),
    "-Xclang",
    "-cl-ext=-all,+cl_khr_fp16,+__cl_clang_bitfields,+__cl_clang_non_portable_kernel_param_types,"
    "+__cl_clang_function_pointers,+__opencl_c_generic_address_space",
)

_CONVERSION = re.compile(r"\bconstexpr\s+operator\s+[A-Za-z_]\w*\s*\(")
_PRELUDE = {False: "metal_internals", True: "mlx_preamble.h"}


def cache_directory() -> Path:
    """Where precompiled headers lie: CU2MLX_CACHE, else the platform's cache folder of the user."""
    if chosen := os.environ.get("CU2MLX_CACHE"):
        return Path(chosen)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "cu2mlx"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "cu2mlx"


@cache
def _fingerprint() -> str:
    """Of everything a precompiled header depends on: the headers, their place, the options, the library."""
    digest = hashlib.sha256(repr((_ARGUMENTS, str(INCLUDE), version("libclang"), sys.platform)).encode())
    for header in sorted(INCLUDE.iterdir()):
        if header.is_file():
            digest.update(header.name.encode() + b"\0" + header.read_bytes())
    return digest.hexdigest()[:20]


@cache
def _precompiled(directory: Path, mlx_preamble: bool) -> Path | None:
    """The saved headers, made on first use; None where `directory` cannot be written."""
    target = directory / f"{'mlx' if mlx_preamble else 'metal'}-{_fingerprint()}.pch"
    if target.exists():
        return target
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=directory) as temporary:
            saved = Path(temporary) / target.name
            _save(saved, mlx_preamble)
            saved.replace(target)
    except OSError:
        return None
    _forget_old(directory)
    return target


def _save(path: Path, mlx_preamble: bool) -> None:
    """Compile the headers into `path`. Raises OSError where it cannot be written."""
    from clang.cindex import Diagnostic, Index, TranslationUnit, TranslationUnitSaveError

    arguments = ["-x", "clcpp", *_ARGUMENTS, "-D__MSL_PCH", "-Xclang", "-fno-pch-timestamp", f"-I{INCLUDE}"]
    unit = Index.create().parse(
        "prelude.h",
        arguments,
        unsaved_files=[("prelude.h", f"#include <{_PRELUDE[mlx_preamble]}>\n")],
        options=TranslationUnit.PARSE_INCOMPLETE,
    )
    errors = [str(d) for d in unit.diagnostics if d.severity >= Diagnostic.Error]
    if errors:
        raise RuntimeError("the checker's own headers do not compile: " + "; ".join(errors[:3]))
    try:
        unit.save(str(path))
    except TranslationUnitSaveError as error:
        raise OSError(f"{path} cannot be written") from error


def _forget_old(directory: Path) -> None:
    """Remove precompiled headers of earlier versions that were made a month ago or longer."""
    for path in directory.glob("*.pch"):
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime > 30 * 86_400:
                path.unlink()


def parse(text: str, path: str, *, mlx_preamble: bool) -> "TranslationUnit":
    """Parse rewritten MSL. The unit's diagnostics and cursors name `path`."""
    from clang.cindex import TranslationUnitLoadError

    precompiled = _precompiled(cache_directory() / "check", mlx_preamble)
    if precompiled is not None:
        try:
            return _parse(text, path, ["-include-pch", str(precompiled)])
        except TranslationUnitLoadError:  # a damaged file, or one that was removed: do without it
            precompiled.unlink(missing_ok=True)
    return _parse(text, path, ["-include", _PRELUDE[mlx_preamble]])


def _parse(text: str, path: str, prelude: list[str]) -> "TranslationUnit":
    from clang.cindex import Index

    steps = ["-include", "metal_steps"] if _CONVERSION.search(text) else []
    arguments = ["-x", "clcpp", *_ARGUMENTS, *prelude, *steps, f"-I{INCLUDE}"]
    return Index.create().parse(path, arguments, unsaved_files=[(path, text)])
