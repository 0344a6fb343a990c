"""Reads candidates and edits out of replies, whatever fences a model uses; a mistake becomes feedback."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass

from cu2mlx.refine.candidate import MAXIMUM_TEXT, Candidate
from cu2mlx.refine.propose.protocol import Reply

SEPARATOR = "// ---- kernel body ----"
MAXIMUM_REPLY = 4 * MAXIMUM_TEXT

_FENCE = re.compile(r"^[ \t]*(?P<marks>`{3,}|~{3,})[ \t]*(?P<language>[\w+#.-]*)[^\n`]*$", re.MULTILINE)
_CODE = frozenset(
    {"", "metal", "msl", "c", "c++", "cpp", "cxx", "cuda", "h", "objc", "objective-c", "text", "txt"}
)
_LAUNCH = frozenset({"launch", "toml", "ini"})
_EDITS = frozenset({"edits", "edit", "world", "", "text", "txt", "plaintext"})
FINISHED = "finished"
LEFT_OUT = (
    "// namespace cu: the translator's support library; it is put here again where the text says cu::\n"
)
_LIBRARY = re.compile(r"^namespace cu \{\n.*?^\}  // namespace cu\n+", re.MULTILINE | re.DOTALL)


class ReplyError(Exception):
    """A reply without a usable answer; the message is feedback for the model."""


@dataclass(frozen=True, slots=True)
class Block:
    language: str
    text: str
    is_closed: bool


def blocks(text: str) -> Iterator[Block]:
    """Fenced blocks; a fence is closed by as many marks of its kind without a language."""
    position = 0
    while (opening := _FENCE.search(text, position)) is not None:
        marks, start = opening["marks"], opening.end() + 1
        for closing in _FENCE.finditer(text, opening.end()):
            if closing["marks"].startswith(marks) and not closing["language"]:
                yield Block(opening["language"].lower(), text[start : closing.start()], True)
                position = closing.end()
                break
        else:
            yield Block(opening["language"].lower(), text[start:], False)
            return


def is_finished(reply: Reply) -> bool:
    """Whether a reply says that nothing is left to try: as the built-in proposer does, or in a block of that name
    and no other."""
    return reply.is_finished or {each.language for each in blocks(reply.text[:MAXIMUM_REPLY])} == {FINISHED}


def without_library(header: str) -> str:
    """A header as prompts show it: thousands of tokens need not go to a model and back."""
    return _LIBRARY.sub(LEFT_OUT, header, count=1)


def _with_library(header: str, body: str, base: Candidate) -> str:
    """The header with `base`'s support library, where it is used and not there."""
    found = _LIBRARY.search(base.header)
    if found is None or _LIBRARY.search(header) or "cu::" not in header + body:
        return header
    return found[0] + header.replace(LEFT_OUT, "")


def read_candidate(reply: Reply, base: Candidate) -> Candidate:
    """The candidate of a reply. A header that is not given again is `base`'s, and so is what a launch leaves out.
    Raises ReplyError."""
    found = _blocks(reply)
    code = [block for block in found if block.language in _CODE and block.text.strip()]
    launch = [block for block in found if block.language in _LAUNCH]
    if not code and not launch:
        raise ReplyError(
            f"the reply has no fenced code block; give the whole kernel in ```metal … ``` with the line "
            f"`{SEPARATOR}` between header and body"
        )
    named = [block for block in code if block.language in ("metal", "msl")]
    header, body = base.header, base.body
    if code:
        block = max(named or code, key=lambda each: (SEPARATOR in each.text, len(each.text)))
        if not block.is_closed:
            raise ReplyError("the code block is not closed: the reply was cut off; answer more briefly")
        before, separator, after = block.text.partition(SEPARATOR)
        body = after if separator else block.text
        if separator:
            header = before.strip("\n") + ("\n" if before.strip() else "")
    grid, extents, numbers = _launch(launch[-1].text) if launch else ((), (), {})
    header, body = _with_library(header, body, base), body.strip("\n") + "\n"
    return Candidate(header, body, grid or base.grid, extents or base.block, base.numbers).with_numbers(
        numbers
    )


def read_edits(reply: Reply) -> str:
    """The text of the edits: a fenced block, or the whole reply where there is none. Raises ReplyError."""
    found = [block for block in _blocks(reply) if block.language in _EDITS]
    if not found:
        return reply.text
    if not found[-1].is_closed:
        raise ReplyError("the block of edits is not closed: the reply was cut off; answer more briefly")
    return found[-1].text


def _blocks(reply: Reply) -> list[Block]:
    if reply.refusal:
        raise ReplyError(f"the model declined: {reply.refusal[:500]}")
    if len(reply.text) > MAXIMUM_REPLY:
        raise ReplyError(f"a reply of {len(reply.text)} characters; the limit is {MAXIMUM_REPLY}")
    if not reply.text.strip():
        raise ReplyError("the reply is empty")
    if reply.is_cut_off:
        raise ReplyError("the reply was cut off at the token limit; answer more briefly")
    return list(blocks(reply.text))


def _launch(text: str) -> tuple[tuple[str, ...], tuple[str, ...], dict[str, int]]:
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ReplyError(f"the launch block is not TOML: {error}") from None
    extents: dict[str, tuple[str, ...]] = {"grid": (), "block": ()}
    numbers: dict[str, int] = {}
    for key, value in values.items():
        if key in extents:
            listed = value if isinstance(value, list) else [value]
            if not 1 <= len(listed) <= 3 or not all(type(each) in (int, str) for each in listed):
                raise ReplyError(f'launch: {key}: one to three numbers or expressions, such as ["rows", 1]')
            extents[key] = tuple(str(each) for each in listed)
        elif type(value) is int:
            numbers[key] = value
        else:
            raise ReplyError(f"launch: {key}: must be a whole number; expressions go into grid and block")
    return extents["grid"], extents["block"], numbers
