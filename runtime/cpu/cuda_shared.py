"""`__shared__` declarations as references into the engine's per-block arena.

    __shared__ float s[N][4], n;     ->  auto& s = ::engine::shared<float[(N)][(4)]>([] {}); auto& n = …
    extern __shared__ float d[];     ->  auto d = reinterpret_cast<float*>(::engine::dynamic_shared());

At file scope a macro stands for the name, since no thread runs there. The body of a #define is rewritten too.
"""

import re
from dataclasses import dataclass

from cu2mlx.runtime.cpu.cuda_lambdas import Visible, captures, visible
from cu2mlx.runtime.cpu.cuda_text import (
    blank_literals,
    find_closing,
    without_comments,
)
from cu2mlx.runtime.msl.tokens import Edit, apply, line_of
from cu2mlx.runtime.protocol import CompileError

_PAREN = r"[^()]*(?:\([^()]*\)[^()]*)*"
_ARGUMENTS = rf"\s*\((?:\({_PAREN}\)|{_PAREN})\)"
_SPECIFIER = rf"(?:extern|static|inline|(?:__align__|alignas|__attribute__){_ARGUMENTS})"
_TYPE_WORD = r"(?:volatile|const|typename|unsigned|signed|int|float|double|char|short|long|bool)"
_BEFORE = re.compile(rf"(?:\b(?:{_SPECIFIER}|{_TYPE_WORD})\s*)*$")  # what may stand before `__shared__`
_REMOVED = re.compile(rf"\b(?:__shared__|{_SPECIFIER})(?!\w)\s*")
_NAME = re.compile(r"[A-Za-z_]\w*\s*$")


@dataclass(frozen=True)
class Declarator:
    """One declared variable: `type` without its dimensions, each of `dimensions` as text ("" for `[]`)."""

    name: str
    type: str
    dimensions: tuple[str, ...]


def rewrite_shared(text: str) -> str:
    """Replace every `__shared__` declaration. Raises CompileError where one cannot be read."""
    blanked = blank_literals(text)
    edits: list[Edit] = []
    at_file_scope: set[str] = set()
    local: list[Visible] = []
    for match in re.finditer(r"\b__shared__\b", blanked):
        before = _BEFORE.search(blanked[max(0, match.start() - 200) : match.start()])
        start = match.start() - (len(before[0]) if before else 0)
        end = _statement_end(blanked, match.end())
        external = re.search(r"\bextern\b", blanked[start:end]) is not None
        declarators = _declarators(
            _REMOVED.sub("", without_comments(text[start:end])), line_of(text, match.start())
        )
        declarators = [d for d in declarators if d.name not in at_file_scope]
        if _inside_function(blanked, start) or _in_directive(blanked, start):
            edits.append(Edit(start, end, "; ".join(_local(d, external) for d in declarators)))
            local += [visible(d.name, blanked, end) for d in declarators]
        else:
            at_file_scope.update(d.name for d in declarators)
            lines = [f"#define {d.name} ({_object(d, external)})" for d in declarators]
            edits.append(Edit(start, end, "\n" + "\n".join(lines) + f"\n#line {line_of(text, end)}\n"))
    return apply(text, [*edits, *captures(blanked, local)])


def _statement_end(blanked: str, position: int) -> int:
    """The position of the `;` that ends the declaration, or the end of the directive it stands in."""
    directive = _in_directive(blanked, position)
    while position < len(blanked):
        char = blanked[position]
        if char in "([{":
            position = find_closing(blanked, position)
        elif char == ";" or (directive and char == "\n" and blanked[position - 1] != "\\"):
            return position
        position += 1
    return position


def _in_directive(blanked: str, position: int) -> bool:
    start = blanked.rfind("\n", 0, position) + 1
    while start > 1 and blanked[start - 2] == "\\":
        start = blanked.rfind("\n", 0, start - 1) + 1
    return blanked[start:position].lstrip().startswith("#")


def _inside_function(blanked: str, position: int) -> bool:
    """Whether a brace other than a namespace's or a linkage block's is open."""
    opened: list[bool] = []
    for brace in re.finditer(r"[{}]", blanked[:position]):
        if brace[0] == "}":
            if opened:
                opened.pop()
        else:
            before = blanked[max(0, brace.start() - 200) : brace.start()]
            opened.append(re.search(r"(\bnamespace(\s+[\w:]+)?|\bextern)\s*$", before) is None)
    return any(opened)


def _declarators(declaration: str, line: int) -> list[Declarator]:
    parts = _split(declaration)
    first = _declarator(parts[0], "", line)
    base = first.type.rstrip("* \t\n")
    return [first, *(_declarator(part, base, line) for part in parts[1:])]


def _split(declaration: str) -> list[str]:
    """At commas outside brackets; in the type also outside template arguments."""
    parts, depth, angle, start, in_type = [], 0, 0, 0, True
    for position, char in enumerate(declaration):
        if char in "([{":
            in_type = in_type and char != "["
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif in_type and depth == 0 and char in "<>":
            angle += 1 if char == "<" else -1
        elif char == "," and depth == 0 and angle == 0:
            parts.append(declaration[start:position])
            start, in_type = position + 1, False
    return [*parts, declaration[start:]]


def _declarator(text: str, base: str, line: int) -> Declarator:
    head = text.strip()
    dimensions: list[str] = []
    while head.endswith("]"):
        opening = _matching_open(head)
        dimensions.insert(0, head[opening + 1 : -1].strip())
        head = head[:opening].rstrip()
    name = _NAME.search(head)
    if name is None or (not base and not head[: name.start()].strip()):
        raise CompileError(
            f"kernel.cu:{line}: cannot read this __shared__ declaration: {' '.join(text.split())}"
        )
    return Declarator(name[0].strip(), f"{base} {head[: name.start()]}".strip(), tuple(dimensions))


def _matching_open(text: str) -> int:
    depth = 0
    for position in range(len(text) - 1, -1, -1):
        depth += (text[position] == "]") - (text[position] == "[")
        if depth == 0:
            return position
    return 0


def _array(type_name: str, dimensions: tuple[str, ...]) -> str:
    return type_name + "".join(f"[({d})]" for d in dimensions)


def _object(declarator: Declarator, external: bool) -> str:
    """An expression for the variable."""
    if external:
        element = _array(declarator.type, declarator.dimensions[1:])
        pointer = f"static_cast<::std::add_pointer_t<{element}>>(::engine::dynamic_shared())"
        return pointer if declarator.dimensions else f"*{pointer}"
    return f"::engine::shared<{_array(declarator.type, declarator.dimensions)}>([] {{}})"


def _local(declarator: Declarator, external: bool) -> str:
    if "{" in declarator.type:  # a struct or union defined on the spot
        alias = f"{declarator.name}__shared"
        named = Declarator(declarator.name, alias, declarator.dimensions)
        return f"typedef {declarator.type} {alias}; {_local(named, external)}"
    binding = "auto" if external and declarator.dimensions else "auto&"
    return f"{binding} {declarator.name} = {_object(declarator, external)}"
