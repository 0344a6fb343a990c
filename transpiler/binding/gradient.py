"""Kernels of a forward and a backward pass as one differentiable function."""

import ast
from collections.abc import Container, Mapping
from dataclasses import dataclass, field

from cu2mlx.transpiler.binding.interface import KernelInterface, Parameter, Role

# Names that expressions may use besides the function's own.
KNOWN_NAMES = frozenset({"mx", "math", "int", "float", "bool", "len", "max", "min", "tuple"})


@dataclass(frozen=True, slots=True)
class GradientRequest:
    """What the user asks for. `backward` are kernels in the order they run, a later one may read what an earlier
    one wrote. `parameters` says what parameters of theirs are, by NAME or, of one kernel only, by KERNEL.NAME:

    "cotangent of Y", "gradient of X", both with a comma between them for a buffer changed in place, "argument"
    (the function gets it as one more argument), "scratch" (written, and at most read by a later kernel), or a
    Python expression over the forward kernel's arguments and outputs and what earlier kernels wrote. `constants`
    are forward arrays that no gradient flows to; `defaults` are Python expressions for keywords of the function,
    over its arguments and earlier keywords.
    """

    forward: str
    backward: tuple[str, ...]
    name: str | None = None
    parameters: Mapping[str, str] = field(default_factory=dict)
    constants: frozenset[str] = frozenset()
    defaults: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Use:
    """One parameter of a backward kernel; `cotangent_of` and `gradient_of` are parameters of the forward one.

    `value` is what is passed, as Python text. An array that the kernel takes and that has neither a cotangent nor
    a value starts at zero: a gradient is added up in it.
    """

    parameter: Parameter
    cotangent_of: Parameter | None = None
    gradient_of: Parameter | None = None
    value: str | None = None
    is_argument: bool = False


@dataclass(frozen=True, slots=True)
class Pass:
    """One backward kernel."""

    kernel: KernelInterface
    uses: tuple[Use, ...]


@dataclass(frozen=True, slots=True)
class Gradient:
    """A differentiable function, by its Python name. `returned` are forward outputs, `differentiated` inputs."""

    function: str
    forward: KernelInterface
    passes: tuple[Pass, ...]
    returned: tuple[Parameter, ...]
    differentiated: tuple[Parameter, ...]
    defaults: Mapping[str, str]

    @property
    def uses(self) -> list[Use]:
        return [use for each in self.passes for use in each.uses]


@dataclass(frozen=True, slots=True)
class Problem:
    """What keeps kernels from being a differentiable function: a code, and the parameter it is about."""

    code: str
    kernel: str
    parameter: str | None


class GradientError(ValueError):
    """A request that names what the kernels do not have; the message says what they have."""


def output_name(own: Mapping[str, str], parameter: Parameter) -> str:
    """A forward output's name among the function's variables: an array changed in place is there twice."""
    return own[parameter.name] if parameter.role is Role.OUT else f"{own[parameter.name]}_after"


def written_name(python: str, use: Use, taken: Container[str]) -> str:
    """The variable for what a backward kernel writes: its own name where that is free."""
    both = use.cotangent_of is not None and use.gradient_of is not None
    return f"{python}_gradient" if both or python in taken else python


def check_expression(key: str, text: str, known: Mapping[str, object]) -> None:
    """Raise GradientError unless `text` is a Python expression over the names in `known`."""
    try:
        tree = ast.parse(text, mode="eval")
    except SyntaxError:
        raise GradientError(f"{key}: {text!r} is no Python expression") from None
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in known and node.id not in KNOWN_NAMES:
            raise GradientError(f"{key}: {text!r} uses {node.id}; there are {', '.join(known)}")
