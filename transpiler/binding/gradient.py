"""A forward and a backward kernel as one differentiable function: what each parameter of the backward one is.

Names decide only where they leave no doubt (gradient_names.py). What they leave open is a problem for the user to
settle in a `[gradient]` table, never a guess.
"""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from cu2mlx.transpiler.binding.dtypes import ITEM_SIZE
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
}
# Names that expressions may use besides the function's own.
KNOWN_NAMES = frozenset({"mx", "math", "int", "float", "bool", "len", "max", "min", "tuple"})


@dataclass(frozen=True, slots=True)
class GradientRequest:
    """What the user asks for. `parameters` says what parameters of the backward kernel are:

    "cotangent of Y", "gradient of X", both with a comma between them for a buffer changed in place, "argument"
    (the function gets it as one more argument), "scratch" (written and of no use), or a Python expression over
    the forward kernel's arguments and outputs. `constants` are forward arrays that no gradient flows to;
    `defaults` are Python expressions for keywords of the function, over its arguments and earlier keywords.
    """

    forward: str
    backward: str
    name: str | None = None
    parameters: Mapping[str, str] = field(default_factory=dict)
    constants: frozenset[str] = frozenset()
    defaults: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Use:
    """One parameter of the backward kernel; `cotangent_of` and `gradient_of` are parameters of the forward one.

    `value` is what is passed, as Python text. An array that the kernel takes and that has neither a cotangent nor
    a value starts at zero: a gradient is added up in it.
    """

    parameter: Parameter
    cotangent_of: Parameter | None = None
    gradient_of: Parameter | None = None
    value: str | None = None
    is_argument: bool = False


@dataclass(frozen=True, slots=True)
class Gradient:
    """A differentiable function, by its Python name. `returned` are forward outputs, `differentiated` inputs."""

    function: str
    forward: KernelInterface
    backward: KernelInterface
    uses: tuple[Use, ...]
    returned: tuple[Parameter, ...]
    differentiated: tuple[Parameter, ...]
    defaults: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Problem:
    """What keeps a pair from being a differentiable function: a code, and the parameter it is about."""

    code: str
    kernel: str
    parameter: str | None


class GradientError(ValueError):
    """A request that names what the kernels do not have; the message says what they have."""


def pair(
    forward: KernelInterface, backward: KernelInterface, request: GradientRequest
) -> Gradient | list[Problem]:
    """The function, or what keeps it from being one. Raises GradientError for names that are nowhere."""
    names = _Names(forward)
    own = python_names(backward).parameters
    _check(request, names, [own[p.name] for p in backward.parameters])
    uses: list[Use] = []
    problems: list[Problem] = []
    for parameter in backward.parameters:
        asked = request.parameters.get(own[parameter.name])
        if asked is None:
            use = names.matched(parameter, backward)
        else:
            use = names.asked(parameter, own[parameter.name], asked)
        if use is not None:
            uses.append(use)
        else:
            code = "CU5102" if parameter.role in OUTPUT_ROLES else "CU5101"
            problems.append(Problem(code, backward.name, parameter.name))
    if problems:
        return problems
    cotangents = [use.cotangent_of for use in uses]
    if not any(cotangents):
        return [Problem("CU5104", backward.name, None)]
    gradients = [use.gradient_of for use in uses if use.gradient_of is not None]
    twice = [use for use in uses if use.gradient_of is not None and gradients.count(use.gradient_of) > 1]
    if twice:
        return [Problem("CU5102", backward.name, use.parameter.name) for use in twice]
    without = [*gradients, *(names.inputs[name] for name in request.constants)]
    missing = [p for p in names.inputs.values() if p not in without and not names.is_whole(p)]
    if missing:
        return [Problem("CU5103", forward.name, p.name) for p in missing]
    return Gradient(
        function=request.name or shared_stem(forward.name, backward.name),
        forward=forward,
        backward=backward,
        uses=tuple(uses),
        returned=tuple(p for p in names.outputs.values() if p in cotangents or names.is_whole(p)),
        differentiated=tuple(p for p in names.inputs.values() if p in gradients),
        defaults=request.defaults,
    )


class _Names:
    """The forward kernel's parameters by their Python names; what an in-place kernel returns is NAME_after."""

    def __init__(self, forward: KernelInterface) -> None:
        own = python_names(forward).parameters
        self.forward = forward
        self.types = {t.name for t in forward.template if t.kind == "type"}
        self.scalars = {own[p.name]: p for p in forward.parameters if p.role is Role.SCALAR}
        self.inputs = {own[p.name]: p for p in forward.parameters if p.role not in (Role.SCALAR, Role.OUT)}
        self.outputs = {output_name(own, p): p for p in forward.parameters if p.role in OUTPUT_ROLES}

    @property
    def values(self) -> dict[str, Parameter]:
        return {**self.scalars, **self.inputs, **self.outputs}

    def is_whole(self, parameter: Parameter) -> bool:
        """Whether an array holds integers or bytes, which have no gradient."""
        return parameter.dtype not in self.types and "float" not in parameter.dtype

    def matched(self, parameter: Parameter, backward: KernelInterface) -> Use | None:
        """What a parameter's name says, None where it says nothing, more than one thing, or not the truth."""
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
        if len(found) != 1 or (found[0].gradient_of is not None) != (parameter.role in OUTPUT_ROLES):
            return None
        same = self.values.get(found[0].value or "")
        if same is not None and is_launched_otherwise(self.forward, backward, same.name, name):
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


def output_name(own: Mapping[str, str], parameter: Parameter) -> str:
    """A forward output's name among the differentiable function's variables."""
    return own[parameter.name] if parameter.role is Role.OUT else f"{own[parameter.name]}_after"


def _check(request: GradientRequest, names: _Names, backward: Sequence[str]) -> None:
    for name in request.parameters:
        if name not in backward:
            raise GradientError(f"parameters.{name}: {request.backward} has {', '.join(backward)}")
    for name in request.constants:
        if name not in names.inputs:
            raise GradientError(f"constants: {name}: {request.forward} has {', '.join(names.inputs)}")


def check_expression(key: str, text: str, known: Mapping[str, object]) -> None:
    """Raise GradientError unless `text` is a Python expression over the names in `known`."""
    try:
        tree = ast.parse(text, mode="eval")
    except SyntaxError:
        raise GradientError(f"{key}: {text!r} is no Python expression") from None
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in known and node.id not in KNOWN_NAMES:
            raise GradientError(f"{key}: {text!r} uses {node.id}; there are {', '.join(known)}")
