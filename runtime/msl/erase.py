"""MSL text made plain C++: without attributes and address spaces, threadgroup memory as the target wants it.

Line numbers stay. What remains Metal's own (types, functions) is for a header to define.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from cu2mlx.runtime.msl.attributes import read_attributes, spans
from cu2mlx.runtime.msl.kernels import is_instantiation
from cu2mlx.runtime.msl.scopes import ADDRESS_SPACES, Declaration, Role, Scopes, scopes_of
from cu2mlx.runtime.msl.tokens import (
    Edit,
    Kind,
    Token,
    apply,
    depths,
    match_brackets,
    split_commas,
    text_of,
)

_STARTS_STATEMENT = frozenset({";", "{", "}", ")", ":"})
_QUALIFIERS = frozenset({"static", "const", "volatile", "typename"})
_DECIMAL = re.compile(r"(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][+-]?\d+)?")
_HEX_FLOAT = re.compile(r"0[xX][0-9a-fA-F.]*[pP][+-]?\d+")
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*<(?:metal_\w+|simd/[\w.]+)>[^\n]*", re.M)
_PRAGMA = re.compile(r"^([ \t]*#[ \t]*pragma)([^\n]*)", re.M)
_UNROLL = re.compile(r"[ \t]+(?:unroll\b.*|clang[ \t]+loop[ \t]+unroll\((?:full|enable)\))")


@dataclass(frozen=True, slots=True)
class Declarator:
    """One threadgroup variable: `float s[16][17]` is type "float", name "s", dimensions "[16][17]". `record` is
    the definition of a type that the same statement makes."""

    type: str
    name: str
    dimensions: str
    record: str = ""


def erase(
    text: str,
    shared: Callable[[Declarator], str],
    constants: Mapping[int, str] | None = None,
    *,
    unrolled: bool = False,
) -> str:
    """The text as C++. `shared` writes the definition of one threadgroup variable (with its `;`).

    `constants`: literals of the function constants that are set, by index; the others are zero. `unrolled`: pragmas
    that unroll a loop stay, as `#pragma unroll`. Explicit instantiations, Metal's includes and other pragmas go; of
    overloads that differ only in address space, the first stays; float literals without a suffix get `f`, those of
    half and bfloat become casts.
    """
    scopes = scopes_of(text)
    tokens = scopes.tokens
    edits = [Edit(match.start(), match.end(), "") for match in _INCLUDE.finditer(text)]
    edits += [Edit(m.start(), m.end(), _pragma(m, unrolled)) for m in _PRAGMA.finditer(text)]
    edits += [_blank(tokens, each) for each in scopes.duplicates()]
    edits += [_blank(tokens, each) for each in scopes.declarations if is_instantiation(scopes, each)]
    edits += _threadgroup_edits(text, scopes, shared)
    edits += _constant_edits(text, scopes, constants or {})
    edits += [Edit(tokens[first].start, tokens[last].end, "") for first, last in spans(tokens)]
    for token in tokens:
        if token.kind is Kind.WORD and (token.text in ADDRESS_SPACES or token.text == "kernel"):
            edits.append(Edit(token.start, token.end, ""))
        elif token.kind is Kind.NUMBER and (literal := _literal(token.text)) is not None:
            edits.append(Edit(token.start, token.end, literal))
    return apply(text, edits)


def _pragma(match: re.Match[str], unrolled: bool) -> str:
    asks = _UNROLL.fullmatch(match[2])
    if not unrolled or asks is None:
        return ""
    return match[0] if "clang" not in match[2] else f"{match[1]} unroll"


def threadgroup_declarations(text: str) -> list[Declarator]:
    """All threadgroup variables that a text declares."""
    scopes = scopes_of(text)
    return [each for _, declarators in _threadgroup(text, scopes) for each in declarators]


def function_constants(text: str) -> dict[str, int]:
    """The function constants of a text: name to index."""
    scopes = scopes_of(text)
    return {name: index for _, name, _, index in _function_constants(scopes)}


def _function_constants(scopes: Scopes) -> Iterator[tuple[Declaration, str, str, int]]:
    """Declaration, name, type and index of each function constant."""
    for declaration in scopes.declarations:
        if declaration.role is not Role.OTHER or declaration.in_class:
            continue
        attributes, plain = read_attributes(scopes.tokens[declaration.start : declaration.body])
        index = next((each.argument for each in attributes if each.name == "function_constant"), "")
        if index.isdigit():
            type_text = " ".join(each.text for each in plain[:-1] if each.text != "constant")
            yield declaration, plain[-1].text, type_text, int(index)


def _blank(tokens: Sequence[Token], declaration: Declaration) -> Edit:
    return Edit(tokens[declaration.start].start, tokens[declaration.end - 1].end, "")


def _threadgroup_edits(text: str, scopes: Scopes, shared: Callable[[Declarator], str]) -> Iterator[Edit]:
    for span, declarators in _threadgroup(text, scopes):
        records = dict.fromkeys(f"{each.record}; " for each in declarators if each.record)
        yield Edit(*span, "".join(records) + " ".join(shared(each) for each in declarators))


def _threadgroup(text: str, scopes: Scopes) -> Iterator[tuple[tuple[int, int], list[Declarator]]]:
    """Statements that define threadgroup variables: the text's span and the variables."""
    tokens = scopes.tokens
    for index, token in enumerate(tokens):
        if token.text != "threadgroup" or token.kind is not Kind.WORD or token.directive:
            continue
        start = index
        while start and (tokens[start - 1].text in _QUALIFIERS or tokens[start - 1].text == "]"):
            start -= 1
        if start and tokens[start - 1].text not in _STARTS_STATEMENT and not tokens[start - 1].directive:
            continue
        end = index
        while end < len(tokens) and tokens[end].text != ";":
            end = scopes.pairs.get(end, end) + 1
        if end < len(tokens) and (declarators := _declarators(text, tokens[index + 1 : end])):
            yield (tokens[start].start, tokens[end].end), declarators


