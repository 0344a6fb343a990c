"""The lexical grammar of CUDA C++, as regular expressions."""

import re
from collections.abc import Iterator
from typing import NamedTuple

COMMENT = r"//(?:\\\r?\n|[^\n\\]|\\.)*|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/"
RAW_STRING = r'(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s]{0,16})\((?s:.*?)\)(?P=delimiter)"'
STRING = r'"(?:[^"\\\n]|\\(?s:.))*"'
CHARACTER = r"'(?:[^'\\\n]|\\.)+'"

# The rest of a directive line: to the line end, but across line splices and block comments.
DIRECTIVE_REST = r"(?:[^\n\\/]|\\\r?\n|\\|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/|//(?:\\\r?\n|[^\n])*|/)*"
DIRECTIVE = rf"^[ \t]*#[ \t]*(?P<directive>[a-z_]*)(?P<rest>{DIRECTIVE_REST})\n?"

# What hides code or is a directive; everything between is plain code.
_STRUCTURE = re.compile(
    rf"(?P<comment>{COMMENT})|{DIRECTIVE}|{RAW_STRING}|{STRING}|(?<!\d){CHARACTER}|(?P<open_comment>/\*)"
    r'|(?P<open_string>"[^\n]*)',
    re.MULTILINE,
)

_TOKEN = re.compile(
    rf"(?P<space>(?:\s|\\\r?\n|{COMMENT})+)|(?P<string>{RAW_STRING}|(?:u8|[uUL])?{STRING})"
    rf"|(?P<name>[A-Za-z_$]\w*)|(?P<number>\.?\d(?:[eEpP][+-]|'(?=\w)|[\w.])*)|(?P<char>{CHARACTER})"
    r"|(?P<operator>##|<<<|>>>|<<=|>>=|\.\.\.|->\*?|\+\+|--|<<|>>|[<>=!+\-*/%&|^]=|&&|\|\||::|(?s:.))"
)

IDENTIFIER = re.compile(r"\b[A-Za-z_]\w*")


class Structure(NamedTuple):
    """A comment, literal or directive at start..end; a directive's `kind` is "#" and its name."""

    kind: str
    start: int
    end: int
    rest: int


def structure(text: str) -> Iterator[Structure]:
    """Every comment, string, character literal and directive of a text, in order."""
    for match in _STRUCTURE.finditer(text):
        directive = match["directive"]
        if directive is not None:
            yield Structure("#" + directive, match.start(), match.end(), match.start("rest"))
        else:
            yield Structure(match.lastgroup or "literal", match.start(), match.end(), match.end())


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


def token_matches(text: str, start: int) -> Iterator[tuple[str, re.Match[str]]]:
    """The kind ("space" for white space and comments) and match of each token from `start` on. A directive
    is one token."""
    position = start
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            return
        kind = match.lastgroup or "operator"
        if kind == "operator" and match.group() in ("#", "##"):
            directive = _DIRECTIVE.match(text, text.rfind("\n", 0, position) + 1)
            if directive is not None and directive.end() > position:
                kind, match = "directive", _LINE.match(text, position) or match
        yield ("string" if kind == "delimiter" else kind), match
        position = match.end()


_DIRECTIVE = re.compile(DIRECTIVE, re.MULTILINE)
_LINE = re.compile(rf"#{DIRECTIVE_REST}")
_SPLICE = re.compile(r"[ \t]*\\\r?\n")
_COMMENT = re.compile(rf"(?P<keep>{RAW_STRING}|{STRING}|(?<!\d){CHARACTER})|{COMMENT}")


def without_comments(text: str) -> str:
    """The text with each comment replaced by one space."""
    return _COMMENT.sub(lambda match: match["keep"] or " ", text)


def spliced(text: str) -> str:
    """The text with backslash-newlines turned into plain line ends."""
    return _SPLICE.sub("\n", text)
