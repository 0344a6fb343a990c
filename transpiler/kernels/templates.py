"""Template parameters: which of them MLX passes."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from cu2mlx.transpiler.binding.interface import TemplateParameter
from cu2mlx.transpiler.binding.signature import DYNAMIC_SHARED
from cu2mlx.transpiler.kernels.examples import example_of, examples, host_names
from cu2mlx.transpiler.model.declarations import Declarations, Function
from cu2mlx.transpiler.model.launches import Launch
from cu2mlx.transpiler.model.template_parameters import DeclaredParameter, template_parameters
from cu2mlx.transpiler.model.template_values import as_called, function_name, stands_for_function
from cu2mlx.transpiler.model.types import Type, canonical, template_arguments
from cu2mlx.transpiler.rules.context import Context
from cu2mlx.transpiler.syntax import Node
from cu2mlx.transpiler.tables.types import TYPES

_FEW = 4  # values of an enum


def template_list(template: Node, text: str) -> list[TemplateParameter]:
    """A template's parameters as MLX knows them: types, numbers, truth values."""
    listed = template_parameters(template, text)
    return [TemplateParameter(each.name, _kind(each, text), each.default) for each in listed if each.name]


def _kind(parameter: DeclaredParameter, text: str) -> str:
    specified = parameter.node.child("type")
    if parameter.is_type or specified is None:
        return "type"
    return "bool" if text[specified.start : specified.end] == "bool" else "int"


def template_of(function: Function, context: Context) -> tuple[TemplateParameter, ...]:
    return tuple(template_list(function.template, context.text)) if function.template is not None else ()


def passed_by_mlx(
    function: Function,
    bound: "list[Bound]",
    launches: Sequence[Launch],
    instantiated: Sequence[tuple[str, ...]],
    context: Context,
) -> tuple[TemplateParameter, ...]:
    """The kernel's own template parameters that the text does not fix, and those that what it fixes leaves open."""
    fixed = {b.name for b in bound}
    listed = template_of(function, context)
    said = examples(listed, launches, instantiated, context.typing)
    own = [
        replace(parameter, example=example or _first_enumerator(parameter, context))
        for parameter, example in zip(listed, said, strict=True)
        if parameter.name not in fixed
    ]
    names = {parameter.name for parameter in own}
    free = {each.name: each for b in bound for each in b.free if each.name not in names}
    return (*own, *free.values())


def _first_enumerator(parameter: TemplateParameter, context: Context) -> str | None:
    """The first value of a template parameter's enum, where it has few: a plain int would be none of them."""
    enum = context.template_casts.get(parameter.name, "").rsplit("::", 1)[-1]
    declared = context.declared.type_names.get(enum)
    enumerators = list(declared.all("enumerator")) if declared is not None else []
    if parameter.default is not None or not 0 < len(enumerators) <= _FEW:
        return None
    value = enumerators[0].child("value")
    return context.source(value) if value is not None and value.kind == "number_literal" else "0"


def type_parameters(template: Node, context: Context) -> set[str]:
    return {p.name for p in template_list(template, context.text) if p.kind == "type"}


def enum_parameters(function: Function, context: Context) -> dict[str, str]:
    """Template parameters of enum type: MLX's template values are ints."""
    found: dict[str, str] = {}
    parameters = function.template.need("parameters") if function.template is not None else None
    for node in parameters.named_children if parameters is not None else []:
        specified, name = node.child("type"), node.child("declarator")
        if (
            specified is not None
            and name is not None
            and specified.kind in ("type_identifier", "qualified_identifier")
        ):
            base = canonical(context.source(specified))
            if base not in TYPES:
                found[context.source(name)] = context.render(specified)
    return found


@dataclass(frozen=True, slots=True)
class Bound:
    """A template parameter whose value is fixed in the text, since MLX passes only dtypes, ints and bools.

    `free` are names in it that host code leaves open, which MLX passes: `Traits<N, T>` in a launch by a template.
    """

    name: str
    spelling: str
    is_function: bool = False
    free: tuple[TemplateParameter, ...] = ()


def bound_classes(
    function: Function,
    launches: list[Launch],
    asked: tuple[str, ...],
    instantiated: Sequence[tuple[str, ...]],
    text: str,
    declared: Declarations,
) -> tuple[list[Bound], list[str]]:
    """Parameters that stand for a class (`Traits::width`, a functor) or a function, with which; and those
    nobody names.

    The class is what the user asked for, else what every launch and explicit instantiation of the file agree on,
    else the default.
    """
    found: list[Bound] = []
    unknown: list[str] = []
    if function.template is None:
        return found, unknown
    for index, parameter, called in class_parameters(function, asked, text, declared):
        given = [*(x.template_arguments for x in launches), *instantiated]
        spellings = {arguments[index] for arguments in given if index < len(arguments)}
        spellings |= {x for x in (passed_class(parameter.name, function, each) for each in launches) if x}
        if index < len(asked):
            found.append(Bound(parameter.name, asked[index], called))
        elif len(spellings) == 1 and is_declared(next(iter(spellings)), declared):
            names = host_names(launches[0]) if launches else {}
            found.append(_bound(parameter.name, spellings.pop(), called, names, function, text, declared))
        elif parameter.default is not None:
            found.append(Bound(parameter.name, parameter.default, called))
        else:
            unknown.append(parameter.name)
    named = [
        replace(b, spelling=as_called(b.spelling, declared, text)) if b.is_function else b for b in found
    ]
    return named, unknown