def _declarators(text: str, tokens: Sequence[Token]) -> list[Declarator]:
    """The variables of a statement after the word threadgroup; none if it defines a pointer or a function."""
    found: list[Declarator] = []
    record, name, rest = _record(text, read_attributes(tokens)[1])
    for part in split_commas(rest):
        plain = [i for i, (_, angles) in enumerate(depths(part)) if angles == 0]
        square = next((i for i in plain if part[i].text == "["), len(part))
        head = part[:square]
        if (
            not head
            or head[-1].kind is not Kind.WORD
            or any(part[i].text in ("*", "&", "=", "(", "{") for i in plain if i < square)
        ):
            return []
        type_text = found[0].type if found else name or text_of(text, head[:-1])
        type_text = re.sub(r"\b(?:threadgroup|volatile)\b", "", type_text).strip()
        if not type_text:
            return []
        found.append(Declarator(type_text, head[-1].text, text_of(text, part[square:]), record))
    return found


def _record(text: str, tokens: Sequence[Token]) -> tuple[str, str, Sequence[Token]]:
    """The record that a statement defines for its variables, with its name, and the tokens after it."""
    opening = next((i for i, token in enumerate(tokens) if token.text == "{"), len(tokens))
    head = [token.text for token in tokens[:opening]]
    if opening == len(tokens) or head[:1] not in (["struct"], ["union"]) or len(head) > 2:
        return "", "", tokens
    closing = match_brackets(tokens)[opening]
    name = head[1] if len(head) == 2 else f"anonymous_{tokens[0].start}"
    body = text_of(text, tokens[opening : closing + 1])
    return f"{head[0]} {name} {body}", name, tokens[closing + 1 :]


def _constant_edits(text: str, scopes: Scopes, values: Mapping[int, str]) -> Iterator[Edit]:
    """Program-scope `constant`s become const; function constants get their values."""
    tokens = scopes.tokens
    given: dict[str, bool] = {}
    for declaration, name, type_text, index in _function_constants(scopes):
        given[name] = index in values
        span = tokens[declaration.start].start, tokens[declaration.body - 1].end
        yield Edit(*span, f"static constexpr {type_text} {name} = {values.get(index, '{}')}")
    for declaration in scopes.declarations:
        if declaration.role is not Role.OTHER or declaration.in_class:
            continue
        head = tokens[declaration.start : declaration.body]
        words = {token.text for token in _before_initialiser(head)}
        if "constant" in words and not words & {"const", "constexpr", "using", "typedef", "(", *given}:
            first = next(token for token in head if token.text == "constant")
            yield Edit(first.start, first.end, "const")
    for at, token in enumerate(tokens):
        if token.text == "is_function_constant_defined" and at + 2 < len(tokens):
            known = "true" if given.get(tokens[at + 2].text) else "false"
            yield Edit(token.start, tokens[scopes.pairs.get(at + 1, at)].end, known)


def _before_initialiser(head: Sequence[Token]) -> Sequence[Token]:
    equals = next((i for i, token in enumerate(head) if token.text == "="), len(head))
    return head[:equals]


def _literal(number: str) -> str | None:
    """A float literal as C++ spells it; None if it can stay."""
    match = _DECIMAL.match(number) or _HEX_FLOAT.match(number)
    if not match or (number[:2] in ("0x", "0X") and not _HEX_FLOAT.match(number)):
        return None
    suffix = number[match.end() :]
    value = match[0]
    if suffix == "":
        return f"{value}f"
    if suffix in ("h", "H"):
        return f"half({value}f)"
    if suffix in ("bf", "BF"):
        return f"bfloat({value}f)"
    return None
