"""What rewrites ask about expressions: their value, their names, whether they are floats, what changes them."""

import re
from collections.abc import Iterator

from cu2mlx.refine.propose.rewrites.calls import changed_by_calls
from cu2mlx.refine.propose.rewrites.program import Program
from cu2mlx.transpiler.syntax import Node

FLOAT_FUNCTIONS = frozenset(
    {"exp", "exp2", "exp10", "log", "log2", "log10", "sqrt", "rsqrt", "sin", "cos", "tan", "tanh", "fabs", "pow",
     "divide", "log1p", "expm1", "erf", "fma", "fmax", "fmin"}
)  # fmt: skip
_CHANGES = ("assignment_expression", "update_expression", "pointer_expression", "call_expression")
_ARITHMETIC = frozenset({"+", "-", "*", "/"})
_INTEGERS = frozenset({"int", "uint", "long", "ulong", "short", "ushort", "char", "uchar", "bool", "size_t"})


def integer(program: Program, node: Node | None) -> int | None:
    """The value of a constant expression over literals, macros and constants of the text; None if it has none."""
    if node is None:
        return None
    if node.kind == "number_literal":
        return _literal(program.of(node))
    if node.kind == "parenthesized_expression":
        return integer(program, node.named_children[0])
    if node.kind == "identifier":
        return _constant(program, program.of(node))
    if node.kind != "binary_expression":
        return None
    left, right = integer(program, node.child("left")), integer(program, node.child("right"))
    if left is None or right is None:
        return None
    operator = node.need("operator").kind
    if operator in ("/", "%") and (left < 0 or right <= 0):
        return None
    results = {"+": left + right, "-": left - right, "*": left * right}
    if operator in ("/", "%"):
        results |= {"/": left // right, "%": left % right}
    return results.get(operator)


def _literal(text: str) -> int | None:
    digits = text.rstrip("uUlL")
    base = 16 if digits[:2].lower() == "0x" else 10
    allowed = "0123456789abcdef" if base == 16 else "0123456789"
    body = digits[2:] if base == 16 else digits
    return int(body, base) if body and set(body.lower()) <= set(allowed) else None


def _constant(program: Program, name: str) -> int | None:
    for macro in program.root.all("preproc_def"):
        value = macro.child("value")
        if program.of(macro.need("name")) == name and value is not None:
            return _literal(program.of(value).strip())
    for declared in program.root.all("init_declarator"):
        declaration = declared.parent
        if (
            declaration is not None
            and declaration.kind == "declaration"
            and program.of(declared.need("declarator")) == name
            and "constexpr" in program.of(declaration).split()
        ):
            return integer(program, declared.child("value"))
    return None


def names(program: Program, node: Node) -> set[str]:
    """All identifiers in a node."""
    return {program.of(each) for each in node.all("identifier")}


def uses(program: Program, name: str, node: Node) -> list[Node]:
    return [each for each in node.all("identifier") if program.of(each) == name]


def assigned(program: Program, node: Node) -> set[str]:
    """Names of the variables that a statement may change, whole or in part: assigned, stepped, declared, their
    address taken, or handed to what may change them."""
    changed = set()
    kinds = ("assignment_expression", "update_expression", "init_declarator", "pointer_expression")
    targets = [
        each.child("left") or each.child("declarator") or each.child("argument") for each in node.all(*kinds)
    ]
    for target in (*targets, *changed_by_calls(program, node)):
        while target is not None and target.kind in ("subscript_expression", "field_expression"):
            target = target.child("argument")
        if target is not None:
            changed |= names(program, target)
    return changed


def declarations(program: Program, name: str, function: Node) -> list[Node]:
    """All declarations and parameters of a name in a function."""
    found = function.all("declaration", "parameter_declaration")
    return [each for each in found if name in declared_names(program, each)]


def declaration_of(program: Program, name: str, place: Node) -> Node | None:
    """The declaration or parameter that a name at a place refers to, the nearest before it."""
    found: Node | None = None
    scope = place.above("function_definition")
    if scope is None:
        return None
    for each in scope.all("declaration", "parameter_declaration"):
        if each.start < place.start and name in declared_names(program, each):
            found = each
    return found


def constant_value(program: Program, name: Node) -> Node | None:
    """What a name stands for all the time: the value of the one declaration that its function has of it, if that
    makes it a constant, or nothing changes it."""
    text, function = program.of(name), name.above("function_definition")
    declared = declaration_of(program, text, name)
    if function is None or declared is None or len(declarations(program, text, function)) != 1:
        return None
    is_constant = not {"const", "constexpr"}.isdisjoint(program.of(declared).split())
    changes = () if is_constant else function.all(*_CHANGES)
    if any(text in assigned(program, each) for each in changes):
        return None
    for each in declared.fields("declarator"):
        if each.kind == "init_declarator" and program.of(each.need("declarator")) == text:
            return each.child("value")
    return None


def is_threadgroup(program: Program, element: Node) -> bool:
    """Whether an element is of an array or a pointer in threadgroup memory."""
    if element.kind != "subscript_expression" or element.need("argument").kind != "identifier":
        return False
    declared = declaration_of(program, program.of(element.need("argument")), element)
    return declared is not None and _is_in(program, declared, "threadgroup")


def is_device_pointer(program: Program, declaration: Node, name: str) -> bool:
    """Whether a declaration makes a name a pointer into device memory."""
    return _is_in(program, declaration, "device") and any(
        name in _declarator_names(program, each) for each in declaration.all("pointer_declarator")
    )


def _is_in(program: Program, declaration: Node, space: str) -> bool:
    """Whether a declaration names an address space. Where that is its first word the tree does not have it: it stands
    before the node."""
    head = program.of(declaration).split("=")[0].split()
    before = program.text[: declaration.start].rstrip()
    return space in head or re.search(rf"\b{space}$", before[-len(space) - 1 :]) is not None


def declared_names(program: Program, declaration: Node) -> set[str]:
    return {name for each in declaration.fields("declarator") for name in _declarator_names(program, each)}


def _declarator_names(program: Program, node: Node) -> Iterator[str]:
    while node.kind != "identifier":
        inner = node.child("declarator") or node.first("identifier")  # a reference's has no field
        if inner is None:
            break
        node = inner
    if node.kind == "identifier":
        yield program.of(node)


def is_float(program: Program, node: Node | None) -> bool:
    """Whether an expression is surely of type float."""
    if node is None:
        return False
    text = program.of(node)
    if node.kind == "number_literal":
        return ("." in text or "e" in text.lower()) and text[:2].lower() != "0x" and text[-1] not in "hH"
    if node.kind == "identifier":
        return scalar_type(program, node) == "float"
    if node.kind in ("parenthesized_expression", "unary_expression"):
        return is_float(program, node.child("argument") or node.named_children[0])
    if node.kind == "binary_expression":
        sides = [node.need("left"), node.need("right")]
        floats = [is_float(program, each) for each in sides]
        others = all(ok or is_integer(program, each) for ok, each in zip(floats, sides, strict=True))
        return node.need("operator").kind in _ARITHMETIC and any(floats) and others
    if node.kind == "call_expression":
        called = program.of(node.need("function"))
        space, _, plain = called.rpartition("::")
        return called in ("float", "static_cast<float>") or (
            space in ("fast", "precise", "metal::fast", "metal::precise") and plain in FLOAT_FUNCTIONS
        )
    return False


def is_integer(program: Program, node: Node) -> bool:
    """Whether an expression is surely of an integer type."""
    if node.kind == "number_literal":
        return _literal(program.of(node)) is not None
    return node.kind == "identifier" and scalar_type(program, node) in _INTEGERS


def scalar_type(program: Program, name: Node) -> str | None:
    """The type that a name is declared with, None for a pointer, an array or a name from elsewhere."""
    declared = declaration_of(program, program.of(name), name)
    if declared is None:
        return None
    for each in declared.fields("declarator"):
        plain = each.need("declarator") if each.kind == "init_declarator" else each
        if plain.kind == "identifier" and program.of(plain) == program.of(name):
            return program.of(declared.need("type"))
    return None


def expression(statement: Node) -> Node | None:
    """Of a statement that is one."""
    inside = statement.named_children if statement.kind == "expression_statement" else []
    return inside[0] if len(inside) == 1 else None


def fresh(program: Program, name: str) -> str:
    """A name that the text does not have, made of this one."""
    taken = names(program, program.root) | {program.of(each) for each in program.root.all("preproc_def")}
    while name in taken:
        name += "_"
    return name


def is_barrier(program: Program, node: Node) -> bool:
    """A statement that is a threadgroup barrier and nothing else."""
    call = expression(node)
    return (
        call is not None
        and call.kind == "call_expression"
        and program.of(call.need("function")) == "threadgroup_barrier"
    )


def statements(block: Node) -> list[Node]:
    """Of a block, or of a statement that stands for one."""
    return block.named_children if block.kind == "compound_statement" else [block]


def following(statement: Node) -> list[Node]:
    """The statements after one in its block."""
    parent = statement.parent
    if parent is None or parent.kind != "compound_statement":
        return []
    return [each for each in parent.named_children if each.start >= statement.end]
