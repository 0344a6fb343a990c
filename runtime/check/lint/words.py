"""C++ that Metal does not have, found by its word."""

from collections.abc import Iterator

from cu2mlx.runtime.check.lint.note import Note
from cu2mlx.runtime.check.outline import Outline

_NO_EXCEPTIONS = ("Metal has no exceptions", "return a value instead")
_NO_HEAP = ("Metal has no heap", "use an array of constant size, or a buffer")
_NO_ASM = ("Metal has no inline assembly", "write the operation with Metal's functions")
_NO_RTTI = ("Metal has no run-time type information", "")
_WORDS: dict[str, tuple[str, str]] = {
    "goto": ("Metal has no goto", "use a loop, a flag or a helper function"),
    "asm": _NO_ASM,
    "__asm__": _NO_ASM,
    "__asm": _NO_ASM,
    "virtual": ("Metal has no virtual functions", "use a template or a switch"),
    "new": _NO_HEAP,
    "delete": _NO_HEAP,
    "throw": _NO_EXCEPTIONS,
    "try": _NO_EXCEPTIONS,
    "catch": _NO_EXCEPTIONS,
    "typeid": _NO_RTTI,
    "dynamic_cast": _NO_RTTI,
    "__launch_bounds__": ("Metal has no __launch_bounds__", "write [[max_total_threads_per_threadgroup(n)]]"),
    "thread_local": ("Metal has no thread_local", "a local variable belongs to its thread already"),
    "double": (
        "Metal has no type 'double'",
        "use float; translate with --double=float to narrow a CUDA kernel",
    ),
}


def run(outline: Outline) -> Iterator[Note]:
    for index, token in enumerate(outline.tokens):
        if token.text == "long" and outline.tokens[index - 1].text == "long" and index:
            yield Note(
                token.start, "unsupported", "Metal has no type 'long long'", "write long, which has 64 bits"
            )
        if token.kind != "word" or token.text not in _WORDS:
            continue
        if token.text == "delete" and outline.tokens[index - 1].text == "=":
            continue  # a deleted function
        message, hint = _WORDS[token.text]
        rule = "double" if token.text == "double" else "unsupported"
        yield Note(token.start, rule, message, hint)
