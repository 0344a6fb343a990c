"""What every rule is given: the instance being printed, and a place for what it asks for."""

from collections.abc import Callable
from dataclasses import dataclass, field

from cu2mlx.transpiler.diagnostics import Diagnostic, Severity, diagnostic
from cu2mlx.transpiler.model.address_spaces import AddressSpaces, Instance
from cu2mlx.transpiler.model.declarations import Declarations, Space, Variable
from cu2mlx.transpiler.model.expressions import Typing
from cu2mlx.transpiler.preprocess import Unit
from cu2mlx.transpiler.syntax import Node

DROP = "\x00"  # a rule's answer for "nothing, and no white space after it either"


@dataclass(frozen=True, slots=True)
class Options:
    """`double`: "refuse", or "float" to narrow it with a warning."""

    double: str = "refuse"


@dataclass(frozen=True, slots=True)
class Handed:
    """Something only a kernel has, handed down to helpers as a first parameter.

    `declare` is a format string over the parameter's name ("uint3 {}"); `name` is what the kernel calls it and
    callers pass; `local` is its name inside the function that uses it. `kernel` is the statement that makes
    it in a kernel's body, empty where the kernel's signature provides it. `parameters` are template parameters of
    the helper that its type hangs on.
    """

    declare: str
    name: str
    local: str = ""
    kernel: str = ""
    parameters: tuple[str, ...] = ()

    @property
    def parameter(self) -> str:
        return self.declare.format(self.local or self.name)

    def passed_on(self) -> "Handed":
        """The same for a caller that only passes it through."""
        return Handed(self.declare, self.name, self.name, self.kernel)


@dataclass(slots=True)
class Printed:
    """One instance as Metal text, with what it asks for."""

    text: str = ""
    signature: str = ""
    handed: dict[str, Handed] = field(default_factory=dict)
    hoisted: list[str] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    facts: set[str] = field(default_factory=set)  # such as "dynamic_shared"

    @property
    def refused(self) -> bool:
        return any(d.severity is Severity.ERROR for d in self.diagnostics)


@dataclass(slots=True)
class Context:
    """For the printing of one instance. `renames` maps variables to the names they get in Metal."""

    unit: Unit
    text: str  # of the unit
    declared: Declarations
    spaces: AddressSpaces
    instance: Instance
    options: Options
    render_node: Callable[[Node, "Context"], str]
    printed: Printed
    done: dict[Instance, Printed]
    print_method: "Callable[[Node, Context], str]"
    fields: dict[str, Variable] | None = None  # of the record being printed
    opened: bool = False  # all members of that record are to be public
    renames: dict[Variable, str] = field(default_factory=dict)
    template_casts: dict[str, str] = field(default_factory=dict)  # template ints of enum type: name → enum
    cast_space: Space | None = None
    shared_device_data: bool = False
    nullable: set[Variable] = field(default_factory=set)  # pointers that the caller may leave out
    ways_past: dict[Variable, list[Node]] = field(
        default_factory=dict
    )  # owned buffer → where its write is missed
    leaving: dict[Node, tuple[str, str | None]] = field(
        default_factory=dict
    )  # guard → its flag, and the one before
    active: dict[Node, tuple[str, str]] = field(
        default_factory=dict
    )  # what only active threads do: text around it
    depth: int = 0

    typing: Typing = field(init=False)

    def __post_init__(self) -> None:
        self.typing = self.instance.typing

    def render(self, node: Node) -> str:
        return self.render_node(node, self)

    def source(self, node: Node) -> str:
        return self.text[node.start : node.end]

    def report(self, code: str, node: Node, **details: object) -> None:
        """Record a diagnostic of the catalogue at a node."""
        span = self.unit.origin(node.start)
        kernel = self.instance.function.name if self.instance.function.is_kernel else None
        self.printed.diagnostics.append(diagnostic(code, span, kernel, **details))

    def hand_down(self, handed: Handed) -> None:
        self.printed.handed.setdefault(handed.name, handed)

    def space_of(self, variable: Variable) -> Space:
        """What a pointer or reference variable points into."""
        found = self.instance.space_of.get(variable) or self.spaces.field_space.get(variable)
        if found is not None:
            return found
        return Space.THREAD if variable.type.is_reference else Space.DEVICE

    def pointee(self, node: Node) -> Space | None:
        return self.spaces.pointee(self.instance, node)

    def lvalue(self, node: Node) -> Space | None:
        return self.spaces.lvalue(self.instance, node)
