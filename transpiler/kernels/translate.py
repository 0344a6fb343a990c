"""One kernel, from its model to the interface that binding prints: roles, prologue, body, header."""

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from cu2mlx.transpiler.binding.interface import KernelInterface, Parameter, Role
from cu2mlx.transpiler.diagnostics import Diagnostic, Findings, Severity
from cu2mlx.transpiler.kernels.changed import read_first
from cu2mlx.transpiler.kernels.file_scope import globals_of, name_typed
from cu2mlx.transpiler.kernels.limits import report_limits
from cu2mlx.transpiler.kernels.packed import pack_scalars
from cu2mlx.transpiler.kernels.parameters import by_value, kernel_parameters
from cu2mlx.transpiler.kernels.partly_written import report_partly_written
from cu2mlx.transpiler.kernels.roles import keep_names_apart, nullable, roles_of
from cu2mlx.transpiler.kernels.stay import keep_active
from cu2mlx.transpiler.kernels.templates import (
    Bound,
    bound_classes,
    enum_parameters,
    fixed_types,
    passed_by_mlx,
    template_of,
)
from cu2mlx.transpiler.kernels.vector_operators import report_ignored
from cu2mlx.transpiler.model.accesses import Accesses
from cu2mlx.transpiler.model.declarations import Function, Space
from cu2mlx.transpiler.model.launches import Launch
from cu2mlx.transpiler.render.functions import Printer, kernel_body, kernel_statements
from cu2mlx.transpiler.render.header import Header
from cu2mlx.transpiler.render.original import Original
from cu2mlx.transpiler.render.text import split_marks
from cu2mlx.transpiler.rules.context import Context
from cu2mlx.transpiler.syntax import Node

_SPACES = {Role.IN: Space.READ, Role.INOUT: Space.INOUT}


@dataclass(frozen=True, slots=True)
class TranslatedKernel:
    """`name` is its own in the file; `interface` is None where the kernel was refused; `lines` maps body and header
    lines to unit offsets."""

    name: str
    function: Function
    interface: KernelInterface | None
    diagnostics: tuple[Diagnostic, ...]
    original: str
    body_lines: dict[int, int]
    header_lines: dict[int, int]
    optional: frozenset[Function] = frozenset()  # what it can do without, should that not type-check


def translate_kernel(
    printer: Printer,
    function: Function,
    name: str,
    launches: list[Launch],
    asked: tuple[str, ...] = (),
    instantiated: Sequence[tuple[str, ...]] = (),
) -> TranslatedKernel:
    """Translate one kernel and everything it reaches, as `name`; `asked` are template arguments named by the
    user, `instantiated` those of explicit instantiations."""
    bound, unknown = bound_classes(
        function, launches, asked, instantiated, printer.unit.text, printer.declared
    )
    values = tuple((b.name, b.spelling) for b in bound)
    by_value(function, printer.spaces.typing(function, values), printer.declared)
    first = printer.spaces.kernel(function, {}, values)
    accesses = Accesses()
    found = accesses.effects(first)
    roles = roles_of(function, found, printer)
    keep_names_apart(function, roles)
    buffers = {v: _SPACES.get(role, Space.DEVICE) for v, role in roles.items() if role is not Role.SCALAR}
    instance = printer.spaces.kernel(function, buffers, values)
    context = printer.context(instance)
    context.nullable = nullable(function, accesses.tested(first), roles, launches)
    findings = Findings()
    keep_active(context)
    read_first(roles, accesses, context)
    printer.helpers(instance)
    context.shared_device_data = any(
        a.read and a.written for v, a in found.items() if v.space is not Space.THREADGROUP
    )
    for parameter in unknown:
        context.report("CU2106", function.node, name=parameter, function=function.name)
    context.template_casts = enum_parameters(function, context)
    parameters, prologue = kernel_parameters(context, roles, {b.name for b in bound})
    name_typed(roles, context)
    report_ignored(instance, context)
    report_partly_written(roles, accesses, context)
    statements = kernel_statements(context)
    template = passed_by_mlx(function, bound, launches, instantiated, context)
    prologue[:0] = fixed_types(bound, template, context)
    parameters += globals_of(context, roles, prologue)
    parameters, prologue = pack_scalars(parameters, prologue, statements)
    report_limits(parameters, "\n".join([*prologue, statements]), context)
    body, body_lines = split_marks(kernel_body(context, prologue, statements))
    header = Header(printer, instance, set(context.printed.facts))
    header_text, header_lines = split_marks(header.text(body))
    findings.extend(context.printed.diagnostics)
    findings.extend(header.diagnostics)
    refused = any(d.severity is Severity.ERROR for d in findings.found)
    original = Original(printer).text(instance, (*asked, *(b.spelling for b in bound)))
    interface = None
    if not refused:
        text = printer.unit.text
        named = {b.name for b in bound}
        fixed = frozenset(i for i, t in enumerate(template_of(function, context)) if t.name in named)
        interface = KernelInterface(
            name=name,
            parameters=tuple(parameters),
            template=template,
            metal_body=body,
            metal_header=header_text,
            cuda_body=_cuda_body(function, context, parameters, bound),
            cuda_header=original.replace("__global__", "__device__"),
            dynamic_shared="dynamic_shared" in context.printed.handed,
            max_threads=_launch_bounds(
                text[function.outer.start : function.declarator.start], printer.declared.macros
            ),
            launches=tuple(_without(fixed, each) for each in launches),
            fixed=fixed,
            documentation=_comment_before(function.outer, text),
            line=printer.unit.origin(function.node.start).line,
        )
    return TranslatedKernel(
        name,
        function,
        interface,
        tuple(findings.found),
        original,
        body_lines,
        header_lines,
        frozenset(header.optional),
    )


