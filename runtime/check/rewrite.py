"""MSL text to the C++ for OpenCL that clang reads: same lines, few changed columns, all mapped back."""

import bisect
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from cu2mlx.runtime.check.outline import Function, Outline
from cu2mlx.runtime.check.tokens import Lines, Token, split

THREADGROUP_BYTES = 32_768
OVERFLOW = "threadgroup memory over the limit"
_MEMORY = " = __msl_threadgroup_memory{}"
_BEFORE_CONSTRUCTOR = frozenset({"{", "}", ";", ":", ">", "constexpr", "explicit", "inline", "METAL_FUNC"})
_BFLOAT_LITERAL = re.compile(r"(?:bf|BF)$")


@dataclass(slots=True)
class Rewritten:
    """The new text; `original` maps an offset in it to one in the old text."""

    text: str
    _ends: list[int] = field(default_factory=list)  # where each kept or replaced stretch begins, new text
    _shifts: list[int] = field(default_factory=list)

    def original(self, offset: int) -> int:
        index = bisect.bisect_right(self._ends, offset) - 1
        return max(0, offset - self._shifts[index]) if index >= 0 else offset


@dataclass(slots=True)
class _Edits:
    edits: list[tuple[int, int, str]] = field(default_factory=list)

    def insert(self, offset: int, text: str) -> None:
        self.edits.append((offset, offset, text))

    def replace(self, start: int, end: int, text: str) -> None:
        self.edits.append((start, end, text))

    def apply(self, text: str) -> Rewritten:
        parts: list[str] = []
        starts: list[int] = []
        shifts: list[int] = []
        position = length = 0
        for start, end, new in sorted(self.edits, key=lambda edit: edit[:2]):
            if start < position:
                continue  # inside an attribute that was blanked already
            parts += [text[position:start], new]
            length += start - position + len(new)
            position = end
            starts.append(length)
            shifts.append(length - end)
        parts.append(text[position:])
        return Rewritten("".join(parts), starts, shifts)


def _blank(text: str) -> str:
    return re.sub(r"[^\n\\]", " ", text)


def threadgroup_declarations(function: Function) -> list[tuple[list[Token], int]]:
    """The statements of a body that declare threadgroup memory, pointers excluded, with their brace depth."""
    found: list[tuple[list[Token], int]] = []
    depth = 0
    body = function.body
    index = 0
    while index < len(body):
        word = body[index].text
        depth += (word == "{") - (word == "}")
        if word in ("threadgroup", "alignas") and body[index - 1].text in (";", "{", "}"):
            end = _end_of_statement(body, index)
            statement = list(body[index : end + 1])
            if declared_names(statement):
                found.append((statement, depth))
            index = end
        index += 1
    return found


def _end_of_statement(tokens: Sequence[Token], start: int) -> int:
    """Index of the `;` that ends a declaration, past the body of a class that it defines."""
    depth = 0
    for index in range(start, len(tokens)):
        depth += (tokens[index].text == "{") - (tokens[index].text == "}")
        if tokens[index].text == ";" and depth <= 0:
            return index
    return len(tokens) - 1


def alignment_of(statement: list[Token]) -> list[Token]:
    """The tokens of `alignas(16)` in a declaration."""
    at = next((i for i, token in enumerate(statement) if token.text == "alignas"), None)
    if at is None:
        return []
    end = next((i for i in range(at, len(statement)) if statement[i].text == ")"), at)
    return statement[at : end + 1]


def _without_class_body(part: list[Token]) -> list[Token]:
    """A declarator, behind the body of a class that the declaration defines."""
    if len(part) < 2 or part[1].text not in ("struct", "class", "union"):
        return part
    closing = next((i for i in range(len(part) - 1, -1, -1) if part[i].text == "}"), None)
    return part if closing is None else [*part[:2], *part[closing + 1 :]]


def declared_names(statement: list[Token]) -> list[tuple[Token, Token, Token | None]]:
    """Of `threadgroup T a[4], b;`: per declarator its name, its last token, and the `=` of an initialiser."""
    names: list[tuple[Token, Token, Token | None]] = []
    aligned = alignment_of(statement)
    tokens = [token for token in statement[:-1] if token not in aligned]
    if not tokens or tokens[0].text != "threadgroup":
        return []
    for number, whole in enumerate(split(tokens)):
        part = _without_class_body(whole)
        plain = _outside_angles(part)  # `Vec<T, (N + 1)>::Type a[N]` has a type with arguments of its own
        stop = next((i for i, token in enumerate(plain) if token.text in ("[", "=", "{", "(")), len(plain))
        head = plain[:stop]
        if any(token.text in ("*", "&", "&&") for token in head):
            return []
        if not head or head[-1].kind != "word" or (number == 0 and len(head) < 3):
            return []
        equals = next((token for token in part if token.text in ("=", "{")), None)
        names.append((head[-1], part[-1], equals))
    return names


