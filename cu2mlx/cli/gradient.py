"""What `translate --gradient` asks for, and what becomes of it."""

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cu2mlx.transpiler.binding.gradient import Gradient, GradientError, GradientRequest, Problem, pair
from cu2mlx.transpiler.binding.interface import KernelInterface
from cu2mlx.transpiler.binding.names import python_names
from cu2mlx.transpiler.diagnostics import Diagnostic, diagnostic
from cu2mlx.transpiler.kernels import TranslatedKernel
from cu2mlx.transpiler.preprocess import Unit

_KEYS = ("forward", "backward", "name", "parameters", "constants", "defaults")


def gradient_request(text: str, folder: Path = Path()) -> GradientRequest:
    """`FORWARD=BACKWARD`, or a TOML file (relative to `folder`) with a `[gradient]` table. Raises GradientError."""
    if not text.endswith(".toml"):
        forward, equals, backward = (part.strip() for part in text.partition("="))
        if not (forward and equals and backward):
            raise GradientError(
                "write FORWARD=BACKWARD, the names of two kernels, or the name of a TOML file"
            )
        return GradientRequest(forward, backward)
    try:
        top = tomllib.loads((folder / text).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise GradientError(f"cannot be read: {error}") from None
    table = top.get("gradient")
    if not isinstance(table, dict):
        raise GradientError("has no [gradient] table")
    for key in table:
        if key not in _KEYS:
            raise GradientError(f"gradient.{key}: a [gradient] table has {', '.join(_KEYS)}")
    constants = table.get("constants", [])
    if not isinstance(constants, list) or not all(isinstance(each, str) for each in constants):
        raise GradientError('gradient.constants: is a list of names, ["a", "b"]')
    return GradientRequest(
        forward=_text("forward", table.get("forward")),
        backward=_text("backward", table.get("backward", top.get("kernel"))),
        name=_text("name", table["name"]) if "name" in table else None,
        parameters=_texts("parameters", table.get("parameters", {})),
        constants=frozenset(constants),
        defaults=_texts("defaults", table.get("defaults", {})),
    )


def _text(key: str, value: Any) -> str:
    if not isinstance(value, str):
        raise GradientError(f"gradient.{key}: is a text in quotes, and has to be there")
    return value


def _texts(key: str, value: Any) -> dict[str, str]:
    if not isinstance(value, dict):
        raise GradientError(f"gradient.{key}: is a table, [gradient.{key}]")
    return {name: _text(f"{key}.{name}", each) for name, each in value.items()}


def gradients_of(
    requests: Sequence[GradientRequest], kernels: Sequence[TranslatedKernel], unit: Unit
) -> tuple[list[Gradient], list[Diagnostic]]:
    """The differentiable functions, and why others are none. `kernels` without interface were refused.

    Raises GradientError where a request names what is not there.
    """
    by_name = {kernel.function.name: kernel for kernel in kernels}
    found: list[Gradient] = []
    diagnostics: list[Diagnostic] = []
    for request in requests:
        both = [_kernel(name, by_name) for name in (request.forward, request.backward)]
        interfaces = [kernel.interface for kernel in both if kernel.interface is not None]
        if len(interfaces) < 2:
            refused = next(kernel for kernel in both if kernel.interface is None)
            span = unit.origin(refused.function.node.start)
            diagnostics.append(diagnostic("CU5105", span, name=refused.function.name))
            continue
        made = pair(interfaces[0], interfaces[1], request)
        if isinstance(made, Gradient):
            found.append(made)
        else:
            diagnostics += [_diagnostic(problem, request, by_name[problem.kernel], unit) for problem in made]
    return found, diagnostics


def _kernel(name: str, kernels: dict[str, TranslatedKernel]) -> TranslatedKernel:
    if name not in kernels:
        raise GradientError(f"no kernel {name!r}; there are {', '.join(kernels)}")
    return kernels[name]


def _diagnostic(
    problem: Problem, request: GradientRequest, kernel: TranslatedKernel, unit: Unit
) -> Diagnostic:
    assert isinstance(kernel.interface, KernelInterface)
    declared = {variable.name: variable.holder for variable in kernel.function.parameters}
    place = declared.get(problem.parameter or "", kernel.function.node)
    name = python_names(kernel.interface).parameters.get(problem.parameter or "", "")
    return diagnostic(
        problem.code, unit.origin(place.start), name=name, forward=request.forward, backward=request.backward
    )
