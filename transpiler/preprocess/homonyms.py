"""Metal text has no namespaces of the user's: what is called alike in two of them gets names of its own.

`fwd::act` and `bwd::act` become `fwd::act` and `bwd::bwd_act`, wherever the file names them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from cu2mlx.transpiler.preprocess.lexical import balanced, code_only
from cu2mlx.transpiler.preprocess.mapped import Mapped, MappedBuilder

Path = tuple[str, ...]  # of namespaces, outermost first; "" is one without a name

_END = re.compile(r"[;{}]")
_BRACE = re.compile(r"[{}]")
_NAMESPACE = re.compile(r"(?P<inline>inline\s+)?namespace\b\s*(?P<name>[\w:]*)\s*$")
_ALIAS = re.compile(r"\bnamespace\s+(\w+)\s*=\s*([\w:]+)\s*;")
_OPENED = re.compile(r"\busing\s+namespace\s+([\w:]+)\s*;")
_TEMPLATE = re.compile(r"\btemplate\s*<(?:[^<>]|<(?:[^<>]|<[^<>]*>)*>)*>")
_ATTRIBUTE = re.compile(rf"\b(?:__launch_bounds__|__align__|alignas|__attribute__)\s*{balanced(2)}")
_TYPE = re.compile(
    r"^\s*(?:typedef\s+)?(?:struct|class|union|enum(?:\s+(?:class|struct))?)\s+(\w+)\s*(?:final\s*)?(?::(?!:)|$)"
)
_ENUM = re.compile(r"\benum\b(?!\s+(?:class|struct)\b)")
_ENUMERATOR = re.compile(r"\b([A-Za-z_]\w*)\s*(?:=[^,}]*)?[,}]")
_USING = re.compile(r"^\s*using\s+(\w+)\s*=")
_FUNCTION = re.compile(rf"(?<![\w:~.])(\w+)\s*(?P<parameters>{balanced(2)})")
_CONSTANT = re.compile(
    r"\b(?:const|constexpr|__constant__|__device__|__managed__)\b[^=]*?\b(\w+)\s*(?:\[[^\]]*\]\s*)*(?:=|$)"
)
_QUALIFIED = r"(?<![\w.])(?<!->)(?P<scope>(?:::\s*)?(?:\w+\s*::\s*)*)\b(?P<name>{})\b"
_MEMBER = re.compile(r"\s*[(;=\[{,:]")  # behind the name of a member that is declared


@dataclass(slots=True)
class _Scopes:
    """What a file declares in its namespaces: name → namespace → kind and parameters of what is called so there."""

    code: str
    declared: dict[str, dict[Path, set[str]]] = field(default_factory=dict)
    spans: list[tuple[int, int, Path]] = field(default_factory=list)  # of namespaces, inner ones first
    records: list[tuple[int, int]] = field(default_factory=list)

    def read(self, position: int, path: Path) -> int:
        """Read declarations from `position` to the brace that closes the namespace; gives what follows it."""
        start = position
        while (match := _END.search(self.code, position)) is not None:
            head, position = self.code[start : match.start()], match.end()
            if match[0] == "}":
                return position
            if match[0] == "{" and (space := _NAMESPACE.search(head)) is not None:
                inner = path if space["inline"] else (*path, *space["name"].split("::"))
                position = self.read(position, inner)
                self.spans.append((match.start(), position, inner))
            elif match[0] == "{" and head.rstrip().endswith('""'):  # extern "C"
                position = self.read(position, path)
            else:
                is_record = self._note(head, path)
                if match[0] == "{":
                    position = self._behind(position)
                    for name in (
                        _ENUMERATOR.findall(self.code, match.end(), position) if _ENUM.search(head) else ()
                    ):
                        self._add(name, path, "constant")
                    if is_record:
                        self.records.append((match.end(), position))
            start = position
        return len(self.code)

    def _note(self, head: str, path: Path) -> bool:
        """Record what a declaration is called; whether it is a record."""
        if "__global__" in head:
            return False
        plain = _ATTRIBUTE.sub("", _TEMPLATE.sub("", head))
        for kind, form in (("type", _TYPE), ("type", _USING)):
            if match := form.search(plain):
                self._add(match[1], path, kind)
                return form is _TYPE
        before = plain.partition("=")[0] if "operator" not in plain else ""
        if match := _FUNCTION.search(before):
            self._add(match[1], path, "".join(match["parameters"].split()))
        elif match := _CONSTANT.search(plain):
            self._add(match[1], path, "constant")
        return False

    def _add(self, name: str, path: Path, what: str) -> None:
        self.declared.setdefault(name, {}).setdefault(path, set()).add(what)

    def _behind(self, position: int) -> int:
        """The place behind the brace that closes the one before `position`."""
        depth = 1
        while depth and (match := _BRACE.search(self.code, position)) is not None:
            depth += 1 if match[0] == "{" else -1
            position = match.end()
        return position

    def around(self, position: int) -> Path:
        return next((path for start, end, path in self.spans if start <= position < end), ())

    def declares_member(self, match: re.Match[str]) -> bool:
        """Whether an occurrence is the name of a member in a record's body: it is not what it is called like."""
        inside = next(((s, e) for s, e in self.records if s <= match.start() < e), None)
        if inside is None or match["scope"] or _MEMBER.match(self.code, match.end()) is None:
            return False
        before = self.code[inside[0] : match.start()]
        return before.count("{") == before.count("}") and bool(re.search(r"[\w*&>]\s*$", before))


