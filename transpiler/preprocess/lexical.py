"""The lexical grammar of CUDA C++, as regular expressions."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

COMMENT = r"//(?:\\\r?\n|[^\n\\]|\\.)*|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/"
RAW_STRING = r'(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s]{0,16})\((?s:.*?)\)(?P=delimiter)"'
STRING = r'"(?:[^"\\\n]|\\(?s:.))*"'
CHARACTER = r"'(?:[^'\\\n]|\\.)+'"

# The rest of a directive line: to the line end, but across line splices and block comments.
DIRECTIVE_REST = r"(?:[^\n\\/]|\\\r?\n|\\|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/|//(?:\\\r?\n|[^\n])*|/)*"
_DIRECTIVE = re.compile(rf"[ \t]*#[ \t]*(?P<directive>[a-z_]*)(?P<rest>{DIRECTIVE_REST})\n?")

# What hides code or may be a directive; everything between is plain code. It starts with a set of characters,
# which `re` can skip to.
_STRUCTURE = re.compile(
    r"""[/"'#](?:(?<=#)(?P<hash>)|(?<=/)(?:"""
    r"""(?P<comment>/(?:\\\r?\n|[^\n\\]|\\.)*|\*[^*]*\*+(?:[^/*][^*]*\*+)*/)|(?P<open_comment>\*(?s:.*)))"""
    r"""|(?<=R")(?P<delimiter>[^()\\\s]{0,16})\((?:(?s:.*?)\)(?P=delimiter)"|(?P<open_raw>(?s:.*)))|(?<=")(?:[^"\\\n]|\\(?s:.))*\""""
    r"""|(?<=")(?P<open_string>[^\n]*)|(?<![0-9]')(?<=')(?:[^'\\\n]|\\.)+')"""
)

_TOKEN = re.compile(
    rf"(?P<space>(?:\s|\\\r?\n|{COMMENT})+)|(?P<string>{RAW_STRING}|(?:u8|[uUL])?{STRING})"
    rf"|(?P<name>[A-Za-z_$]\w*)|(?P<number>\.?\d(?:[eEpP][+-]|'(?=\w)|[\w.])*)|(?P<char>{CHARACTER})"
    r"|(?P<operator>##|<<<|>>>|<<=|>>=|\.\.\.|->\*?|\+\+|--|<<|>>|[<>=!+\-*/%&|^]=|&&|\|\||::|(?s:.))"
)


def balanced(levels: int) -> str:
    """A pattern for text in round brackets, with up to so many levels inside; it never backtracks."""
    inner = r"[^()]*+"
    for _ in range(levels):
        inner = rf"(?:[^()]++|\({inner}\))*+"
    return rf"\({inner}\)"


IDENTIFIER = re.compile(r"\b[A-Za-z_]\w*")


class Structure(NamedTuple):
    """A comment, literal or directive at start..end; a directive's `kind` is "#" and its name."""

    kind: str
    start: int
    end: int
    rest: int


def structure(text: str) -> Iterator[Structure]:
    """Every comment, string, character literal and directive of a text, in order."""
    position = 0
    while (match := _STRUCTURE.search(text, position)) is not None:
        position = match.end()
        if match["hash"] is None:
            yield Structure(match.lastgroup or "literal", match.start(), position, position)
            continue
        line = text.rfind("\n", 0, match.start()) + 1
        directive = _DIRECTIVE.match(text, line)
        if directive is not None and directive.end() >= position:
            position = directive.end()
            yield Structure("#" + directive["directive"], line, position, directive.start("rest"))


_VISIBLE = re.compile(r"\S+")


def blanked(text: str, filler: str = " ") -> str:
    """White space as it is, `filler` for every other character."""
    return _VISIBLE.sub(lambda match: filler * len(match[0]), text)


def code_only(text: str, parts: Iterable[Structure]) -> str:
    """A text of the same length and lines: blanks for comments and directives, quotes for literals."""
    pieces = []
    copied = 0
    for part in parts:
        filler = '"' if part.kind in ("literal", "delimiter", "open_string", "open_raw") else " "
        pieces.append(text[copied : part.start])
        pieces.append(blanked(text[part.start : part.end], filler))
        copied = part.end
    pieces.append(text[copied:])
    return "".join(pieces)


class Token(NamedTuple):
    """`lead` is the white space and comments before it."""

    kind: str
    text: str
    lead: str


def tokens(text: str) -> list[Token]:
    """A text as tokens (names, numbers, strings, characters, operators); trailing white space is lost."""
    found = []
    lead = ""
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "operator"
        if kind == "space":
            lead = match.group()
        else:
            found.append(Token("string" if kind == "delimiter" else kind, match.group(), lead))
            lead = ""
    return found


def token_matches(text: str, start: int, end: int) -> Iterator[tuple[str, re.Match[str]]]:
    """The kind ("space" for white space and comments) and match of each token in start..end. A directive
    is one token."""
    position = start
    while (match := _TOKEN.match(text, position, end)) is not None:
        kind = match.lastgroup or "operator"
        if match.group() == "#" and not text[text.rfind("\n", 0, position) + 1 : position].strip():
            kind, match = "directive", _LINE.match(text, position) or match
        yield ("string" if kind == "delimiter" else kind), match
        position = match.end()


_LINE = re.compile(rf"#{DIRECTIVE_REST}")
_SPLICE = re.compile(r"[ \t]*\\\r?\n")
_COMMENT = re.compile(rf"(?P<keep>{RAW_STRING}|{STRING}|(?<!\d){CHARACTER})|{COMMENT}")


def without_comments(text: str) -> str:
    """The text with each comment replaced by one space."""
    return _COMMENT.sub(lambda match: match["keep"] or " ", text)


def spliced(text: str) -> str:
    """The text with backslash-newlines turned into plain line ends."""
    return _SPLICE.sub("\n", text)


LINE_START = re.compile(r"\n[ \t]*")


def outdented(found: list[Token]) -> tuple[Token, ...]:
    """The tokens of a macro's body with the indentation taken away that its lines share. Lines that go on
    what the first line begins keep some, unless the last one closes a bracket."""
    starts = [match.group() for token in found for match in LINE_START.finditer(token.lead)]
    if not starts:
        return tuple(found)
    hanging = 0 if found[-1].text in (")", "}", ";") and starts[-1] == min(starts, key=len) else 2
    shared = max(min(len(start) for start in starts) - 1 - hanging, 0)
    return tuple(
        token._replace(lead=LINE_START.sub(lambda match: "\n" + match.group()[1 + shared :], token.lead))
        for token in found
    )
