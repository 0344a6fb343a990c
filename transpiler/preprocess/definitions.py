"""Reading #define lines."""

import re

from cu2mlx.transpiler.preprocess.lexical import spliced, without_comments
from cu2mlx.transpiler.preprocess.unit import Macro
from cu2mlx.transpiler.source import SourceFile, Span

_DEFINE = re.compile(r"[ \t]*(?P<name>[A-Za-z_]\w*)(?P<parameters>\([^()]*\))?(?P<body>(?s:.*))")


def read_define(rest: str, span: Span, text: str) -> Macro | None:
    """The macro that `rest` (what follows #define) defines; None where it has no name."""
    match = _DEFINE.fullmatch(without_comments(spliced(rest)).rstrip())
    if match is None:
        return None
    parameters: tuple[str, ...] | None = None
    variadic = False
    if match["parameters"] is not None:
        names = [name.strip() for name in match["parameters"][1:-1].split(",")]
        if names == [""]:
            names = []
        if names and names[-1].endswith("..."):
            variadic = True
            names[-1] = names[-1][:-3].strip() or "__VA_ARGS__"
        parameters = tuple(names)
    return Macro(match["name"], parameters, variadic, match["body"].strip(), span, text)


def condition_value(rest: str) -> dict[str, str]:
    """What a #define means to the conditions after it: its name with its value; function-like ones are 0."""
    match = _DEFINE.fullmatch(without_comments(spliced(rest)).rstrip())
    if match is None:
        return {}
    return {match["name"]: match["body"].strip() if match["parameters"] is None else "0"}


def defined_outside(name: str, value: str) -> Macro:
    """A macro given with -D."""
    text = f"#define {name} {value}"
    return Macro(
        name, None, False, value.strip(), Span(SourceFile("<command line>", text), 0, len(text)), text
    )