def separated(text: Mapped) -> Mapped:
    """The text with a name of its own for each of the homonyms of several namespaces."""
    if "namespace" not in text.text:
        return text
    parts = [part for part in text.structure if not part.kind.startswith("#")]
    scopes = _Scopes(code_only(text.text, parts))
    scopes.read(0, ())
    renamed = {name: _names(name, where) for name, where in scopes.declared.items() if _clash(where)}
    if not renamed:
        return text
    builder, copied = MappedBuilder(), 0
    for start, end, name in _uses(scopes, renamed):
        builder.copy(text, copied, start)
        builder.write(name, text.span(start, end))
        copied = end
    builder.copy(text, copied, len(text.text))
    return builder.build()


def _clash(where: dict[Path, set[str]]) -> bool:
    """Whether one name stands for two things: overloads that differ in their parameters do not count."""
    seen: set[str] = set()
    for kinds in where.values():
        if seen & kinds:
            return True
        seen |= kinds
    return False


def _names(name: str, where: dict[Path, set[str]]) -> dict[Path, str]:
    """The first keeps its name; the others get that of their namespace in front."""
    first = next(iter(where))
    return {p: name if p == first else f"{'_'.join(filter(None, p)) or 'unnamed'}_{name}" for p in where}


def _uses(scopes: _Scopes, renamed: dict[str, dict[Path, str]]) -> Iterator[tuple[int, int, str]]:
    """Every place that names one of several things called alike, with its new name."""
    aliases = {alias: tuple(meant.strip(":").split("::")) for alias, meant in _ALIAS.findall(scopes.code)}
    opened = [tuple(each.strip(":").split("::")) for each in _OPENED.findall(scopes.code)]
    words = re.compile(_QUALIFIED.format("|".join(map(re.escape, renamed))))
    for match in words.finditer(scopes.code):
        scope = tuple(re.findall(r"\w+", match["scope"]))
        if scope and scope[0] in aliases:
            scope = (*aliases[scope[0]], *scope[1:])
        names = renamed[match["name"]]
        meant = _meant(names, scope, scopes.around(match.start()), opened)
        if meant is not None and names[meant] != match["name"] and not scopes.declares_member(match):
            yield match.start("name"), match.end("name"), names[meant]


def _meant(names: dict[Path, str], scope: Path, around: Path, opened: list[Path]) -> Path | None:
    """The namespace in which a name is found, from the innermost outwards."""
    for depth in range(len(around), -1, -1):
        for found in ((*around[:depth], *scope), (*around[:depth], *scope, "")):
            if found in names:
                return found
    for each in opened:
        for found in names:
            if found[-len(each) :] == each and not scope:
                return found
    return next((found for found in names if scope and found[-len(scope) :] == scope), None)
