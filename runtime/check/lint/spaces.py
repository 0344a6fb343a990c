"""Address spaces that are not written: pointers and references, program-scope and static variables.

Clang would call such pointers generic and program-scope variables global, and accept them.
"""

from collections.abc import Iterator

from cu2mlx.runtime.check.lint.note import Note
from cu2mlx.runtime.check.outline import Declaration, Outline
from cu2mlx.runtime.check.tokens import ADDRESS_SPACES, QUALIFIERS, Token

_ELEMENTS = (
    "bool",
    "char",
    "uchar",
    "short",
    "ushort",
    "int",
    "uint",
    "long",
    "ulong",
    "half",
    "float",
    "bfloat",
)
_OTHERS = frozenset(
    {"void", "unsigned", "signed", "size_t", "ptrdiff_t", "float16_t", "bfloat16_t", "complex64_t"}
)
_SIZED = frozenset(f"{u}int{bits}_t" for u in ("", "u") for bits in (8, 16, 32, 64))
_TEMPLATES = frozenset({"atomic", "vec", "packed_vec", "simdgroup_matrix", "array"})
_ATOMICS = frozenset(f"atomic_{t}" for t in ("int", "uint", "bool", "float", "ulong"))
_VECTORS = frozenset(f"{p}{t}{n}" for p in ("", "packed_") for t in _ELEMENTS for n in (2, 3, 4))
_TYPES = _VECTORS.union(_ELEMENTS, _OTHERS, _SIZED, _TEMPLATES, _ATOMICS)
_BEFORE_TYPE = frozenset({";", "{", "}", "(", ",", "<", ":", ")", ">"})
_TYPE_MAKERS = frozenset({"struct", "class", "union", "enum", "typename", "using"})
_HINT = "write device, constant, threadgroup or thread before the type"


def run(outline: Outline) -> Iterator[Note]:
    tokens = [token for token in outline.tokens if not token.directive]
    spaces = ADDRESS_SPACES.union(
        name for name, body in outline.macros.items() if any(t.text in ADDRESS_SPACES for t in body)
    )
    parameters = {p.name.text for function in outline.functions for p in function.parameters if p.name}
    yield from _pointers(tokens, _declared_types(tokens) - parameters, spaces)
    for declaration in outline.declarations:
        yield from _program_scope(declaration, spaces)
    for function in outline.functions:
        yield from _statics(list(function.body), spaces)


def _declared_types(tokens: list[Token]) -> frozenset[str]:
    """Types by name: the built-in ones and those the text introduces."""
    found = set(_TYPES)
    for index, token in enumerate(tokens[:-1]):
        following = tokens[index + 1]
        if token.text in _TYPE_MAKERS and following.kind == "word":
            found.add(following.text)
        elif token.text == "typedef":
            end = next((i for i in range(index, len(tokens)) if tokens[i].text == ";"), index)
            found.add(tokens[end - 1].text)
    return frozenset(found - {"namespace"})


def _pointers(tokens: list[Token], types: frozenset[str], spaces: frozenset[str]) -> Iterator[Note]:
    for index, token in enumerate(tokens):
        if token.text not in ("*", "&") or index == 0:
            continue
        array = tokens[index - 1].text == "(" and [t.text for t in tokens[index + 2 : index + 4]] == [
            ")",
            "[",
        ]
        start = _type_start(tokens, index, index - 1 - array, types, spaces)  # float (&x)[4]
        if start is None or not _declares(tokens, start, index):
            continue
        yield Note(
            token.start, "missing-address-space", f"{_label(tokens, index)} has no address space", _HINT
        )


def _label(tokens: list[Token], mark: int) -> str:
    """What the `*` or `&` at `mark` declares."""
    kind = "pointer" if tokens[mark].text == "*" else "reference"
    after = mark + 1
    while after < len(tokens) - 1 and tokens[after].text in QUALIFIERS:
        after += 1
    if tokens[after].kind != "word":
        return f"this {kind}"
    if tokens[after + 1].text == "(":
        return f"the {kind} that '{tokens[after].text}' returns"
    return f"{kind} '{tokens[after].text}'"