def _outside_angles(tokens: list[Token]) -> list[Token]:
    kept: list[Token] = []
    depth = 0
    for token in tokens:
        depth += (token.text == "<") - (token.text == ">")
        if depth == 0:
            kept.append(token)
    return kept


def _threadgroup_memory(edits: _Edits, text: str, kernel: Function) -> None:
    """Turn the kernel's threadgroup variables into references, and bound the sum of their sizes."""
    sizes: list[str] = []
    last: Token | None = None
    for statement, depth in threadgroup_declarations(kernel):
        for token in alignment_of(statement):
            edits.replace(token.start, token.end, _blank(token.text))
        for name, end, equals in declared_names(statement):
            edits.insert(name.start, "(&")
            edits.insert(name.end, ")")
            if equals is None:
                edits.insert(end.end, _MEMORY)
            else:
                edits.replace(equals.start, end.end, _blank(text[equals.start : end.end]) + _MEMORY)
            if depth == 1:
                sizes.append(f"sizeof({name.text})")
                last = statement[-1]
    if last is not None:
        limit = f'static_assert({" + ".join(sizes)} <= {THREADGROUP_BYTES}, "{OVERFLOW}");'
        edits.insert(last.end, " " + limit)


def _thread_constructors(tokens: list[Token]) -> Iterator[Token]:
    """`thread` after a constructor's parameters: clang cannot make temporaries with such constructors."""
    for index, token in enumerate(tokens[1:-1], start=1):
        if token.text != "thread" or tokens[index - 1].text != ")":
            continue
        name = _opening(tokens, index - 1) - 1
        if name > 0 and tokens[name].kind == "word" and tokens[name - 1].text in _BEFORE_CONSTRUCTOR:
            yield token


def _opening(tokens: list[Token], closing: int) -> int:
    """Index of the `(` that the `)` at `closing` closes."""
    depth = 0
    for index in range(closing, -1, -1):
        depth += (tokens[index].text == ")") - (tokens[index].text == "(")
        if depth == 0:
            return index
    return 0


def _function_constant(edits: _Edits, outline: Outline, tokens: tuple[Token, ...]) -> None:
    """The value comes at pipeline creation: declare it only, or where it is static, give it any value."""
    words = {token.text for token in tokens}
    for token in tokens:
        words |= {part.text for part in outline.macros.get(token.text, ())}
    if words & {"static", "constexpr"}:
        edits.insert(tokens[-1].end, " = {}")
    else:
        edits.insert(tokens[0].start, "extern ")


def _ternaries(edits: _Edits, tokens: list[Token], offsets: frozenset[int]) -> None:
    """A `+` before both branches of each `?` at `offsets`: it makes values of vectors and bfloats."""
    for index, token in enumerate(tokens):
        if token.text != "?" or token.start not in offsets:
            continue
        edits.insert(token.end, " +")
        depth = 0
        for other in tokens[index + 1 :]:
            depth += (other.text in ("?", "(", "[", "{")) - (other.text in (":", ")", "]", "}"))
            if depth < 0:
                if other.text == ":":
                    edits.insert(other.end, " +")
                break


def rewrite(outline: Outline, *, ternaries: frozenset[int] = frozenset()) -> Rewritten:
    """`ternaries` are offsets of those `?` that clang needs help with, see messages.mixed_ternaries."""
    edits = _Edits()
    _ternaries(edits, outline.tokens, ternaries)
    text = outline.text
    for start, end in outline.attribute_spans:
        edits.replace(start, end, _blank(text[start:end]))
    for token in outline.tokens:
        if token.kind == "number" and _BFLOAT_LITERAL.search(token.text) and not token.text.startswith("0x"):
            edits.replace(token.start, token.end, f"bfloat({token.text[:-2]})")
    for token in _thread_constructors(outline.tokens):
        edits.replace(token.start, token.end, " " * len(token.text))
    for function in outline.functions:
        for token in function.head:
            if token.text == "kernel":
                edits.replace(token.start, token.end, " " * len(token.text))
        if function.kernel:
            _threadgroup_memory(edits, text, function)
    for declaration in outline.declarations:
        if any(attribute.name == "function_constant" for attribute in declaration.attributes):
            _function_constant(edits, outline, declaration.tokens)
    return edits.apply(text)


def original_place(rewritten: Rewritten, new: Lines, old: Lines, line: int, column: int) -> tuple[int, int]:
    """Clang's line and byte column in the new text as line and column of the original."""
    old_line, old_column = old.place(rewritten.original(new.offset(line, column)))
    return (line, old_column) if old_line == line else (line, 1)
