"""Attributes: `[[buffer(0), function_constant(c)]]`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cu2mlx.runtime.msl.tokens import Token, split_commas


@dataclass(frozen=True, slots=True)
class Attribute:
    """`argument` is the text in its parentheses, "" without any."""

    name: str
    argument: str


def spans(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Index ranges [first, last] of the tokens of each `[[…]]`."""
    at = 0
    while at + 1 < len(tokens):
        first, second = tokens[at], tokens[at + 1]
        if first.text == second.text == "[" and first.end == second.start and _is_attribute(tokens, at + 2):
            depth, end = 0, at
            for end in range(at, len(tokens)):
                depth += (tokens[end].text == "[") - (tokens[end].text == "]")
                if depth == 0:
                    break
            yield at, end
            at = end
        at += 1


def _is_attribute(tokens: Sequence[Token], at: int) -> bool:
    """`a[[]{…}()]` subscripts with a lambda; an attribute starts with a name."""
    return at < len(tokens) and tokens[at].text[:1].isalpha()


def read_attributes(tokens: Sequence[Token]) -> tuple[list[Attribute], list[Token]]:
    """All attributes in a token list, and the other tokens."""
    attributes: list[Attribute] = []
    plain: list[Token] = []
    position = 0
    for first, last in spans(tokens):
        plain += tokens[position:first]
        for part in split_commas(tokens[first + 2 : last - 1]):
            if part:
                argument = "".join(token.text for token in part[2:-1])
                attributes.append(Attribute(part[0].text, argument))
        position = last + 1
    return attributes, [*plain, *tokens[position:]]
