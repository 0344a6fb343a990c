"""The shape of MSL text: attributes, functions with parameters and bodies, program-scope declarations."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from cu2mlx.runtime.check.tokens import (
    ADDRESS_SPACES,
    QUALIFIERS,
    Token,
    lex,
    matching,
    matching_angle,
    split,
)

_AFTER_PARAMETERS = ADDRESS_SPACES | QUALIFIERS | {"noexcept", "override", "final"}
_NOT_NAMES = frozenset({"decltype", "alignas", "__attribute__", "sizeof", "__declspec"})
_CLASS_WORDS = frozenset({"struct", "class", "union"})


@dataclass(frozen=True, slots=True)
class Attribute:
    """One name inside `[[ ]]` with its argument tokens."""

    name: str
    arguments: tuple[Token, ...]
    start: int


@dataclass(frozen=True, slots=True)
class Parameter:
    tokens: tuple[Token, ...]  # without attributes and default argument
    attributes: tuple[Attribute, ...]

    @property
    def name(self) -> Token | None:
        """The declared name; None for an unnamed parameter such as `int`."""
        words = [token for token in self.tokens if token.kind == "word"]
        return words[-1] if len(words) > 1 else None


@dataclass(frozen=True, slots=True)
class Function:
    """A function definition."""

    name: Token
    head: tuple[Token, ...]  # what stands before the name, without attributes
    attributes: tuple[Attribute, ...]
    parameters: tuple[Parameter, ...]
    body: tuple[Token, ...]  # with its braces
    template: bool
    member: bool

    @property
    def kernel(self) -> bool:
        return any(a.name == "kernel" for a in self.attributes) or any(t.text == "kernel" for t in self.head)


@dataclass(frozen=True, slots=True)
class Declaration:
    """A program-scope statement that is no function and opens no scope."""

    tokens: tuple[Token, ...]
    attributes: tuple[Attribute, ...]


@dataclass(slots=True)
class Outline:
    text: str
    tokens: list[Token]
    attribute_spans: list[tuple[int, int]]
    attributes: list[Attribute]
    functions: list[Function] = field(default_factory=list)
    declarations: list[Declaration] = field(default_factory=list)
    macros: dict[str, tuple[Token, ...]] = field(default_factory=dict)


def _attributes_in(tokens: list[Token]) -> Iterator[tuple[int, int]]:
    """Index pairs (first `[`, last `]`) of every `[[ ]]`."""
    index = 0
    while index + 1 < len(tokens):
        first, second = tokens[index], tokens[index + 1]
        if first.text == "[" and second.text == "[" and first.end == second.start:
            last = matching(tokens, index)
            yield index, last
            index = last
        index += 1


def _parse_attributes(tokens: list[Token]) -> tuple[list[Attribute], list[Token]]:
    """The attributes among `tokens`, and the tokens that remain."""
    found: list[Attribute] = []
    rest: list[Token] = []
    position = 0
    for first, last in _attributes_in(tokens):
        rest.extend(tokens[position:first])
        for part in filter(None, split(tokens[first + 2 : last - 1])):
            opening = next((i for i, token in enumerate(part) if token.text == "("), len(part))
            name = "".join(token.text for token in part[:opening])
            found.append(Attribute(name, tuple(part[opening + 1 : -1]), part[0].start))
        position = last + 1
    rest.extend(tokens[position:])
    return found, rest


def _parameter(tokens: list[Token]) -> Parameter:
    attributes, rest = _parse_attributes(tokens)
    declarator = next(split(rest, "="), [])
    return Parameter(tuple(declarator), tuple(attributes))


def _macros(tokens: list[Token]) -> dict[str, tuple[Token, ...]]:
    """Object-like and function-like macros by name, with the tokens of their bodies."""
    found: dict[str, tuple[Token, ...]] = {}
    for index, token in enumerate(tokens):
        if not (token.directive and token.text == "define" and tokens[index - 1].text == "#"):
            continue
        end = index + 1
        while end < len(tokens) and tokens[end].directive and tokens[end].text != "#":
            end += 1
        if end > index + 1:
            name = tokens[index + 1].text  # all its definitions: which `#if` branch holds is clang's matter
            found[name] = found.get(name, ()) + tuple(tokens[index + 2 : end])
    return found


def _scan(outline: Outline, tokens: list[Token], member: bool) -> None:
    """Read the statements of one program, namespace or class scope."""
    start = index = 0
    while index < len(tokens):
        word = tokens[index].text
        if word in ("(", "["):
            index = matching(tokens, index)
        elif word == "<" and tokens[index - 1].text == "template":
            index = matching_angle(tokens, index) or index
        elif word == "{":
            close = matching(tokens, index)
            ended = _block(outline, tokens[start:index], tokens[index : close + 1], member)
            index = close
            if ended:
                start = index + 1
        elif word == ";":
            _statement(outline, tokens[start:index], member)
            start = index + 1
        elif word == ":" and member and tokens[index - 1].text in ("public", "private", "protected"):
            start = index + 1
        index += 1


def _without_template(tokens: list[Token]) -> tuple[list[Token], bool]:
    template = False
    while tokens and tokens[0].text == "template":
        close = matching_angle(tokens, 1) if len(tokens) > 1 and tokens[1].text == "<" else None
        tokens = tokens[(close or 0) + 1 :]
        template = True
    return tokens, template


def _statement(outline: Outline, tokens: list[Token], member: bool) -> None:
    if tokens and not member and not _defines_type(tokens):
        attributes, rest = _parse_attributes(tokens)
        outline.declarations.append(Declaration(tuple(rest), tuple(attributes)))


def _defines_type(tokens: list[Token]) -> bool:
    """Whether a statement such as `struct P { … }` or `enum { A = 1 }` declares no variable."""
    words = [token.text for token in tokens]
    return (
        words[0] in _CLASS_WORDS | {"enum", "template"}
        and words[-1] == "}"
        and "=" not in words[: words.index("{")]
    )


def _block(outline: Outline, head: list[Token], body: list[Token], member: bool) -> bool:
    """Read a braced block and what stands before it; True where the block ends the statement."""
    attributes, rest = _parse_attributes(head)
    rest, template = _without_template(rest)
    opening = _parameter_list(rest)
    words = [token.text for token in rest[:opening]]
    if opening is None or ("=" in words[:-1] and "operator" not in words):
        if "namespace" in words or words[:1] == ["extern"]:
            _scan(outline, body[1:-1], member=False)
            return True
        if _CLASS_WORDS & set(words) and "=" not in words:
            _scan(outline, body[1:-1], member=True)
        return False
    if opening == 0:
        return True
    name = opening - 1
    if rest[name].text == ">":  # a specialisation, f<float>(…)
        name = max((i for i in range(name) if rest[i + 1].text == "<"), default=name)
    close = matching(rest, opening)
    parameters = [_parameter(part) for part in split(_parameter_tokens(head, rest[opening], rest[close]))]
    outline.functions.append(
        Function(
            name=rest[name],
            head=tuple(rest[:name]),
            attributes=tuple(attributes),
            parameters=tuple(parameters),
            body=tuple(body),
            template=template,
            member=member,
        )
    )
    return True


def _parameter_list(tokens: list[Token]) -> int | None:
    """Index of the `(` that opens a function's parameters."""
    index = 0
    while index < len(tokens):
        word = tokens[index].text
        previous = tokens[index - 1].text if index else ""
        if word == "<" and previous != "operator":
            index = matching_angle(tokens, index) or index
        elif word == "(":
            empty_operator = previous == "operator"  # operator()(…)
            close = matching(tokens, index)
            after = tokens[close + 1] if close + 1 < len(tokens) else None
            macro = after is not None and after.kind == "word" and after.text not in _AFTER_PARAMETERS
            if not (empty_operator or macro or previous in _NOT_NAMES):
                return index
            index = close
        index += 1
    return None


def _parameter_tokens(head: list[Token], opening: Token, close: Token) -> list[Token]:
    """The tokens between the parentheses, attributes included (they were cut out of the head)."""
    return [token for token in head if opening.start < token.start < close.start]


def outline(text: str) -> Outline:
    tokens = lex(text)
    spans = [(tokens[a].start, tokens[b].end) for a, b in _attributes_in(tokens)]
    attributes, _ = _parse_attributes(tokens)
    result = Outline(text, tokens, spans, attributes, macros=_macros(tokens))
    _scan(result, [token for token in tokens if not token.directive], member=False)
    return result
