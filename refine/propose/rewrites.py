"""Rewrites of MSL text that keep its meaning up to rounding. Each takes a text and gives it changed, or as it is.

Whether a rewrite is right for a kernel is not taken on trust: its candidate is evaluated like any other.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from cu2mlx.runtime.msl.tokens import Kind, Token, match_brackets, tokenize

Pieces = list[tuple[int, int, str]]


@dataclass(frozen=True, slots=True)
class Rewrite:
    """`title` names it in the tree; `gain`, `score`, `difficulty` are its guesses there."""

    title: str
    description: str
    score: float
    difficulty: int
    gain: float
    apply: Callable[[str], str]


def exp2_folding(text: str) -> str:
    """exp(x) → exp2(x · log2 e): exp is computed so anyway, and the factor can be folded into a scale."""
    tokens = tokenize(text)
    pairs = match_brackets(tokens)
    pieces: Pieces = []
    for index, opening in _calls(tokens, "exp"):
        if opening not in pairs or _is_member_or_declaration(tokens, index):
            continue
        inside = text[tokens[opening].end : tokens[pairs[opening]].start]
        closing = tokens[pairs[opening]]
        pieces.append((tokens[index].start, tokens[index].end, "exp2"))
        pieces.append((tokens[opening].end, closing.start, f"({inside}) * M_LOG2E_F"))
    return _replaced(text, pieces)


def fast_math(text: str) -> str:
    """precise::f → fast::f."""
    tokens = tokenize(text)
    return _replaced(
        text,
        [
            (token.start, token.end, "fast")
            for token, following in pairwise(tokens)
            if token.text == "precise" and following.text == "::" and token.kind is Kind.WORD
        ],
    )


_BUTTERFLY = re.compile(
    r"(?:\#pragma\s+unroll\s*\n\s*)?"
    r"for\s*\(\s*(?:int|uint|unsigned)\s+(?P<m>\w+)\s*=\s*16\s*;\s*(?P=m)\s*>\s*0\s*;\s*(?P=m)\s*(?:>>=\s*1|/=\s*2)\s*\)"
    r"\s*\{?\s*(?P<v>\w+)\s*(?:\+=\s*(?P<add>)|=\s*(?P<f>fmax|fmin|max|min)\s*\(\s*(?P=v)\s*,\s*)"
    r"cu::shfl_xor_sync\(\s*(?P=v)\s*,\s*(?P=m)\s*,\s*32\s*,\s*\w+\s*\)\s*(?(f)\))\s*;\s*(?:\})?"
)
_COLLECTIVE = {None: "simd_sum", "fmax": "simd_max", "max": "simd_max", "fmin": "simd_min", "min": "simd_min"}


def simdgroup_reduction(text: str) -> str:
    """A butterfly of shuffles over all 32 lanes → the collective that reduces them."""

    def collective(match: re.Match[str]) -> str:
        if match[0].count("{") != match[0].count("}"):
            return match[0]
        return f"{match['v']} = {_COLLECTIVE[match['f']]}({match['v']});"

    return _BUTTERFLY.sub(collective, text)


def unrolling(text: str) -> str:
    """Innermost loops by four, where nothing says otherwise."""
    tokens = tokenize(text)
    pairs = match_brackets(tokens)
    loops = [index for index, token in enumerate(tokens) if token.text == "for" and not token.directive]
    pieces: Pieces = []
    for index in loops:
        end = _statement_end(tokens, pairs, pairs.get(index + 1, index) + 1)
        inner = any(index < other < end for other in loops)
        line_start = text.rfind("\n", 0, tokens[index].start) + 1
        alone = not text[line_start : tokens[index].start].strip()
        before = text[:line_start].rstrip().rsplit("\n", 1)[-1].strip()
        if not inner and alone and not before.startswith("#pragma") and not before.endswith("\\"):
            pieces.append((line_start, line_start, "#pragma unroll(4)\n"))
    return _replaced(text, pieces)


def _statement_end(tokens: list[Token], pairs: dict[int, int], index: int) -> int:
    """The index of the last token of the statement that starts at `index`."""
    while index < len(tokens) and tokens[index].text != ";":
        if tokens[index].text == "{":
            return pairs.get(index, len(tokens))
        index = pairs.get(index, index) + 1
    return index


def _calls(tokens: list[Token], name: str) -> Iterator[tuple[int, int]]:
    """Indices of a called name and of its parenthesis."""
    for index in range(len(tokens) - 1):
        if tokens[index].text == name and tokens[index + 1].text == "(" and not tokens[index].directive:
            yield index, index + 1


def _is_member_or_declaration(tokens: list[Token], index: int) -> bool:
    """`x.exp(…)`, `T exp(…) {…}`: not the function of the library; `fast::exp` and `metal::exp` are."""
    before = tokens[index - 1] if index else None
    if before is None:
        return False
    if before.text == "::":
        return index < 2 or tokens[index - 2].text not in ("fast", "precise", "metal")
    return before.text in (".", "->") or (before.kind is Kind.WORD and before.text != "return")


def _replaced(text: str, pieces: Pieces) -> str:
    """The outermost pieces replaced; what lies inside one of them is left for the next time."""
    done, position = [], 0
    for start, end, new in sorted(pieces, key=lambda piece: (piece[0], -piece[1])):
        if start < position:
            continue
        done += [text[position:start], new]
        position = end
    return "".join([*done, text[position:]])


REWRITES: tuple[Rewrite, ...] = (
    Rewrite(
        "simdgroup reductions",
        "replace shuffle butterflies over 32 lanes by simd_sum, simd_max, simd_min",
        0.7, 1, 1.2, simdgroup_reduction,
    ),
    Rewrite("exp2 folding", "compute exp as exp2 of a scaled argument", 0.5, 1, 1.05, exp2_folding),
    Rewrite("fast math", "use the fast variants of precise functions", 0.5, 1, 1.1, fast_math),
    Rewrite("unrolling", "unroll innermost loops by four", 0.4, 1, 1.1, unrolling),
)  # fmt: skip