def _bound(
    name: str,
    spelling: str,
    is_function: bool,
    values: Mapping[str, str | None],
    function: Function,
    text: str,
    declared: Declarations,
) -> Bound:
    """A class as a launch spells it. Of its template arguments, names that the kernel cannot see become parameters
    of their own, with an underscore where the kernel has the name too; `values` are what host code says of them."""
    record = declared.record(Type(canonical(spelling)))
    if record is None or record.template is None:
        return Bound(name, spelling, is_function)
    kinds = [parameter.kind for parameter in template_list(record.template, text)]
    seen = {"true", "false", *declared.globals, *declared.type_names, *declared.macros, *TYPES}
    own = set(re.findall(r"[A-Za-z_]\w*", text[function.node.start : function.node.end]))
    free: dict[str, TemplateParameter] = {}
    for kind, argument in zip(kinds, template_arguments(spelling), strict=False):
        if re.fullmatch(r"[A-Za-z_]\w*", argument) and argument not in seen:
            chosen = f"{argument}_" if argument in own else argument
            free[argument] = TemplateParameter(chosen, kind, example=example_of(kind, argument, values))
    words = re.compile(r"[A-Za-z_]\w*")
    spelled = words.sub(lambda m: free[m[0]].name if m[0] in free else m[0], spelling)
    return Bound(name, spelled, is_function, tuple(free.values()))


def class_parameters(
    function: Function, asked: tuple[str, ...], text: str, declared: Declarations
) -> Iterator[tuple[int, DeclaredParameter, bool]]:
    """The template parameters that stand for a class or a function, each with its place and whether it is one."""
    for index, parameter in enumerate(template_parameters(function.template, text)):
        if not parameter.name:
            continue
        called = stands_for_function(parameter, text, declared)
        named = index < len(asked) and declared.record(Type(canonical(asked[index]))) is not None
        if called or (parameter.is_type and (named or _is_class(parameter.name, function, text))):
            yield index, parameter, called


def passed_class(name: str, function: Function, launch: Launch) -> str | None:
    """The class that a launch makes on the spot for a parameter of this type: `Add` of `k<<<…>>>(x, Add())`."""
    for parameter, argument in zip(function.parameters, launch.arguments, strict=False):
        made = re.match(r"([A-Za-z_][\w:]*(?:<[^()]*>)?)\s*(?:\(|\{)", argument)
        if parameter.type.base == name and not parameter.type.has_pointer and made is not None:
            return made[1]
    return None


def _is_class(name: str, function: Function, text: str) -> bool:
    """Whether a type parameter is asked for members, constructed, or the type of a variable that is called."""
    body = text[function.node.start : function.node.end]
    if re.search(rf"\b{name}\s*(?:::|\(\s*\)|\{{\s*\}})", body):
        return True
    values = [p.name for p in function.parameters if p.type.base == name and not p.type.has_pointer]
    # The pattern starts with the name itself, which `re` can skip to.
    values += re.findall(rf"{name}(?<!\w{name})\s+(\w+)\s*;", text)
    return any(re.search(rf"\b{value}\s*(?:\(|\.)", body) for value in values)


def is_declared(spelling: str, declared: Declarations) -> bool:
    """Whether a template argument is a class or a function of the file."""
    named = declared.record(Type(canonical(spelling))) is not None
    return named or function_name(spelling) in declared.functions


def fixed_types(bound: "list[Bound]", passed: Sequence[TemplateParameter], context: Context) -> list[str]:
    """Aliases for the classes that the text fixes, given the template parameters that MLX passes.

    `if constexpr` leaves out code that does not fit a class only where the class hangs on a template parameter.
    """
    body = context.instance.function.body if bound else None
    chooses = body is not None and re.search(r"\bif\s+constexpr\b", context.source(body))
    values = [DYNAMIC_SHARED] if "dynamic_shared" in context.printed.handed else []
    values += [f"int(sizeof({each.name}))" if each.kind == "type" else each.name for each in passed]
    lines = []
    for each in bound:
        named = metal_spelling(each.spelling, context.declared)
        if chooses and values and not each.free:
            named = f"typename cu::depending<{named}, {values[0]}>::type"
        if not each.is_function:
            lines.append(f"using {each.name} = {named};")
    return lines


def metal_spelling(spelling: str, declared: Declarations) -> str:
    """A type's CUDA spelling without the user's namespaces, and with the built-in names in Metal's words:
    `op::Add<__half>` → `Add<half>`."""
    spelling = re.sub(r"(\w+)\s*::\s*", lambda m: "" if m[1] in declared.namespaces else m[0], spelling)

    def word(match: re.Match[str]) -> str:
        row = TYPES.get(canonical(match.group(0)))
        return row.metal if row is not None and row.metal is not None else match.group(0)

    return re.sub(r"unsigned (?:int|char|short|long)|[A-Za-z_]\w*", word, spelling)