def _type_start(
    tokens: list[Token], mark: int, index: int, types: frozenset[str], spaces: frozenset[str]
) -> int | None:
    """First token of the type that ends at `index`, before the `*` or `&` at `mark`.

    None where it is no type, is `auto`, or names a space.
    """
    qualifiers = QUALIFIERS | {"typename", "struct", "constexpr", "static", "inline"}
    while index >= 0 and tokens[index].text in QUALIFIERS:
        index -= 1
    if index >= 0 and tokens[index].text == "*":
        # A pointer to a pointer needs a second space; a reference to a pointer is to a thread's variable.
        return index if tokens[mark].text == "*" else None
    if index >= 0 and tokens[index].text == ">":
        depth = 0
        while index >= 0:
            depth += (tokens[index].text == ">") - (tokens[index].text == "<")
            index -= 1
            if depth == 0:
                break
    if index < 0 or tokens[index].kind != "word" or tokens[index].text in spaces:
        return None
    known = tokens[index].text in types
    while index >= 2 and tokens[index - 1].text == "::":
        index -= 2
        known = known or tokens[index - 1].text == "typename"
        if tokens[index].text == ">":
            return None
    while index >= 1 and tokens[index - 1].text in qualifiers | {"unsigned", "signed", "long", "short"}:
        index -= 1
    if not known or tokens[index].text in spaces or (index and tokens[index - 1].text in spaces):
        return None
    return index


def _declares(tokens: list[Token], start: int, mark: int) -> bool:
    """Whether `type *` stands where a declaration, a parameter, a cast or a template argument may."""
    before = tokens[start - 1].text if start else ";"
    after = tokens[mark + 1].text if mark + 1 < len(tokens) else ";"
    if tokens[start].text == "*":
        return (
            before not in ("*", "=", "(", ",", "return")
            and after not in ("(",)
            and _inside_type(tokens, start)
        )
    if not (before in _BEFORE_TYPE or before.isidentifier()) or before in ("return", "case", "operator"):
        return False
    return after in (")", ">", ",", "(", "*", "&") or tokens[mark + 1].kind == "word"


def _inside_type(tokens: list[Token], star: int) -> bool:
    """Whether the `*` before another one belongs to a type: a type name stands before it."""
    return tokens[star - 1].text in _TYPES


def _program_scope(declaration: Declaration, spaces: frozenset[str]) -> Iterator[Note]:
    tokens = list(declaration.tokens)
    words = [token.text for token in tokens]
    if not words or words[0] in {
        "using",
        "typedef",
        "static_assert",
        "friend",
        "namespace",
        "extern",
        "template",
    }:
        return
    if words[0] in ("struct", "class", "union", "enum") and len(words) <= 2:
        return
    head = words[: words.index("=")] if "=" in words else words
    if "(" in head or len(head) < 2:
        return  # a prototype, or a macro's expansion
    named = [word for word in head if word in spaces]
    if "constant" in named or any(word not in ADDRESS_SPACES for word in named):
        return
    yield Note(
        tokens[0].start,
        "program-scope",
        "a variable at program scope must be in the constant address space",
        "write `constant T name = value;`, or pass a buffer",
    )


def _statics(body: list[Token], spaces: frozenset[str]) -> Iterator[Note]:
    for index, token in enumerate(body):
        if token.text == "static" and body[index - 1].text in (";", "{", "}"):
            end = next((i for i in range(index, len(body)) if body[i].text in (";", "=", "{")), index)
            if not any(part.text in spaces - {"thread"} for part in body[index:end]):
                message = "a static variable must be in the constant address space"
                yield Note(
                    token.start, "static-variable", message, "drop static, or write static constant constexpr"
                )
