"""Statements: what Metal has no word for, what is dropped, barriers, and `#if` branches."""

from collections.abc import Callable

from cu2mlx.transpiler.diagnostics import Severity
from cu2mlx.transpiler.model.conditions import holds
from cu2mlx.transpiler.rules import early, owned
from cu2mlx.transpiler.rules.assembly import assembly
from cu2mlx.transpiler.rules.context import Context
from cu2mlx.transpiler.syntax import Node

Rule = Callable[[Node, Context], str | None]


def refuse(code: str) -> Rule:
    """A rule for a node kind that Metal does not have."""

    def rule(node: Node, context: Context) -> str | None:
        context.report(code, node, name=context.source(node).split("\n")[0][:60])
        return None

    return rule


def dropped_call(name: str, node: Node, arguments: Node, context: Context) -> str | None:
    """printf and assert have no effect on a kernel's results: they become a comment, with a warning."""
    code = "CU4202" if "assert" in name else "CU4201"
    context.report(code, node, name=name)
    source = " ".join(context.source(node).split())
    return f"/* {source} */" if "*/" not in source else ""


def barrier(name: str, node: Node, arguments: Node, context: Context) -> str | None:
    """CUDA's barrier orders global memory too: said where the block reads what it wrote there."""
    flags = "mem_flags::mem_threadgroup"
    if context.shared_device_data:
        flags = f"mem_flags::mem_device | {flags}"
    return f"threadgroup_barrier({flags})"


def conditional_branch(node: Node, context: Context) -> str | None:
    """Both branches are translated. One that no compiler will see here may hold what Metal lacks."""
    condition = node.child("condition") or node.child("name")
    if condition is None:
        return None
    active = holds(node, context.text, context.unit.conditions)
    if active is None:
        return None
    alternative = node.child("alternative")
    parts: list[str] = []
    position = node.start
    for child in node.children:
        parts.append(context.unit.text[position : child.start])
        mark, handed = len(context.printed.diagnostics), dict(context.printed.handed)
        text = context.render(child)
        inactive = child is alternative if active else child is not alternative
        if inactive and child.named and child is not condition:
            context.printed.handed = handed
            errors = [d for d in context.printed.diagnostics[mark:] if d.severity is Severity.ERROR]
            if errors and child.kind not in _ELSES:
                del context.printed.diagnostics[mark:]
                text = f"\n#error {errors[0].code.code}: {errors[0].message}\n".replace("\n\n", "\n")
            elif errors:
                del context.printed.diagnostics[mark:]
                text = f"#else\n#error {errors[0].code.code}: {errors[0].message}\n"
        parts.append(text.replace("\x00", ""))
        position = child.end
    parts.append(context.unit.text[position : node.end])
    return "".join(parts)


def choice(node: Node, context: Context) -> str | None:
    return early.guard(node, context) or owned.missing(node, context)


def leaving(node: Node, context: Context) -> str | None:
    return early.leaving(node, context) or owned.leaving(node, context)


_ELSES = frozenset({"preproc_else", "preproc_elif", "preproc_elifdef"})


_DROPPED = (
    "printf",
    "assert",
    "__assert_fail",
    "CUDA_KERNEL_ASSERT",
    "CUDA_KERNEL_ASSERT2",
    "CUDA_KERNEL_ASSERT_MSG",
)
SPECIAL = {**dict.fromkeys(_DROPPED, dropped_call), "__syncthreads": barrier}
RULES: dict[str, Rule] = {
    "gnu_asm_expression": assembly,
    "if_statement": choice,
    "return_statement": leaving,
    "goto_statement": refuse("CU3704"),
    "try_statement": refuse("CU3705"),
    "throw_statement": refuse("CU3705"),
    "new_expression": refuse("CU3302"),
    "delete_expression": refuse("CU3302"),
    "virtual": refuse("CU3707"),
    "virtual_function_specifier": refuse("CU3707"),
    "preproc_if": conditional_branch,
    "preproc_ifdef": conditional_branch,
}
