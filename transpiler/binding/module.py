"""The emitted Python module: one function per kernel, as a person would write it (see module.py.jinja)."""

from collections.abc import Sequence
from dataclasses import asdict
from functools import cache
from typing import TYPE_CHECKING, Any

from cu2mlx.transpiler.binding.cuda_text import cuda_body, cuda_header
from cu2mlx.transpiler.binding.defaults import launch_defaults
from cu2mlx.transpiler.binding.function import KernelFunction, kernel_function
from cu2mlx.transpiler.binding.gradient import Gradient
from cu2mlx.transpiler.binding.gradient_function import gradient_functions
from cu2mlx.transpiler.binding.interface import KernelInterface, Role
from cu2mlx.transpiler.binding.literals import name_tuple, source_literal, text_literal
from cu2mlx.transpiler.binding.signature import (
    CHANGED_ROLES,
    DYNAMIC_SHARED,
    MAXIMUM_BUFFERS,
    MAXIMUM_THREADGROUP_BYTES,
    MAXIMUM_THREADS,
    SMALLEST_DEVICE_ARRAY,
    SMALLEST_DYNAMIC_SHARED,
    ZEROED_ROLES,
    ascii_source,
    signature,
)

if TYPE_CHECKING:
    from jinja2 import Template

# Kernel text and CUDA's own names are kept as they are.
_NOQA = "E501, N802, N803, N806, RUF100, W291, W293"


def emit_module(
    interfaces: Sequence[KernelInterface], source_name: str, gradients: Sequence[Gradient] = ()
) -> str:
    """The text of a standalone module with one function per kernel; ASCII, it imports mlx and nothing else.

    `gradients` add differentiable functions of kernels among `interfaces`. Raises ValueError for a kernel that
    writes no buffer, since MLX cannot run it, and GradientError as gradient_functions does.
    """
    functions = [kernel_function(interface, launch_defaults(interface)) for interface in interfaces]
    headers = _Headers()
    kernels = [_kernel(interface, f, headers) for interface, f in zip(interfaces, functions, strict=True)]
    by_kernel = {interface.name: f for interface, f in zip(interfaces, functions, strict=True)}
    scalars = [p for interface in interfaces for p in interface.parameters if p.role is Role.SCALAR]
    packs = any(p.array for p in scalars)
    roles = {p.role for interface in interfaces for p in interface.parameters}
    text = _template().render(
        source_name=ascii_source(source_name),
        noqa=_NOQA,
        kernels=kernels,
        gradients=[asdict(each) for each in gradient_functions(gradients, by_kernel)],
        headers=headers.constants,
        uses_arrays=bool(roles & {Role.IN, *CHANGED_ROLES, *ZEROED_ROLES}),
        uses_nullable=any("_nullable(" in line for f in functions for line in f.statements),
        uses_records=any(p.layout for interface in interfaces for p in interface.parameters),
        uses_scalars=packs or any("_scalar(" in line for f in functions for line in f.statements),
        uses_packed=packs,
        uses_vectors=any(p.lanes > 1 for p in scalars),
        uses_in_place=bool(roles & CHANGED_ROLES),
        uses_maximum=Role.RAISED in roles,
        uses_shapes=Role.OUT in roles,
        maximum_threads=MAXIMUM_THREADS,
        maximum_buffers=MAXIMUM_BUFFERS,
        maximum_threadgroup_bytes=MAXIMUM_THREADGROUP_BYTES,
        smallest=SMALLEST_DEVICE_ARRAY,
        smallest_shared=SMALLEST_DYNAMIC_SHARED,
        dynamic_shared=DYNAMIC_SHARED,
    )
    return text.rstrip("\n") + "\n"


class _Headers:
    """The header texts of a module, each once, as named constants."""

    def __init__(self) -> None:
        self.constants: list[dict[str, str]] = []
        self._names: dict[tuple[str, str], str] = {}

    def name(self, language: str, text: str) -> str:
        """The constant that holds `text`, or the empty literal."""
        if not text:
            return '""'
        if (language, text) not in self._names:
            number = sum(key[0] == language for key in self._names) + 1
            name = f"_{language}_HEADER" + (f"_{number}" if number > 1 else "")
            self._names[language, text] = name
            self.constants.append({"name": name, "literal": source_literal(text)})
        return self._names[language, text]


def _kernel(interface: KernelInterface, function: KernelFunction, headers: _Headers) -> dict[str, Any]:
    bound = signature(interface)
    return {
        **asdict(function),
        "digest": bound.name.rpartition("_")[2],
        "inputs": [buffer.name for buffer in bound.inputs],
        "outputs": [buffer.name for buffer in bound.outputs],
        "metal_header": headers.name("METAL", bound.header),
        "metal_body": source_literal(bound.body),
        "cuda_header": headers.name("CUDA", cuda_header(interface)),
        "cuda_body": source_literal(cuda_body(interface)),
        "in_place": bound.in_place,
        "fresh": [b.name for b in bound.outputs if b.parameter.role not in CHANGED_ROLES],
        "max_threads": interface.max_threads,
        "dynamic_shared": interface.dynamic_shared,
    }


@cache
def _template() -> "Template":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("cu2mlx.transpiler.binding", "."),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    environment.filters["literal"] = text_literal
    environment.filters["names"] = name_tuple
    environment.filters["numbers"] = str
    return environment.get_template("module.py.jinja")
