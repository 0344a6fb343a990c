"""The differentiable function of the emitted module, as Python text: mx.custom_function around two kernels."""

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from cu2mlx.transpiler.binding.dtypes import ITEM_SIZE
from cu2mlx.transpiler.binding.function import KernelFunction
from cu2mlx.transpiler.binding.gradient import Gradient, GradientError, Use, check_expression, output_name
from cu2mlx.transpiler.binding.interface import Parameter, Role
from cu2mlx.transpiler.binding.names import python_names
from cu2mlx.transpiler.binding.signature import OUTPUT_ROLES

_LAUNCH = ("grid: Size | None = None", "block: Size | None = None")


@dataclass(frozen=True, slots=True)
class GradientFunction:
    """As they stand in the definition, `documentation` and `statements` with their indentation."""

    function: str
    arguments: tuple[str, ...]
    keywords: tuple[str, ...]
    returns: str
    documentation: str
    statements: str


def gradient_functions(
    gradients: Sequence[Gradient], functions: Mapping[str, KernelFunction]
) -> list[GradientFunction]:
    """`functions` are the module's, by kernel. Raises GradientError for a name that is taken or is nowhere."""
    taken = [function.function for function in functions.values()]
    found: list[GradientFunction] = []
    for gradient in gradients:
        name = gradient.function
        if name in taken or not name.isidentifier() or name.startswith("_"):
            raise GradientError(f"name: {name!r} is a function's name already, or no name for one")
        taken.append(name)
        writer = _Writer(gradient, functions)
        found.append(
            GradientFunction(
                function=name,
                arguments=tuple(writer.arguments()),
                keywords=tuple(writer.keywords.values()),
                returns=_tuple_of(len(gradient.returned)),
                documentation="\n".join(_indented(_wrapped(writer.documentation()))).strip(),
                statements="\n".join(_indented(writer.statements())),
            )
        )
    return found


