"""Clang in this process, reading MSL as C++ for OpenCL 2021 against our declarations of Metal's library."""

import contextlib
import hashlib
import os
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clang.cindex import TranslationUnit

INCLUDE = Path(__file__).parent / "include"

# Generic pointers stay on for methods (`this` in any space); the lint demands that the text itself names
# a space. `spir64` keeps sizes and signedness the same on every machine.
_ARGUMENTS = (
    "-target spir64-unknown-unknown -cl-std=CLC++2021 -cl-no-stdinc -nostdinc -cl-single-precision-constant "
    "-fdeclspec -ferror-limit=40 -ftemplate-depth=512 "
    "-Wno-everything -Wuninitialized -Wsometimes-uninitialized -Wreturn-type -Wreturn-stack-address "
    "-Xclang -cl-ext=-all,+cl_khr_fp16,+__cl_clang_bitfields,+__cl_clang_non_portable_kernel_param_types,"
    "+__cl_clang_function_pointers,+__opencl_c_generic_address_space"
).split()

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
    from importlib.metadata import version

    digest = hashlib.sha256(repr((_ARGUMENTS, str(INCLUDE), version("libclang"), sys.platform)).encode())
    for header in sorted(INCLUDE.iterdir()):
        if header.is_file():
            digest.update(header.name.encode() + b"\0" + header.read_bytes())
    return digest.hexdigest()[:20]


@cache
def _precompiled(mlx_preamble: bool) -> Path | None:
    """The saved headers, made on first use; None where the cache cannot be written."""
    from clang.cindex import Index, TranslationUnit, TranslationUnitSaveError

    directory = cache_directory() / "check"
    target = directory / f"{'mlx' if mlx_preamble else 'metal'}-{_fingerprint()}.pch"
    if target.exists():
        return target
    try:
        directory.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=directory, suffix=".tmp")
    except OSError:
        return None
    os.close(handle)
    temporary = Path(name)
    try:
        unit = Index.create().parse(
            "prelude.h",
            ["-x", "clcpp", *_ARGUMENTS, "-D__MSL_PCH", "-Xclang", "-fno-pch-timestamp", f"-I{INCLUDE}"],
            unsaved_files=[("prelude.h", f"#include <{_PRELUDE[mlx_preamble]}>\n")],
            options=TranslationUnit.PARSE_INCOMPLETE,
        )
        unit.save(str(temporary))
        temporary.replace(target)
    except (OSError, TranslationUnitSaveError):
        return None
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
    return target


def parse(text: str, path: str, *, mlx_preamble: bool) -> "TranslationUnit":
    """Parse rewritten MSL. The unit's diagnostics and cursors name `path`."""
    from clang.cindex import Index

    precompiled = _precompiled(mlx_preamble)
    if precompiled is not None:
        prelude = ["-include-pch", str(precompiled)]
    else:
        prelude = ["-include", _PRELUDE[mlx_preamble]]
    return Index.create().parse(
        path,
        ["-x", "clcpp", *_ARGUMENTS, *prelude, f"-I{INCLUDE}"],
        unsaved_files=[(path, text)],
    )
