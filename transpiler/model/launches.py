"""Finds `kernel<<<grid, block, shared, stream>>>(…)` in host code, with the locals its expressions use."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from cu2mlx.transpiler.model.declarations import Declarations
from cu2mlx.transpiler.model.types import declarator_name
from cu2mlx.transpiler.syntax import Node


@dataclass(frozen=True, slots=True)
class HostFunction:
    """A host function or function-like macro that is one expression: `return (a + b - 1) / b;` of cdiv."""

    name: str
    parameters: tuple[str, ...]
    result: str


@dataclass(frozen=True, slots=True)
class Launch:
    """One `kernel<<<grid, block, shared>>>(arguments)` in host code, as host expressions (source text).

    `line` is the source file's; `grid` and `block` have one to three entries (a dim3's arguments).
    `locals` maps host variables that the expressions use to their initialisers, in order of definition: of
    constants and macros the value, of `dim3 block(32, 8)` "32, 8" or "dim3(32, 8)", of a buffer what makes it
    ("torch::empty({n}, o)", "new float[n]", "std::vector<float>(n)", "cudaMalloc(&p, bytes)"). `functions`
    are the host functions and macros that the expressions call.
    """

    kernel: str
    line: int
    grid: tuple[str, ...]
    block: tuple[str, ...]
    shared: str | None
    template_arguments: tuple[str, ...]
    arguments: tuple[str, ...]
    locals: tuple[tuple[str, str], ...] = ()
    function: str = ""
    function_parameters: tuple[str, ...] = ()
    functions: tuple[HostFunction, ...] = ()
    function_template: tuple[
        tuple[str, str | None], ...
    ] = ()  # the host function's, with a value some call gives


_TEMPLATE_CALL = re.compile(r"\b(\w+)\s*<([^<>;(){}]*)>\s*\(")


@dataclass(slots=True)
class _Host:
    """A host function, read as far as its launches have been asked for, in source order."""

    nodes: list[Node]
    read: int = 0
    known: dict[str, str] = field(default_factory=dict)

    def before(self, launch: Node, text: str) -> dict[str, str]:
        """Variables defined before a launch and their initialisers; dim3 members set later count too."""
        while self.read < len(self.nodes) and self.nodes[self.read].start < launch.start:
            _note(self.nodes[self.read], self.known, text)
            self.read += 1
        return dict(self.known)


@dataclass(frozen=True)
class _File:
    """What the expressions of a file's launches may lead to."""

    text: str
    constants: Mapping[str, str]
    helpers: Mapping[str, HostFunction]
    line: Callable[[int], int]
    hosts: dict[Node, _Host] = field(default_factory=dict)

    def host(self, function: Node) -> _Host:
        if function not in self.hosts:
            nodes = function.all("init_declarator", "assignment_expression", "declaration", "call_expression")
            self.hosts[function] = _Host(list(nodes))
        return self.hosts[function]

    @cached_property
    def calls(self) -> Mapping[str, list[str]]:
        """The template arguments of calls, by function."""
        found: dict[str, list[str]] = {}
        for match in _TEMPLATE_CALL.finditer(self.text):
            found.setdefault(match[1], []).append(match[2])
        return found


def find_launches(
    root: Node, text: str, declared: Declarations, macros: Mapping[str, str], line: Callable[[int], int]
) -> list[Launch]:
    """Every launch whose configuration has two to four entries, in source order.

    `macros` are the object-like ones; constants at file scope count as locals too. `line` gives the source file's
    line of an offset.
    """
    configurations = list(root.all("kernel_call_syntax"))
    if not configurations:
        return []
    constants = dict(macros)
    for variable in declared.globals.values():
        value = variable.initialiser
        if value is not None and not variable.type.shape:
            constants[variable.name] = text[value.start : value.end]
    file = _File(text, constants, _one_expression(declared, text), line)
    return [launch for each in configurations for launch in _launched(each, file)]


