"""Classes whose operator () is an operation that Metal has a collective for."""

from collections.abc import Iterator

from cu2mlx.refine.propose.rewrites.calls import definitions
from cu2mlx.refine.propose.rewrites.operations import operation_of
from cu2mlx.refine.propose.rewrites.program import Program
from cu2mlx.transpiler.syntax import Node

_ANY_OTHER = """template <typename Op, typename T>
inline T simd_reduced(Op op, T v) {
    for (ushort mask = 16; mask > 0; mask >>= 1)
        v = op(v, simd_shuffle_xor(v, mask));
    return v;
}
"""


def overloads(program: Program, before: int) -> str:
    """simd_reduced(op, v) for objects of any class, by a collective where there is one: what a function at a place
    of the text can ask for. Empty where no class has one."""
    found = "".join(_overloads(program, before))
    return _ANY_OTHER + found if found else ""


def outside(node: Node) -> int:
    """Where the function starts that a node is in, its template's head and the comments before it included."""
    while node.parent is not None and node.parent.kind != "translation_unit":
        node = node.parent
    start = node.start
    for sibling in reversed(node.parent.children if node.parent is not None else []):
        if sibling.end <= start:
            if sibling.kind != "comment":
                break
            start = sibling.start
    return start


def _overloads(program: Program, before: int) -> Iterator[str]:
    for function in definitions(program, "operator()"):
        operation, class_ = (
            operation_of(program, function),
            function.above("struct_specifier", "class_specifier"),
        )
        if operation is None or class_ is None or class_.end > before or class_.child("name") is None:
            continue
        name = program.of(class_.need("name"))
        parameters = _template_parameters(program, class_)
        if parameters is None:
            continue
        arguments = f"<{', '.join(each.split()[-1] for each in parameters)}>" if parameters else ""
        head = ", ".join([*parameters, "typename Value"])
        yield (
            f"template <{head}>\n"
            f"inline Value simd_reduced({name}{arguments}, Value v) {{ return simd_{operation}(v); }}\n"
        )


def _template_parameters(program: Program, class_: Node) -> list[str] | None:
    """`typename T`, `int N` …; empty for no template, None for a specialisation or a class in another."""
    declaration = class_.parent
    if class_.need("name").kind != "type_identifier" or class_.above("struct_specifier", "class_specifier"):
        return None
    if declaration is None or declaration.kind != "template_declaration":
        return []
    return [program.of(each).split("=")[0].strip() for each in declaration.need("parameters").named_children]
