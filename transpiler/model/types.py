"""Types as CUDA source spells them, read from specifier and declarator nodes."""

import re
from functools import lru_cache
from typing import NamedTuple

from cu2mlx.transpiler.syntax import Node


class Type(NamedTuple):
    """`base` is the specifier's text in one canonical spelling; `shape` what the declarator adds, from the name
    outwards: "*" pointer, "&" or "&&" reference, "[N]" array. `float* rows[4]` is ("float", ("[4]", "*"))."""

    base: str
    shape: tuple[str, ...] = ()
    const: bool = False

    @property
    def value(self) -> "Type":
        """The type of an expression of this type: references are gone."""
        if self.shape and self.shape[0] in ("&", "&&"):
            return Type(self.base, self.shape[1:], self.const)
        return self

    @property
    def is_pointer(self) -> bool:
        return bool(self.shape) and self.shape[0] == "*"

    @property
    def is_reference(self) -> bool:
        return bool(self.shape) and self.shape[0] in ("&", "&&")

    @property
    def is_forwarding(self) -> bool:
        return bool(self.shape) and self.shape[0] == "&&"

    @property
    def is_pointer_reference(self) -> bool:
        """`T*& p`: the space that matters is the pointer's."""
        return self.is_reference and self.value.is_pointer

    @property
    def is_array(self) -> bool:
        return bool(self.shape) and self.shape[0][0] == "["

    @property
    def has_pointer(self) -> bool:
        return "*" in self.shape

    @property
    def is_scalar(self) -> bool:
        return not self.shape

    @property
    def element(self) -> "Type":
        """What `*x` or `x[i]` is; a plain value stays itself."""
        return Type(self.base, self.value.shape[1:], self.const)

    @property
    def pointer(self) -> "Type":
        return Type(self.base, ("*", *self.value.shape), self.const)

    @property
    def dimensions(self) -> tuple[str, ...]:
        """The array extents next to the name: `float s[2][N]` has ("2", "N")."""
        extents = []
        for part in self.value.shape:
            if part[0] != "[":
                break
            extents.append(part[1:-1])
        return tuple(extents)


_SPACES = re.compile(r"\s+")
_SIGN_AND_SIZE = frozenset({"unsigned", "signed", "long", "short", "int", "char"})


@lru_cache(maxsize=4096)
def canonical(text: str) -> str:
    """One spelling per type: `long  unsigned` → `unsigned long`, `const T` → `T`."""
    words = [w for w in _SPACES.sub(" ", text).strip().split(" ") if w not in _DROPPED]
    if words and all(w in _SIGN_AND_SIZE for w in words):
        return _integer(words)
    return " ".join(words).replace("std::", "").replace(" ::", "::").replace(":: ", "::").removeprefix("::")


_DROPPED = frozenset(
    {"const", "volatile", "typename", "struct", "class", "enum", "inline", "static", "constexpr"}
)


def _integer(words: list[str]) -> str:
    size = "char" if "char" in words else "short" if "short" in words else "int"
    longs = words.count("long")
    if longs:
        size = "long" if longs == 1 else "long long"
    if "unsigned" in words:
        return f"unsigned {size}"
    return f"signed {size}" if size == "char" and "signed" in words else size


# Names of one type → the name that the model has for it.
ONE_SPELLING = {
    "uint": "unsigned int", "uchar": "unsigned char", "ushort": "unsigned short", "ulong": "unsigned long",
    "int8_t": "signed char", "uint8_t": "unsigned char", "int16_t": "short", "uint16_t": "unsigned short",
    "int32_t": "int", "uint32_t": "unsigned int", "int64_t": "long", "uint64_t": "unsigned long",
    "size_t": "unsigned long", "ptrdiff_t": "long", "ssize_t": "long", "long long": "long",
    "unsigned long long": "unsigned long", "ulonglong": "unsigned long", "longlong": "long", "half": "__half",
    "nv_bfloat16": "__nv_bfloat16", "c10::Half": "__half", "at::Half": "__half", "half_t": "__half",
    "c10::BFloat16": "__nv_bfloat16", "at::BFloat16": "__nv_bfloat16",
}  # fmt: skip


def template_arguments(spelled: str) -> list[str]:
    """The template arguments of a type's name."""
    inside = spelled.partition("<")[2].rpartition(">")[0]
    parts: list[str] = []
    depth = start = 0
    for position, character in enumerate(f"{inside},"):
        depth += (character in "<(") - (character in ">)")
        if character == "," and depth == 0:
            parts.append(inside[start:position].strip())
            start = position + 1
    return [part for part in parts if part]


def names_reference(described: Node) -> bool:
    """Whether a type descriptor, as in a cast, is that of a reference."""
    declarator = described.child("declarator")  # of `T(&)[4]`, an array around a parenthesised reference
    return declarator is not None and next(declarator.all("abstract_reference_declarator"), None) is not None


_ABSTRACT = {"pointer_declarator", "abstract_pointer_declarator"}
_ARRAYS = {"array_declarator", "abstract_array_declarator"}
_REFERENCES = {"reference_declarator", "abstract_reference_declarator"}
_NAMES = {"identifier", "field_identifier", "qualified_identifier", "operator_name", "destructor_name"}
_WRAPPERS = {
    "init_declarator",
    "parenthesized_declarator",
    "abstract_parenthesized_declarator",
    "variadic_declarator",
}


def declarator_name(declarator: Node | None) -> Node | None:
    """The node of the declared name, None where the declarator is abstract."""
    while declarator is not None and declarator.kind not in _NAMES:
        inner = declarator.child("declarator")
        declarator = inner if inner is not None else _unnamed_child(declarator)
    return declarator


def _unnamed_child(declarator: Node) -> Node | None:
    """reference_declarator and parenthesized_declarator do not name the field of what they wrap."""
    for child in declarator.named_children:
        if child.kind.endswith("declarator") or child.kind in _NAMES:
            return child
    return None


def declared_type(holder: Node, declarator: Node | None, text: str) -> Type:
    """The type that `holder` (declaration, parameter_declaration, type_descriptor …) gives to one declarator."""
    specifier = holder.child("type")
    const = any(c.kind == "type_qualifier" and text[c.start : c.end] == "const" for c in holder.children)
    base = specifier_base(specifier, text) if specifier is not None else "int"
    shape: list[str] = []
    node = declarator
    while node is not None and node.kind not in _NAMES:
        if node.kind in _ABSTRACT:
            shape.append("*")
        elif node.kind in _ARRAYS:
            size = node.child("size")
            shape.append(f"[{text[size.start : size.end] if size else ''}]")
        elif node.kind in _REFERENCES:
            shape.append("&&" if node.children and node.children[0].kind == "&&" else "&")
        elif node.kind not in _WRAPPERS:
            break
        inner = node.child("declarator")
        node = inner if inner is not None else _unnamed_child(node)
    shape.reverse()
    return Type(base, tuple(shape), const)


def as_parameter(type_: Type) -> Type:
    """A parameter of array type is a pointer."""
    return Type(type_.base, ("*", *type_.shape[1:]), type_.const) if type_.is_array else type_


def specifier_base(specifier: Node, text: str) -> str:
    if specifier.kind in ("struct_specifier", "class_specifier", "union_specifier", "enum_specifier"):
        name = specifier.child("name")
        return (
            canonical(text[name.start : name.end]) if name is not None else f"<anonymous {specifier.start}>"
        )
    if specifier.kind == "dependent_type":
        inner = specifier.named_children
        return canonical(text[inner[0].start : inner[0].end]) if inner else ""
    return canonical(text[specifier.start : specifier.end])
