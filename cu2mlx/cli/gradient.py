"""What becomes of the pairs that `translate --gradient` asks for."""

from collections.abc import Sequence

from cu2mlx.transpiler.binding.gradient import Gradient, GradientError, GradientRequest, Problem
from cu2mlx.transpiler.binding.gradient_match import match
from cu2mlx.transpiler.binding.interface import KernelInterface
from cu2mlx.transpiler.binding.names import python_names
from cu2mlx.transpiler.diagnostics import Diagnostic, diagnostic
from cu2mlx.transpiler.kernels import TranslatedKernel
from cu2mlx.transpiler.preprocess import Unit


def gradients_of(
    requests: Sequence[GradientRequest], kernels: Sequence[TranslatedKernel], unit: Unit
) -> tuple[list[Gradient], list[Diagnostic]]:
    """The differentiable functions, and why others are none. `kernels` without interface were refused.

    Raises GradientError where a request names what is not there.
    """
    by_name = {kernel.name: kernel for kernel in kernels}
    found: list[Gradient] = []
    diagnostics: list[Diagnostic] = []
    for request in requests:
        asked = [_kernel(name, by_name) for name in (request.forward, *request.backward)]
        interfaces = [kernel.interface for kernel in asked if kernel.interface is not None]
        if len(interfaces) < len(asked):
            refused = next(kernel for kernel in asked if kernel.interface is None)
            span = unit.origin(refused.function.node.start)
            diagnostics.append(diagnostic("CU5105", span, name=refused.name))
            continue
        made = match(interfaces[0], interfaces[1:], request)
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
    backward = problem.kernel if problem.kernel in request.backward else ", ".join(request.backward)
    return diagnostic(
        problem.code, unit.origin(place.start), name=name, forward=request.forward, backward=backward
    )