def _one_expression(declared: Declarations, text: str) -> dict[str, HostFunction]:
    """Functions such as `int cdiv(int a, int b) { return (a + b - 1) / b; }`."""
    found: dict[str, HostFunction] = {}
    for name, overloads in declared.functions.items():
        body = overloads[0].body
        statements = body.named_children if body is not None and len(overloads) == 1 else []
        if len(statements) == 1 and statements[0].kind == "return_statement":
            value = next(iter(statements[0].named_children), None)
            if value is not None:
                parameters = tuple(p.name for p in overloads[0].parameters)
                found[name] = HostFunction(name, parameters, text[value.start : value.end])
    return found


def _used(
    expressions: list[str], constants: Mapping[str, str], helpers: Mapping[str, HostFunction]
) -> tuple[dict[str, str], tuple[HostFunction, ...]]:
    """The file-scope constants and helpers that host expressions lead to."""
    values: dict[str, str] = {}
    called: dict[str, HostFunction] = {}
    pending = list(expressions)
    while pending:
        for word in re.findall(r"[A-Za-z_]\w*", pending.pop()):
            if word in constants and word not in values:
                values[word] = constants[word]
                pending.append(constants[word])
            elif word in helpers and word not in called:
                called[word] = helpers[word]
                pending.append(helpers[word].result)
    return values, tuple(called.values())


def _launched(configuration: Node, file: _File) -> list[Launch]:
    """The kernels that one `<<<>>>` may launch: several where a variable holds one or the other."""
    text = file.text
    call = configuration.parent
    function = call.child("function") if call is not None else None
    arguments = call.child("arguments") if call is not None else None
    given = configuration.named_children
    if call is None or function is None or not 2 <= len(given) <= 4:
        return []

    def source(node: Node) -> str:
        return text[node.start : node.end]

    template: tuple[str, ...] = ()
    name = function
    if function.kind == "qualified_identifier":
        name = function.need("name")
    if name.kind == "template_function":
        template = tuple(source(a) for a in name.need("arguments").named_children)
        name = name.need("name")
    host = call.above("function_definition")
    own = file.host(host).before(call, text) if host is not None else {}
    held = _KERNEL_VALUE.findall(own.get(source(name), ""))  # auto kernel = &scale<float>;
    choices = [(kernel, tuple(split_arguments(listed)) if listed else ()) for kernel, listed in held] or [
        (source(name), template)
    ]
    aliases = _aliases(host, call, text) if host is not None else {}
    values, called = _used([*own.values(), *(source(g) for g in given)], file.constants, file.helpers)
    known = {**values, **own}
    first = Launch(
        kernel=source(name),
        line=file.line(call.start),
        grid=_extents(source(given[0]), known),
        block=_extents(source(given[1]), known),
        shared=source(given[2]) if len(given) > 2 else None,
        template_arguments=template,
        arguments=tuple(source(a) for a in arguments.named_children) if arguments is not None else (),
        locals=tuple(known.items()),
        function=_host_name(host, text),
        function_parameters=_host_parameters(host, text),
        functions=called,
        function_template=_host_template(host, file) if host is not None else (),
    )
    return [
        replace(
            first, kernel=kernel, template_arguments=tuple(aliases.get(a.strip(), a.strip()) for a in given)
        )
        for kernel, given in choices
    ]


def _aliases(host: Node, launch: Node, text: str) -> dict[str, str]:
    """The type names that a host function gives before a launch: `using Traits = RowTraits<N, float>;`."""
    known: dict[str, str] = {}
    for node in host.all("alias_declaration"):
        if node.start < launch.start:
            name, described = node.need("name"), node.need("type")
            known[text[name.start : name.end]] = text[described.start : described.end]
    return known


