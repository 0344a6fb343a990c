"""The differentiable function of the emitted module, as Python text: mx.custom_function around kernels."""

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from cu2mlx.transpiler.binding.function import KernelFunction
from cu2mlx.transpiler.binding.gradient import Gradient, GradientError, check_expression, output_name
from cu2mlx.transpiler.binding.gradient_call import LAUNCH, BackwardCall, name_of, uses
from cu2mlx.transpiler.binding.interface import Parameter, Role
from cu2mlx.transpiler.binding.names import python_names
from cu2mlx.transpiler.binding.signature import OUTPUT_ROLES


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
        self.own = python_names(gradient.forward).parameters
        self.outputs = [p for p in gradient.forward.parameters if p.role in OUTPUT_ROLES]
        named = [(self.own[p.name], p) for p in gradient.forward.parameters if p.role is not Role.OUT]
        for each in gradient.passes:
            theirs = python_names(each.kernel).parameters
            named += [(theirs[use.parameter.name], use.parameter) for use in each.uses if use.is_argument]
        self.arrays = {name: p for name, p in named if p.role is not Role.SCALAR}
        self.scalars = {name: p for name, p in named if p.role is Role.SCALAR}
        self.order = list(dict.fromkeys(name for name, _ in named))
        self.taken = {*self.order, *(output_name(self.own, p) for p in self.outputs)}
        self.calls = list(self._calls(functions))
        self.forward_keywords = {name_of(each): each for each in (*LAUNCH, *self.forward.keywords)}
        self.keywords = dict(self.forward_keywords)
        self.passed: list[dict[str, str]] = []  # by call: keyword → variable
        for call in self.calls:
            found = list(call.keywords(dict(self.keywords), self.scalars))
            self.passed.append({name: variable for name, variable, _ in found})
            self.keywords |= {
                v: text for _, v, text in found if v not in self.scalars and v not in self.keywords
            }
        self._check_defaults()

    def _calls(self, functions: Mapping[str, KernelFunction]) -> Iterator[BackwardCall]:
        passes = self.gradient.passes
        for kernel in (self.gradient.forward, *(each.kernel for each in passes)):
            name = functions[kernel.name].function
            if name in self.taken:
                raise GradientError(f"{name} is the name of a kernel and of a parameter: rename one of them")
        for each in passes:
            function = functions[each.kernel.name]
            prefix = "backward" if len(passes) == 1 else function.function
            yield BackwardCall(each, function, prefix, self.own, self.taken)

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
            yield f"{name}: {'mx.array' if name in self.arrays else _annotation(self.scalars[name])}"

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
        yield from _call(f"return {_arrays_of(self.forward.function, self.outputs)}", [*passed, *keywords])

    def _backward_function(self) -> Iterator[str]:
        values = " ".join(use.value for use in self.gradient.uses if use.value is not None)
        cotangents: dict[Parameter, str] = {}
        for call in self.calls:
            cotangents = call.cotangents() | cotangents
        saved = [output_name(self.own, p) for p in self.outputs]
        groups = {
            self._free("primals"): list(self.arrays),
            self._free("cotangents"): [cotangents.get(p, "_") for p in self.outputs],
            self._free("outputs"): [name if uses(values, name) else "_" for name in saved],
        }
        returns = "mx.array" if len(self.arrays) == 1 else "tuple[mx.array, ...]"
        parameters = [
            names[0] if len(names) == 1 and names != ["_"] else group for group, names in groups.items()
        ]
        yield f"def _backward({', '.join(f'{each}: Any' for each in parameters)}) -> {returns}:"
        for group, names in groups.items():
            if len(names) > 1 and set(names) != {"_"}:
                yield f"    {', '.join(names)} = {group}"
        for call, keywords in zip(self.calls, self.passed, strict=True):
            passed = [*call.arguments(cotangents), *(f"{name}={value}" for name, value in keywords.items())]
            passed += ["init_value=0"] if call.starts_at_zero else []
            results = ", ".join(call.results(values))
            made = _arrays_of(
                call.function, [u.parameter for u in call.uses if u.parameter.role in OUTPUT_ROLES]
            )
            yield from _indented(_call(f"{results} = {made}", [*passed, "stream=stream"]))
        yield f"    return {', '.join(self._gradients())}"

    def _gradients(self) -> Iterator[str]:
        """The gradient of each array, in their order."""
        found = {use.gradient_of: (call, use) for call in self.calls for use in call.uses if use.gradient_of}
        for name, parameter in self.arrays.items():
            if parameter not in found:
                yield f"mx.zeros_like({name})"
                continue
            call, use = found[parameter]
            is_alike = use.parameter.role is not Role.OUT and use.parameter.dtype == parameter.dtype
            yield call.variable(use) if is_alike else f"_gradient({call.variable(use)}, {name})"

    def _free(self, name: str) -> str:
        return f"{name}_" if name in self.taken else name

    def documentation(self) -> Iterator[str]:
        differentiated = [self.own[p.name] for p in self.gradient.differentiated]
        fixed = [name for name in self.arrays if name not in differentiated]
        hidden = [self.own[p.name] for p in self.outputs if p not in self.gradient.returned]
        backward = _listed([f"`{each.kernel.name}`" for each in self.gradient.passes])
        does = "computes" if len(self.calls) == 1 else "compute"
        yield f"`{self.gradient.forward.name}`, with the gradient that {backward} {does}."
        yield ""
        yield f"Returns {_listed([output_name(self.own, p) for p in self.gradient.returned])}."
        yield f"Gradients flow to {_listed(differentiated)}{f', none to {_listed(fixed)}' if fixed else ''}."
        if hidden:
            yield f"Not returned, as no kernel takes their cotangents: {_listed(hidden)}."
        if self.scalars:
            yield f"{_listed(list(self.scalars))}: Python numbers, fixed for the gradient."
        yield f"For {self.forward.function}: {_listed(list(self.forward_keywords))}."
        for call, keywords in zip(self.calls, self.passed, strict=True):
            theirs = [v for v in keywords.values() if v in self.keywords and v not in self.forward_keywords]
            yield f"For {call.function}: {_listed(theirs)}."
        shapes = [
            shape for call, kws in zip(self.calls, self.passed, strict=True) for shape in call.shapes(kws)
        ]
        if shapes:
            yield f"{_listed(shapes)}: axes in front that the array does not have are summed."


def _annotation(parameter: Parameter) -> str:
    if parameter.lanes != 1:
        return "Sequence[float]"
    if parameter.dtype == "bool":
        return "bool"
    return "int" if "int" in parameter.dtype else "float"


def _arrays_of(function: str, outputs: Sequence[Parameter]) -> str:
    """A call's start, up to its parenthesis. Nothing is left out here: what may be None is an array."""
    if not any(each.nullable for each in outputs):
        return function
    return f"_cast({_tuple_of(len(outputs))}, {function}"


def _tuple_of(count: int) -> str:
    return "mx.array" if count == 1 else f"tuple[{', '.join(['mx.array'] * count)}]"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names)


def _wrapped(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        yield from textwrap.wrap(line, 105, subsequent_indent="    ") or [""]


def _call(start: str, arguments: Sequence[str]) -> Iterator[str]:
    """On one line where it is short; `start` may leave parentheses open."""
    end = ")" * (1 + start.count("(") - start.count(")"))
    line = f"{start}({', '.join(arguments)}{end}"
    if len(line) <= 80:
        yield line
        return
    yield f"{start}("
    yield from (f"    {argument}," for argument in arguments)
    yield end


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"    {line}" if line else "" for line in lines)
