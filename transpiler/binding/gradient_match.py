"""What each parameter of a backward kernel is to the forward kernel.

Names decide only where they leave no doubt (gradient_names.py). What they leave open is a problem for the user to
settle in a `[gradient]` table, never a guess.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from cu2mlx.transpiler.binding.dtypes import ITEM_SIZE
from cu2mlx.transpiler.binding.gradient import (
    Gradient,
    GradientError,
    GradientRequest,
    Pass,
    Problem,
    Use,
    check_expression,
    output_name,
    written_name,
)
from cu2mlx.transpiler.binding.gradient_host import is_launched_otherwise
from cu2mlx.transpiler.binding.gradient_names import (
    is_gradient_name,
    is_output_gradient_name,
    plain,
    shared_stem,
)
from cu2mlx.transpiler.binding.interface import KernelInterface, Parameter, Role
from cu2mlx.transpiler.binding.names import python_names
from cu2mlx.transpiler.binding.signature import OUTPUT_ROLES

# What a [gradient.parameters] entry may say besides an expression.
ARGUMENT, SCRATCH = "argument", "scratch"
COTANGENT, GRADIENT = "cotangent of ", "gradient of "
_KINDS = {
    Role.SCALAR: "a number",
    Role.IN: "an array that is only read",
    Role.OUT: "an array that is only written",
    Role.OWNED: "an array that is changed in place",
    Role.INOUT: "an array that is changed in place",
    Role.ACCUMULATED: "an array that is added to",
    Role.RAISED: "an array that is raised to a maximum",
}


def match(
    forward: KernelInterface, backward: Sequence[KernelInterface], request: GradientRequest
) -> Gradient | list[Problem]:
    """The function, or what keeps it from being one. Raises GradientError for names that are nowhere."""
    names = _Names(forward)
    _check(request, names, backward)
    passes: list[Pass] = []
    problems: list[Problem] = []
    for place, kernel in enumerate(backward):
        own = python_names(kernel).parameters
        later = {
            plain(p.name) for each in backward[place + 1 :] for p in each.parameters if p.role is Role.IN
        }
        uses: list[Use] = []
        for parameter in kernel.parameters:
            python = own[parameter.name]
            asked = request.parameters.get(f"{kernel.name}.{python}", request.parameters.get(python))
            said = names.asked(parameter, python, asked) if asked is not None else None
            use = said or names.matched(parameter, kernel, later)
            if use is not None:
                uses.append(use)
            else:
                code = "CU5102" if parameter.role in OUTPUT_ROLES else "CU5101"
                problems.append(Problem(code, kernel.name, parameter.name))
        passes.append(Pass(kernel, tuple(uses)))
        names.wrote(own, uses)
    return problems or _function(names, passes, request)


def _function(names: "_Names", passes: list[Pass], request: GradientRequest) -> Gradient | list[Problem]:
    """The function where gradients and cotangents are complete."""
    uses = [(each.kernel.name, use) for each in passes for use in each.uses]
    cotangents = [use.cotangent_of for _, use in uses]
    if not any(cotangents):
        return [Problem("CU5104", passes[0].kernel.name, None)]
    gradients = [use.gradient_of for _, use in uses if use.gradient_of is not None]
    twice = [
        (kernel, use) for kernel, use in uses if use.gradient_of and gradients.count(use.gradient_of) > 1
    ]
    if twice:
        return [Problem("CU5102", kernel, use.parameter.name) for kernel, use in twice]
    without = [*gradients, *(names.inputs[name] for name in request.constants)]
    missing = [p for p in names.inputs.values() if p not in without and not names.is_whole(p)]
    if missing:
        return [Problem("CU5103", names.forward.name, p.name) for p in missing]
    functions = [python_names(kernel).function for kernel in (names.forward, passes[0].kernel)]
    return Gradient(
        function=request.name or shared_stem(*functions),
        forward=names.forward,
        passes=tuple(passes),
        returned=tuple(p for p in names.outputs.values() if p in cotangents or names.is_whole(p)),
        differentiated=tuple(p for p in names.inputs.values() if p in gradients),
        defaults=request.defaults,
    )


class _Names:
    """The forward kernel's parameters by their Python names, and what earlier backward kernels wrote."""

    def __init__(self, forward: KernelInterface) -> None:
        own = python_names(forward).parameters
        self.forward = forward
        self.types = {t.name for t in forward.template if t.kind == "type"}
        self.scalars = {own[p.name]: p for p in forward.parameters if p.role is Role.SCALAR}
        self.inputs = {own[p.name]: p for p in forward.parameters if p.role not in (Role.SCALAR, Role.OUT)}
        self.outputs = {output_name(own, p): p for p in forward.parameters if p.role in OUTPUT_ROLES}
        self.written: dict[str, Parameter] = {}

    @property
    def values(self) -> dict[str, Parameter]:
        return {**self.written, **self.scalars, **self.inputs, **self.outputs}

    def wrote(self, own: Mapping[str, str], uses: Sequence[Use]) -> None:
        """Let later kernels read what one wrote."""
        taken = {**self.scalars, **self.inputs, **self.outputs}
        written = [use for use in uses if use.parameter.role in OUTPUT_ROLES]
        self.written |= {written_name(own[use.parameter.name], use, taken): use.parameter for use in written}

    def is_whole(self, parameter: Parameter) -> bool:
        """Whether an array holds integers or bytes, which have no gradient."""
        return parameter.dtype not in self.types and "float" not in parameter.dtype

    def matched(self, parameter: Parameter, kernel: KernelInterface, later: set[str]) -> Use | None:
        """What a parameter's name says, None where it says nothing, more than one thing, or not the truth.

        `later` are plain names of arrays that later kernels read.
        """
        name = parameter.name
        inputs = [p for p in self.inputs.values() if not self.is_whole(p)]
        outputs = [p for p in self.outputs.values() if not self.is_whole(p)]
        found: list[Use] = []
        if parameter.role is not Role.OUT:
            alike = {python: p for python, p in self.values.items() if plain(p.name) == plain(name)}
            found += [Use(parameter, value=python) for python, p in alike.items() if _can_be(parameter, p)]
        if parameter.role not in (Role.OUT, Role.SCALAR):
            found += [Use(parameter, cotangent_of=p) for p in outputs if is_gradient_name(name, p.name)]
            if not found and len(outputs) == 1 and is_output_gradient_name(name):
                found.append(Use(parameter, cotangent_of=outputs[0]))
        if parameter.role in OUTPUT_ROLES:
            found += [Use(parameter, gradient_of=p) for p in inputs if is_gradient_name(name, p.name)]
        if not found and parameter.role is Role.OUT and plain(name) in later and name not in self.values:
            return Use(parameter)
        if len(found) != 1 or (found[0].gradient_of is not None) != (parameter.role in OUTPUT_ROLES):
            return None
        same = (self.scalars | self.inputs | self.outputs).get(found[0].value or "")
        if same is not None and is_launched_otherwise(self.forward, kernel, same.name, name):
            return None
        return found[0]

    def asked(self, parameter: Parameter, python: str, text: str) -> Use:
        """What the user says that a parameter is. Raises GradientError."""
        key = f"parameters.{python}"
        if text.startswith((COTANGENT, GRADIENT)):
            return self._said(parameter, key, [part.strip() for part in text.split(",")])
        if (text == SCRATCH) != (parameter.role is Role.OUT):
            raise GradientError(
                f'{key}: {text!r} cannot be: "{SCRATCH}" is for what a kernel only writes; of other arrays say what '
                'they start with, such as "mx.zeros((n, 3))"'
            )
        if text == SCRATCH:
            return Use(parameter)
        if text == ARGUMENT:
            if python in self.values:
                raise GradientError(f"{key}: {python} is an argument already; write an expression")
            return Use(parameter, value=python, is_argument=True)
        check_expression(key, text, self.values)
        return Use(parameter, value=text)

    def _said(self, parameter: Parameter, key: str, parts: Sequence[str]) -> Use:
        """A cotangent, which the kernel has to be given, or a gradient, which it has to write, or both in place."""
        use = Use(parameter)
        for part in parts:
            if part.startswith(COTANGENT) and parameter.role not in (Role.OUT, Role.SCALAR):
                use = replace(use, cotangent_of=_one(key, part, COTANGENT, self.outputs))
            elif part.startswith(GRADIENT) and parameter.role in OUTPUT_ROLES:
                use = replace(use, gradient_of=_one(key, part, GRADIENT, self.inputs))
            else:
                raise GradientError(f"{key}: {part!r} cannot be said of {_KINDS[parameter.role]}")
        return use


def _one(key: str, part: str, kind: str, known: Mapping[str, Parameter]) -> Parameter:
    name = part.removeprefix(kind).strip()
    if name not in known:
        raise GradientError(f"{key}: no {name!r} among {', '.join(known)}")
    return known[name]


def _can_be(one: Parameter, other: Parameter) -> bool:
    """Whether both are values, or both arrays of dtypes that can be the same."""
    if one.role is Role.SCALAR or other.role is Role.SCALAR:
        return one.role is other.role
    return one.dtype == other.dtype or one.dtype not in ITEM_SIZE or other.dtype not in ITEM_SIZE


def _check(request: GradientRequest, names: _Names, backward: Sequence[KernelInterface]) -> None:
    known = [(each.name, python_names(each).parameters[p.name]) for each in backward for p in each.parameters]
    alone = list(dict.fromkeys(name for _, name in known))
    for name in request.parameters:
        if name not in alone and tuple(name.rsplit(".", 1)) not in known:
            raise GradientError(f"parameters.{name}: {', '.join(request.backward)} has {', '.join(alone)}")
    for name in request.constants:
        if name not in names.inputs:
            raise GradientError(f"constants: {name}: {request.forward} has {', '.join(names.inputs)}")