class _Writer:
    def __init__(self, gradient: Gradient, functions: Mapping[str, KernelFunction]) -> None:
        self.gradient = gradient
        self.forward = functions[gradient.forward.name]
        self.backward = functions[gradient.backward.name]
        self.own = python_names(gradient.forward).parameters
        self.theirs = python_names(gradient.backward).parameters
        self.outputs = [p for p in gradient.forward.parameters if p.role in OUTPUT_ROLES]
        extra = [use.parameter for use in gradient.uses if use.is_argument]
        named = [(self.own[p.name], p) for p in gradient.forward.parameters if p.role is not Role.OUT]
        named += [(self.theirs[p.name], p) for p in extra]
        self.arrays = {name: p for name, p in named if p.role is not Role.SCALAR}
        self.scalars = {name: p for name, p in named if p.role is Role.SCALAR}
        self.order = [name for name, _ in named]
        self.taken = {*self.order, *(output_name(self.own, p) for p in self.outputs)}
        for function in (self.forward.function, self.backward.function):
            if function in self.taken:
                raise GradientError(
                    f"{function} is the name of a kernel and of a parameter: rename one of them"
                )
        self.forward_keywords = {_name(each): each for each in (*_LAUNCH, *self.forward.keywords)}
        self.backward_keywords = dict(self._backward_keywords())
        self.keywords = self._keywords()
        self._check_defaults()

    def _backward_keywords(self) -> Iterator[tuple[str, str]]:
        """The backward kernel's keywords and what the function passes for them.

        Template values that both kernels declare alike are the same; other keywords are each kernel's own.
        """
        templates = {self.own[t.name] for t in self.gradient.forward.template} | set(self.scalars)
        for declaration in (*_LAUNCH, *self.backward.keywords):
            name = _name(declaration)
            if name == "init_value":
                yield name, "0"
            elif not declaration.endswith("mx.Dtype | None = None"):  # a dtype that its arrays tell
                alike = self.forward_keywords.get(name, declaration) == declaration
                is_own = name in self.taken or name in self.forward_keywords
                yield name, f"backward_{name}" if is_own and not (alike and name in templates) else name

    def _keywords(self) -> dict[str, str]:
        """Keyword → its declaration: the forward kernel's, then those that only the backward kernel has."""
        found = dict(self.forward_keywords)
        for declaration in (*_LAUNCH, *self.backward.keywords):
            name = self.backward_keywords.get(_name(declaration), "0")
            if name != "0" and name not in self.scalars:
                found.setdefault(name, declaration.replace(_name(declaration), name, 1))
        return found

    def _check_defaults(self) -> None:
        known = dict.fromkeys(self.order)
        for name, text in self.gradient.defaults.items():
            if name not in self.keywords:
                raise GradientError(
                    f"defaults.{name}: {self.gradient.function} has {', '.join(self.keywords)}"
                )
            check_expression(f"defaults.{name}", text, known)
            known[name] = None

    def arguments(self) -> Iterator[str]:
        for name in self.order:
            if name in self.arrays:
                yield f"{name}: mx.array"
            else:
                yield f"{name}: {_annotation(self.scalars[name])}"

    def statements(self) -> Iterator[str]:
        if self.scalars:
            yield from _call("_fixed", [f"{name}={name}" for name in self.scalars])
        for name, text in self.gradient.defaults.items():
            yield f"if {name} is None:"
            yield f"    {name} = {text}"
        yield ""
        yield "@mx.custom_function"
        *first, last = _call("def _forward", [f"{name}: mx.array" for name in self.arrays])
        yield from (*first, f"{last} -> {_tuple_of(len(self.outputs))}:")
        yield from _indented(self._forward_call())
        yield ""
        yield "@_forward.vjp"
        yield from self._backward_function()
        yield ""
        call = f"_cast({_tuple_of(len(self.outputs))}, _forward({', '.join(self.arrays)}))"
        if len(self.outputs) == 1:
            yield f"return {call}"
            return
        yield f"results = {call}"
        places = [i for i, p in enumerate(self.outputs) if p in self.gradient.returned]
        yield f"return {', '.join(f'results[{i}]' for i in places)}"

    def _forward_call(self) -> Iterator[str]:
        passed = [argument.name for argument in self.forward.arguments]
        keywords = [f"{name}={name}" for name in (*self.forward_keywords, "stream")]
        yield from _call(f"return {self.forward.function}", [*passed, *keywords])

    def _backward_function(self) -> Iterator[str]:
        uses = self.gradient.uses
        values = " ".join(use.value for use in uses if use.value is not None)
        cotangents = {use.cotangent_of: self._local(use, "cotangent") for use in uses if use.cotangent_of}
        saved = {p: output_name(self.own, p) for p in self.outputs if _uses(values, output_name(self.own, p))}
        groups = {
            self._free("primals"): list(self.arrays),
            self._free("cotangents"): [cotangents.get(p, "_") for p in self.outputs],
            self._free("outputs"): [saved.get(p, "_") for p in self.outputs],
        }
        returns = "mx.array" if len(self.arrays) == 1 else "tuple[mx.array, ...]"
        parameters = [
            names[0] if len(names) == 1 and names != ["_"] else group for group, names in groups.items()
        ]
        yield f"def _backward({', '.join(f'{each}: Any' for each in parameters)}) -> {returns}:"
        for group, names in groups.items():
            if len(names) > 1 and set(names) != {"_"}:
                yield f"    {', '.join(names)} = {group}"
        yield from _indented(self._backward_call(cotangents))
        yield f"    return {', '.join(self._gradients())}"

    def _backward_call(self, cotangents: Mapping[Parameter, str]) -> Iterator[str]:
        passed = [
            self._given(use, cotangents) for use in self.gradient.uses if use.parameter.role is not Role.OUT
        ]
        passed += [f"{name}={value}" for name, value in self.backward_keywords.items()]
        returned = [use for use in self.gradient.uses if use.parameter.role in OUTPUT_ROLES]
        names = [self._local(use, "gradient") if use.gradient_of else "_" for use in returned]
        yield from _call(f"{', '.join(names)} = {self.backward.function}", [*passed, "stream=stream"])

    def _given(self, use: Use, cotangents: Mapping[Parameter, str]) -> str:
        """What the backward kernel is passed for one of its parameters."""
        parameter = use.parameter
        if use.cotangent_of is not None:
            differs = _is_known(parameter) and parameter.dtype != use.cotangent_of.dtype
            return cotangents[use.cotangent_of] + (f".astype(mx.{parameter.dtype})" if differs else "")
        if use.value is not None:
            return use.value
        assert use.gradient_of is not None
        like = self.own[use.gradient_of.name]
        if _is_known(parameter) and parameter.dtype != use.gradient_of.dtype:
            return f"mx.zeros({like}.shape, mx.{parameter.dtype})"
        return f"mx.zeros_like({like})"

    def _gradients(self) -> Iterator[str]:
        """The gradient of each array, in their order."""
        found = {use.gradient_of: use for use in self.gradient.uses if use.gradient_of}
        for name, parameter in self.arrays.items():
            use = found.get(parameter)
            if use is None:
                yield f"mx.zeros_like({name})"
            elif use.parameter.role is not Role.OUT and use.parameter.dtype == parameter.dtype:
                yield self._local(use, "gradient")
            else:
                yield f"_gradient({self._local(use, 'gradient')}, {name})"

    def _local(self, use: Use, kind: str) -> str:
        """The variable for a cotangent or a gradient: the backward kernel's own name where that is free."""
        name = self.theirs[use.parameter.name]
        both = use.cotangent_of is not None and use.gradient_of is not None
        return f"{name}_{kind}" if name in self.taken or both else name

    def _free(self, name: str) -> str:
        return f"{name}_" if name in self.taken else name

    def documentation(self) -> Iterator[str]:
        differentiated = [self.own[p.name] for p in self.gradient.differentiated]
        fixed = [name for name in self.arrays if name not in differentiated]
        hidden = [self.own[p.name] for p in self.outputs if p not in self.gradient.returned]
        yield f"`{self.gradient.forward.name}`, with the gradient that `{self.gradient.backward.name}` computes."
        yield ""
        yield f"Returns {_listed([output_name(self.own, p) for p in self.gradient.returned])}."
        yield f"Gradients flow to {_listed(differentiated)}{f', none to {_listed(fixed)}' if fixed else ''}."
        if hidden:
            yield f"Not returned: {_listed(hidden)}, whose cotangents `{self.gradient.backward.name}` does not take."
        if self.scalars:
            yield f"{_listed(list(self.scalars))}: Python numbers, fixed for the gradient."
        yield f"For {self.forward.function}: {_listed(list(self.forward_keywords))}."
        theirs = [name for name in self.keywords if name not in self.forward_keywords]
        yield f"For {self.backward.function}: {_listed(theirs)}."
        parts = [u for u in self.gradient.uses if u.parameter.role is Role.OUT and u.gradient_of is not None]
        if parts:
            shapes = [self.backward_keywords[f"{self.theirs[use.parameter.name]}_shape"] for use in parts]
            yield f"{_listed(shapes)}: axes in front that the array does not have are summed."


def _name(declaration: str) -> str:
    return declaration.partition(":")[0]


def _annotation(parameter: Parameter) -> str:
    if parameter.lanes != 1:
        return "Sequence[float]"
    if parameter.dtype == "bool":
        return "bool"
    return "int" if "int" in parameter.dtype else "float"


def _is_known(parameter: Parameter) -> bool:
    """Whether the dtype is MLX's own, not a template parameter."""
    return parameter.dtype in ITEM_SIZE


def _uses(expression: str, name: str) -> bool:
    return re.search(rf"\b{name}\b", expression) is not None


def _tuple_of(count: int) -> str:
    return "mx.array" if count == 1 else f"tuple[{', '.join(['mx.array'] * count)}]"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names)


def _wrapped(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        yield from textwrap.wrap(line, 105, subsequent_indent="    ") or [""]


def _call(start: str, arguments: Sequence[str]) -> Iterator[str]:
    """On one line where it is short."""
    line = f"{start}({', '.join(arguments)})"
    if len(line) <= 80:
        yield line
        return
    yield f"{start}("
    yield from (f"    {argument}," for argument in arguments)
    yield ")"


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"    {line}" if line else "" for line in lines)
