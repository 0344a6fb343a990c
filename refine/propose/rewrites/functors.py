"""Classes whose operator () is an operation that Metal has a collective for."""

from collections.abc import Iterator

from cu2mlx.refine.propose.rewrites.calls import definitions
from cu2mlx.refine.propose.rewrites.operations import operation_of
from cu2mlx.refine.propose.rewrites.program import Program
from cu2mlx.transpiler.syntax import Node

_ANY_OTHER = """template <typename Op, typename T>
inline T simd_reduced(Op op, T v) {{
    for (ushort mask = 16; mask > 0; mask >>= 1)
        v = op(v, {shuffle}(v, mask));
    return v;
}}
"""


def overloads(program: Program) -> str:
    """simd_reduced(op, v) for objects of any class, by a collective where there is one. Empty where no class has one,
    or the text has it already.

    For the end of the header: templates find overloads for their arguments' classes wherever those stand.
    """
    found = "" if "simd_reduced(" in program.text else "".join(_overloads(program))
    own = "cu::lane_xor" if "inline T lane_xor(" in program.text else "simd_shuffle_xor"
    return _ANY_OTHER.format(shuffle=own) + found if found else ""


def finds_overloads(program: Program, node: Node) -> bool:
    """Whether a place in the text finds them: in the kernel itself, or in a template."""
    return node.start >= program.body.start or node.above("template_declaration") is not None


def _overloads(program: Program) -> Iterator[str]:
    for function in definitions(program, "operator()"):
        operation = operation_of(program, function)
        class_ = function.above("struct_specifier", "class_specifier")
        parameters = None if class_ is None else _template_parameters(program, class_)
        if operation is None or class_ is None or parameters is None:
            continue
        arguments = f"<{', '.join(each.split()[-1] for each in parameters)}>" if parameters else ""
        head = ", ".join([*parameters, "typename Value"])
        name = program.of(class_.need("name"))
        yield (
            f"template <{head}>\n"
            f"inline Value simd_reduced({name}{arguments}, Value v) {{ return simd_{operation}(v); }}\n"
        )


def _template_parameters(program: Program, class_: Node) -> list[str] | None:
    """`typename T`, `int N` …; empty for no template, None for a specialisation or a class in another."""
    declaration = class_.parent
    name = class_.child("name")
    if name is None or name.kind != "type_identifier" or class_.above("struct_specifier", "class_specifier"):
        return None
    if declaration is None or declaration.kind != "template_declaration":
        return []
    return [program.of(each).split("=")[0].strip() for each in declaration.need("parameters").named_children]
