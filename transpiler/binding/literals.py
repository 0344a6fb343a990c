"""Python literals of the emitted module, all ASCII."""

import json
from collections.abc import Sequence


def text_literal(text: str) -> str:
    """A one-line string literal in double quotes (JSON's escapes are Python's too)."""
    return json.dumps(text)


def source_literal(text: str) -> str:
    """Kernel text as a literal that reads as the text itself wherever Python can write it so."""
    if not text:
        return '""'
    is_plain = '"""' not in text and text[-1] not in '"\\' and text[0] != '"'
    if is_plain and all(character >= " " or character in "\n\t" for character in text):
        prefix = "r" if "\\" in text else ""
        return f'{prefix}"""{text}"""'
    lines = "\n".join(f"    {text_literal(line)}" for line in text.splitlines(keepends=True))
    return f"(\n{lines}\n)"


def name_tuple(names: Sequence[str]) -> str:
    """A tuple of names as a literal."""
    items = ", ".join(text_literal(name) for name in names)
    return f"({items},)" if len(names) == 1 else f"({items})"