def _cuda_body(function: Function, context: Context, parameters: list[Parameter], bound: list[Bound]) -> str:
    """A call of the original as a device function; empty where MLX's arguments are not CUDA's own."""
    given, classes = {p.name for p in parameters}, {b.name for b in bound}
    own = [p.name for p in function.parameters if p.name in given or p.type.base not in classes]
    narrowed = context.options.double == "float" and "double" in context.text
    if [p.name for p in parameters] != own or narrowed:
        return ""
    template = template_of(function, context)
    values = {b.name: b.spelling for b in bound if b.is_function}
    arguments = f"<{', '.join(values.get(p.name, p.name) for p in template)}>" if template else ""
    passed = ", ".join(p.name if p.name in own else f"{p.type.base}()" for p in function.parameters)
    aliases = [f"using {b.name} = {b.spelling};" for b in bound if not b.is_function]
    return "\n".join([*aliases, f"{function.name}{arguments}({passed});"]) + "\n"


def _launch_bounds(head: str, macros: Mapping[str, str]) -> int | None:
    """The most threads of a block that `__launch_bounds__` names, as a number or a macro that is one."""
    match = re.search(r"__launch_bounds__\s*\(\s*(\w+)", head)
    bound = macros.get(match[1], match[1]).strip() if match else ""
    return int(bound) if bound.isdecimal() else None


def _without(fixed: frozenset[int], launch: Launch) -> Launch:
    """The launch without the template arguments that the text fixes."""
    given = tuple(a for i, a in enumerate(launch.template_arguments) if i not in fixed)
    return replace(launch, template_arguments=given)


def _comment_before(outer: Node, text: str) -> str:
    """The comment that stands right above a kernel, without its comment marks."""
    siblings = outer.parent.children if outer.parent is not None else []
    lines: list[str] = []
    position = bisect_left(siblings, outer.index, key=lambda node: node.index) - 1
    end = outer.start
    while (
        position >= 0
        and siblings[position].kind == "comment"
        and text[siblings[position].end : end].count("\n") <= 1
    ):
        lines.insert(0, text[siblings[position].start : siblings[position].end])
        end = siblings[position].start
        position -= 1
    stripped = (
        re.sub(r"^\s*(?:/\*+|\*/|\*|//+)\s?|\s*\*/\s*$", "", line) for line in "\n".join(lines).split("\n")
    )
    return "\n".join(stripped).strip()
