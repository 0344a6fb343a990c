"""Reads the `.metal` files into top-level definitions: what each one is called and which others it uses."""

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

# What is looked up as a name of our own: not a member (.x, ->x) and not qualified (metal::x).
_IDENTIFIER = re.compile(r"(?<![\w.])(?<!->)(?<!::)[A-Za-z_]\w*")
_COMMENT = re.compile(r"//[^\n]*")
_SILENT = re.compile(r'//[^\n]*|"[^"\n]*"')
_BOUNDARY = re.compile(r"//[^\n]*|[][(){};]")
_METAL = re.compile(r"^// Metal (\d+\.\d+)", re.MULTILINE)
_POINTER = re.compile(
    r"inline\b[^(]*\(\s*(?:(inout)_ptr<|(?:const )?(device|threadgroup) (?:const )?(\w+)\*)"
)
_FORWARD = re.compile(r"struct \w+;")
_INTRODUCED = (
    re.compile(r"(?:struct|union|class|enum(?: class)?|using) (\w+)"),
    re.compile(r"(?:constant|constexpr)\b[^=(]*?(\w+)\s*(?:\[[^]]*\])*\s*="),
    re.compile(r"[^(]*?(\w+)\s*\("),
)


@dataclass(frozen=True, slots=True)
class Definition:
    """One top-level definition with the comment above it.

    `metal`: the lowest Metal version that has what it uses. `forward`: it only declares a type. `pointer`: of
    a function whose first parameter is a pointer, its space and type ("device float", "inout").
    """

    name: str
    text: str
    metal: str
    forward: bool
    pointer: str | None = None


def read(file_name: str) -> str:
    return files("cu2mlx.transpiler.prelude").joinpath(file_name).read_text(encoding="ascii")


@cache
def library() -> dict[str, tuple[Definition, ...]]:
    """Name → its definitions (overloads, specialisations), over all files; read once per process."""
    folder = files("cu2mlx.transpiler.prelude")
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".metal"))
    groups: dict[str, list[Definition]] = {}
    for file_name in names:
        for part in definitions(read(file_name)):
            groups.setdefault(part.name, []).append(part)
    return {name: tuple(parts) for name, parts in groups.items()}


@cache
def uses(part: Definition) -> tuple[str, ...]:
    """The library's names that a definition mentions, in order of first use."""
    known = library()
    code = _SILENT.sub("", part.text)
    mentioned = dict.fromkeys(_IDENTIFIER.findall(code))
    return tuple(other for other in mentioned if other in known and other != part.name)


def definitions(text: str) -> list[Definition]:
    """Splits the inside of `namespace cu { … }`; the comment directly above a definition belongs to it."""
    inside = text[text.index("namespace cu {") + len("namespace cu {") : text.rindex("}  // namespace cu")]
    found = []
    for chunk in _top_level(inside):
        version = _METAL.search(chunk)
        body = _COMMENT.sub("", chunk).strip()
        head = _without_template(body)
        forward = _FORWARD.fullmatch(head) is not None
        found.append(
            Definition(_name(head), chunk, version[1] if version else "3.1", forward, _pointer(head))
        )
    return found


def _pointer(head: str) -> str | None:
    """`device float` of a function that takes `device float*` first."""
    match = _POINTER.match(head)
    if match is None:
        return None
    return match[1] or f"{match[2]} {match[3]}"


def _top_level(text: str) -> list[str]:
    """Definitions end at depth zero with `;`, or with a `}` that no `;` follows."""
    chunks, depth, start = [], 0, 0
    for match in _BOUNDARY.finditer(text):
        mark, end = match[0], match.end()
        if mark.startswith("//"):
            if depth == 0 and text.startswith("\n\n", end):  # a section's comment belongs to nobody
                start = end
            continue
        depth += (mark in "([{") - (mark in ")]}")
        if depth == 0 and (mark == ";" or (mark == "}" and not text.startswith(";", end))):
            chunks.append(text[start:end].strip())
            start = end
    return chunks


def _name(head: str) -> str:
    """The name that a definition introduces: of a type, a constant or a function."""
    for form in _INTRODUCED:
        if match := form.match(head):
            return match[1]
    raise ValueError(f"no name found in: {head[:80]}")


def _without_template(body: str) -> str:
    while body.startswith("template"):
        depth = 0
        for position in range(body.index("<"), len(body)):
            depth += (body[position] == "<") - (body[position] == ">")
            if depth == 0:
                break
        body = body[position + 1 :].lstrip()
    return body
