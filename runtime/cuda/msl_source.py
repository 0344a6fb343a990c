"""MSL made CUDA C++: text in, one translation unit for NVRTC out, line numbers kept.

The text is read and rewritten as for the CPU machine; what differs is the entry, a kernel here, and the
headers: vectors, traits and functions are the CPU machine's, and what touches the machine is in shim/.
"""

import functools
import re
from collections.abc import Mapping
from pathlib import Path

from cu2mlx.runtime.cpu import msl_source as cpu_source
from cu2mlx.runtime.cpu.compiler import SHIM as CPU_SHIM
from cu2mlx.runtime.msl.kernels import Parameter, find_kernel

SHIM = Path(__file__).resolve().parent / "shim"
HEADER = "msl/metal_stdlib.h"  # as the translation unit includes it
MLX_HEADER = "msl/mlx.h"
ENTRY = "msl_entry"

# In the order in which each needs the ones before it.
_OURS, _CPU = SHIM, CPU_SHIM / "msl"
_PARTS = (
    _OURS / "std.h", _OURS / "builtins.h", _OURS / "renames.h", _OURS / "numeric.h", _OURS / "engine.h",
    _CPU / "numbers.h", _CPU / "vector.h", _CPU / "traits.h", _CPU / "math.h", _CPU / "common.h", _OURS / "fast.h",
    _CPU / "memory.h", _OURS / "sync.h", _CPU / "combine.h", _OURS / "lanes.h", _CPU / "simd.h",
    _CPU / "entry.h", _CPU / "internals.h", _CPU / "logging.h",
    _CPU / "matrix.h", _OURS / "product.h", _OURS / "arguments.h", _CPU / "metal_stdlib.h",
)  # fmt: skip

# Lines of the CPU machine's headers that the GPU has instructions for: pattern → what stands there instead.
_REPLACED = {
    r"MSL_FLOAT1\(rsqrt, .*\)": "MSL_FLOAT1(rsqrt, ::rsqrtf(x))",
    r"MSL_FLOAT1\(exp10, .*\)": "MSL_FLOAT1(exp10, ::exp10f(x))",
    r"MSL_FLOAT1\(sinpi, .*\)": "MSL_FLOAT1(sinpi, ::sinpif(x))",
    r"MSL_FLOAT1\(cospi, .*\)": "MSL_FLOAT1(cospi, ::cospif(x))",
    r"MSL_BOTH\((?:cos|exp|exp10|exp2|log|log10|log2|sin|tan|divide|pow|powr)\)": "",  # in fast.h
}


def headers() -> dict[str, str]:
    """The headers of a translation unit, by the names under which it includes them."""
    return {HEADER: _metal_stdlib(), MLX_HEADER: _without_includes(_CPU / "mlx.h")}


@functools.cache
def _metal_stdlib() -> str:
    text = "\n".join(_without_includes(path) for path in _PARTS)
    for pattern, ours in _REPLACED.items():
        text, count = re.subn(rf"^{pattern}$", ours, text, flags=re.MULTILINE)
        assert count, f"the CPU machine's headers have no line {pattern}"
    return text


def _without_includes(path: Path) -> str:
    lines = path.read_text(encoding="utf-8").split("\n")
    kept = ["" if line.startswith(("#include", "#pragma once")) else line for line in lines]
    return "\n".join([f'#line 1 "{path.parent.name}/{path.name}"', *kept])


def translation_unit(
    text: str, entry: str, constants: Mapping[int, str], kind: str = 'extern "C" __global__'
) -> str:
    """CUDA C++ with msl_entry, a kernel unless `kind` says otherwise. Raises CompileError as the CPU machine's does."""
    unit = cpu_source.translation_unit(text, entry, constants, unrolled=True)
    body, _, last = unit.rpartition('#line 1 "entry"\n')
    last = last.replace(f"static void {ENTRY}(", f"{kind} void {ENTRY}(")
    last = last.replace("msl::buffer<", "msl::argument<").replace(f"ENGINE_ENTRY({ENTRY})", "")
    return f'{_values_by_value(body, text, entry)}#line 1 "entry"\n{last}'


def is_value(parameter: Parameter) -> bool:
    """A buffer that MSL takes as a const reference: CUDA passes it by value."""
    return parameter.is_buffer and parameter.is_reference and "const" in parameter.type.split()


def _values_by_value(body: str, text: str, entry: str) -> str:
    """The kernel's const references made values: NVRTC simplifies branches on them before it inlines."""
    kernel, _ = find_kernel(text, entry)
    head = re.search(rf"\b{re.escape(kernel.name)}\s*\(", body)
    if head is None:
        return body
    end = body.index("{", head.end())
    signature = body[head.end() : end]
    for parameter in filter(is_value, kernel.parameters):
        signature = re.sub(
            rf"&(\s*){re.escape(parameter.name)}\b(?=\s*[,)])", rf"\1 {parameter.name}", signature
        )
    return body[: head.end()] + signature + body[end:]