def _host_template(host: Node, file: _File) -> tuple[tuple[str, str | None], ...]:
    """The template parameters of a host function, each with the first literal that one of its calls gives it."""
    outer = host.parent
    listed = outer.child("parameters") if outer is not None and outer.kind == "template_declaration" else None
    if listed is None:
        return ()
    text, calls = file.text, file.calls.get(_host_name(host, file.text), [])
    found: list[tuple[str, str | None]] = []
    for position, node in enumerate(listed.named_children):
        name = node.child("name") or node.child("declarator") or node.first("type_identifier")
        given = [parts[position].strip() for parts in map(split_arguments, calls) if position < len(parts)]
        literal = next((each for each in given if re.fullmatch(r"\d+|true|false", each)), None)
        found.append((text[name.start : name.end] if name is not None else "", literal))
    return tuple(found)


def _host_name(host: Node | None, text: str) -> str:
    name = declarator_name(host.child("declarator")) if host is not None else None
    while name is not None and name.kind == "function_declarator":
        name = name.child("declarator")
    return text[name.start : name.end] if name is not None else ""


def _host_parameters(host: Node | None, text: str) -> tuple[str, ...]:
    listed = next(host.all("parameter_list"), None) if host is not None else None
    names = (
        [declarator_name(p.child("declarator")) for p in listed.named_children] if listed is not None else []
    )
    return tuple(text[n.start : n.end] for n in names if n is not None)


_KERNEL_VALUE = re.compile(r"&\s*(?:\w+::)*(\w+)\s*(?:<((?:[^<>]|<[^<>]*>)*)>)?")
_CONSTRUCTED = re.compile(r"^(?:dim3)?\s*[({](.*)[)}]$", re.DOTALL)


def _note(node: Node, known: dict[str, str], text: str) -> None:
    """What a declaration, an assignment or an allocation says of a variable."""
    if node.kind == "init_declarator":
        name, value = declarator_name(node.child("declarator")), node.child("value")
        if name is not None and value is not None:
            known[text[name.start : name.end]] = text[value.start : value.end]
    elif node.kind == "assignment_expression" and node.need("operator").kind == "=":
        left, right = node.need("left"), node.need("right")
        known[text[left.start : left.end]] = text[right.start : right.end]
    elif node.kind == "declaration":
        _constructed(node, known, text)
    elif "alloc" in text[node.start : node.start + 24].lower():
        known[f"{text[node.need('function').start : node.need('function').end]}@{node.start}"] = text[
            node.start : node.end
        ]


def _constructed(node: Node, known: dict[str, str], text: str) -> None:
    """`dim3 grid(a, b);` reads like a function declaration to the grammar."""
    specified = node.child("type")
    for declarator in node.fields("declarator"):
        if declarator.kind == "function_declarator" and specified is not None:
            name, listed = declarator.need("declarator"), declarator.child("parameters")
            if listed is not None:
                given = text[listed.start : listed.end]
                made = text[specified.start : specified.end]
                known[text[name.start : name.end]] = given if made == "dim3" else f"{made}{given}"


def _extents(expression: str, known: dict[str, str]) -> tuple[str, ...]:
    """The one to three entries of a grid or block expression; a dim3 local stands for its arguments."""
    members = [known.get(f"{expression}.{axis}") for axis in "xyz"]
    value = known.get(expression, expression) if re.fullmatch(r"\w+", expression) else expression
    match = _CONSTRUCTED.match(value)
    if match is None and known.get(expression) is not None and "," not in value and "dim3" not in value:
        value_parts = [expression]
    elif match is not None and (value.startswith(("dim3", "{")) or expression in known):
        value_parts = split_arguments(match.group(1))
    else:
        value_parts = [value]
    for index, member in enumerate(members):
        if member is not None:
            while len(value_parts) <= index:
                value_parts.append("1")
            value_parts[index] = member
    return tuple(part.strip() for part in value_parts if part.strip()) or ("1",)


def split_arguments(text: str) -> list[str]:
    """A list at its top-level commas, brackets and template arguments left whole."""
    parts, depth, start = [], 0, 0
    for index, character in enumerate(text):
        depth += (character in "([{<") - (character in ")]}>")
        if character == "," and depth <= 0:
            parts.append(text[start:index])
            start = index + 1
    parts.append(text[start:])
    return parts
