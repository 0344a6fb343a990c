"""Finds `kernel<<<grid, block, shared, stream>>>(…)` in host code, with the locals its expressions use."""

import re
from dataclasses import dataclass

from cu2mlx.transpiler.model.types import declarator_name
from cu2mlx.transpiler.syntax import Node


@dataclass(frozen=True, slots=True)
class Launch:
    """Host expressions as source text; `node` is the launch, for its place."""

    kernel: str
    node: Node
    grid: tuple[str, ...]
    block: tuple[str, ...]
    shared: str | None
    template_arguments: tuple[str, ...]
    arguments: tuple[str, ...]
    locals: tuple[tuple[str, str], ...]
    function: str
    function_parameters: tuple[str, ...]


def find_launches(root: Node, text: str) -> list[Launch]:
    """Every launch whose configuration has two to four entries, in source order."""
    if "<<<" not in text:
        return []
    found: list[Launch] = []
    for outer in root.children:
        if "<<<" in text[outer.start : outer.end]:
            for configuration in outer.all("kernel_call_syntax"):
                launch = _launch(configuration, text)
                if launch is not None:
                    found.append(launch)
    return found


def _launch(configuration: Node, text: str) -> Launch | None:
    call = configuration.parent
    function = call.child("function") if call is not None else None
    arguments = call.child("arguments") if call is not None else None
    given = configuration.named_children
    if call is None or function is None or not 2 <= len(given) <= 4:
        return None

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
    known = _locals(host, call, text) if host is not None else {}
    return Launch(
        kernel=source(name),
        node=call,
        grid=_extents(source(given[0]), known),
        block=_extents(source(given[1]), known),
        shared=source(given[2]) if len(given) > 2 else None,
        template_arguments=template,
        arguments=tuple(source(a) for a in arguments.named_children) if arguments is not None else (),
        locals=tuple(known.items()),
        function=_host_name(host, text),
        function_parameters=_host_parameters(host, text),
    )


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


_CONSTRUCTED = re.compile(r"^(?:dim3)?\s*[({](.*)[)}]$", re.DOTALL)


def _locals(host: Node, launch: Node, text: str) -> dict[str, str]:
    """Host variables defined before the launch and their initialisers; dim3 members set later count too."""
    known: dict[str, str] = {}
    for node in host.all("init_declarator", "assignment_expression", "declaration", "call_expression"):
        if node.start >= launch.start:
            break
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
    return known


def _constructed(node: Node, known: dict[str, str], text: str) -> None:
    """`dim3 grid(a, b);` reads like a function declaration to the grammar."""
    specified = node.child("type")
    for declarator in node.fields("declarator"):
        if declarator.kind == "function_declarator" and specified is not None:
            name, listed = declarator.need("declarator"), declarator.child("parameters")
            if listed is not None:
                known[text[name.start : name.end]] = text[listed.start : listed.end]


def _extents(expression: str, known: dict[str, str]) -> tuple[str, ...]:
    """The one to three entries of a grid or block expression; a dim3 local stands for its arguments."""
    members = [known.get(f"{expression}.{axis}") for axis in "xyz"]
    value = known.get(expression, expression) if re.fullmatch(r"\w+", expression) else expression
    match = _CONSTRUCTED.match(value)
    if match is None and known.get(expression) is not None and "," not in value and "dim3" not in value:
        value_parts = [expression]
    elif match is not None and (value.startswith(("dim3", "{")) or expression in known):
        value_parts = _split(match.group(1))
    else:
        value_parts = [value]
    for index, member in enumerate(members):
        if member is not None:
            while len(value_parts) <= index:
                value_parts.append("1")
            value_parts[index] = member
    return tuple(part.strip() for part in value_parts if part.strip()) or ("1",)


def _split(text: str) -> list[str]:
    """Top-level commas."""
    parts, depth, start = [], 0, 0
    for index, character in enumerate(text):
        depth += (character in "([{<") - (character in ")]}>")
        if character == "," and depth <= 0:
            parts.append(text[start:index])
            start = index + 1
    parts.append(text[start:])
    return parts
