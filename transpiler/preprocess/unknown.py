"""Macros that no header found here defines, told by where they stand.

Two names in a row before a type or a function are no C++: the first is a macro that holds an attribute. A
call in capitals on a line by itself, with no semicolon, is a macro that holds a statement or a declaration.
"""

import re
from collections.abc import Collection, Iterator
from string import ascii_letters, digits
from typing import NamedTuple

from cu2mlx.transpiler.preprocess.lexical import balanced

_TYPES = "void|bool|char|short|int|long|float|double|unsigned|signed|auto|u?int(?:8|16|32|64)_t|size_t"
_CUDA = "__global__|__device__|__host__|__shared__|__constant__"
_SPECIFIERS = "inline|static|constexpr|extern|virtual|explicit|friend|template|struct|class"
_BALANCED = balanced(4)
_CAPITALS = r"[A-Z](?:[A-Z0-9]{3,}|[A-Z0-9]*_[A-Z0-9_]*)"

# Words that may stand before a type.
_KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        """
        void bool char short int long float double unsigned signed auto size_t
        int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t
        __global__ __device__ __host__ __shared__ __constant__ __managed__ __launch_bounds__
        inline static constexpr consteval constinit extern virtual explicit friend template struct class
        const volatile typedef register mutable thread_local typename enum union namespace using operator
        public private protected return new delete case default else do throw try catch goto if for while
        switch sizeof decltype alignas alignof noexcept requires concept static_assert asm __asm__ and or not
        co_return co_await co_yield __inline__ __inline __forceinline__ __noinline__ __extension__
        """,
    )
)

# The patterns start with a set of characters, which `re` can skip to.
_BEFORE_TYPE = re.compile(rf"\s(?<=\w\s)\s*(?=(?:{_TYPES}|{_CUDA})\b)")
_BEFORE_SPECIFIER = re.compile(rf"({_CAPITALS})\s+(?=(?:{_SPECIFIERS})\b)")
_BEFORE_FUNCTION = re.compile(
    rf"({_CAPITALS})\s+(?=[A-Za-z_][\w:]*(?:\s*<[^<>;{{}}()]*>)?[\s*&]+[A-Za-z_]\w*\s*\()"
)
_AFTER_TYPE = re.compile(
    rf"(?:void|bool|char|int|float|double|auto)[\s*&]+({_CAPITALS})\s+(?=[A-Za-z_]\w*\s*\()"
)
_CALL_BEFORE = re.compile(
    rf"[A-Z][A-Z0-9_]+\s*{_BALANCED}\s*(?=(?:void\s+\w|(?:struct|class|inline|template|{_CUDA})\b))"
)
_ONE_CALL = re.compile(rf"[A-Z][A-Z0-9_]+[ \t]*{_BALANCED}(?=[ \t\r]*\n)")
_BARE_CALLS = re.compile(rf"[;{{}}]\s*(?:{_ONE_CALL.pattern}\s*)+(?=[A-Za-z_}}])")
_NAME = re.compile(r"[A-Za-z_]\w*")
_WORD_CHARACTERS = f"{ascii_letters}{digits}_"


class Attribute(NamedTuple):
    """The place of a macro that is read as nothing."""

    name: str
    start: int
    end: int


def unknown_attributes(code: str, known: Collection[str]) -> Iterator[Attribute]:
    """The attribute-like macros of a text without comments and literals. `known` are names to leave."""
    names = set()
    for match in _BEFORE_TYPE.finditer(code):
        word = _word_before(code, match.start())
        if not word or word in _KEYWORDS or word in known:
            continue
        if word.isupper():
            names.add(word)
        else:
            yield Attribute(word, match.start() - len(word), match.start())
    for pattern in (_BEFORE_SPECIFIER, _BEFORE_FUNCTION, _AFTER_TYPE):
        for match in pattern.finditer(code):
            before = code[match.start(1) - 1 : match.start(1)]
            if not (before.isalnum() or before in ("_", ":", ".", "#")) and match[1] not in known:
                names.add(match[1])
    if names:
        everywhere = re.compile(rf"\b(?:{'|'.join(sorted(names))})\b(?!\s*[(;,)=.])")
        for match in everywhere.finditer(code):
            yield Attribute(match.group(), match.start(), match.end())
    for match in _CALL_BEFORE.finditer(code):
        name = _NAME.match(match.group())
        before = code[match.start() - 1 : match.start()]
        if name is not None and name.group() not in known and not (before.isalnum() or before in ("_", ":")):
            yield Attribute(name.group(), match.start(), match.end())


def _word_before(code: str, end: int) -> str:
    """The word that ends there, unless it is a number or qualified."""
    line = code[max(end - 80, 0) : end]
    before = line.rstrip(_WORD_CHARACTERS)
    word = line[len(before) :]
    return "" if word[:1].isdigit() or before.endswith((":", ".", ">", "#")) else word


def bare_calls(code: str) -> Iterator[int]:
    """Where a semicolon is missing after a macro call that stands alone on its line."""
    for match in _BARE_CALLS.finditer(code):
        for call in _ONE_CALL.finditer(code, match.start(), match.end()):
            yield call.end()


_BLOCK_CALL = re.compile(rf"[;{{}})]\s*(?P<name>[A-Z][A-Z0-9_]+)\s*{_BALANCED}\s*\{{")
_BRACE = re.compile(r"[{}]")
_DEVICE = re.compile(r"\b__(?:global|device)__\b")


def block_calls(code: str) -> Iterator[Attribute]:
    """The macro calls in capitals before a block inside device functions: loops whose head nobody knows."""
    calls = list(_BLOCK_CALL.finditer(code))
    braces = _BRACE.finditer(code)
    heads: list[bool] = []
    brace = next(braces, None)
    for call in calls:
        while brace is not None and brace.start() < call.start("name"):
            if brace.group() == "{":
                heads.append(_DEVICE.search(_head(code, brace.start())) is not None)
            elif heads:
                heads.pop()
            brace = next(braces, None)
        if any(heads):
            yield Attribute(call["name"], call.start("name"), call.end("name"))


def _head(code: str, end: int) -> str:
    """What stands before a brace, back to the last statement or block."""
    start = max(code.rfind(mark, 0, end) for mark in ";{}")
    return code[start + 1 : end]
