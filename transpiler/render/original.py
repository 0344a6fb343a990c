"""The CUDA text a kernel reaches, as written: what the oracle and MLX's CUDA back end run."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from cu2mlx.transpiler.model.address_spaces import Instance
from cu2mlx.transpiler.model.conditions import unseen
from cu2mlx.transpiler.model.declarations import Function
from cu2mlx.transpiler.render.functions import Printer
from cu2mlx.transpiler.syntax import Node

_WORDS = re.compile(r"[A-Za-z_]\w*")
_INCLUDES = re.compile(r"^[ \t]*#[ \t]*include[ \t]*<(cuda_fp16|cuda_bf16|cuda_fp8|cooperative_groups(?:/\w+)?|mma|"
                       r"math_constants|cuda_runtime|cub/[\w./]+|cuda/std/\w+|curand_kernel|cfloat|limits|climits)"
                       r"(?:\.h|\.cuh|\.hpp)?>[^\n]*$", re.MULTILINE)  # fmt: skip
_ALIASES = re.compile(r"^[ \t]*(?:namespace\s+\w+\s*=\s*[\w:]+\s*;|using\s+namespace\s+"
                      r"(?:cooperative_groups|nvcuda|cub)[\w:]*\s*;"
                      r"|using\s+(?:cooperative_groups|nvcuda|cub)::[\w:]+\s*;)", re.MULTILINE)  # fmt: skip


_BEFORE_ALL = -1_000_000_000  # the place of what does not stand in the file: -D


@dataclass(slots=True)
class Original:
    """Collects the reachable declarations of one kernel in source order."""

    printer: Printer
    items: dict[int, str] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    namespaces: dict[str, None] = field(default_factory=dict)  # as a set in order

    def text(self, kernel: Instance, arguments: tuple[str, ...] = ()) -> str:
        """A complete CUDA translation unit without host code. `arguments`: the kernel's template arguments."""
        self._mentions(word for each in arguments for word in _WORDS.findall(each))
        for instance in kernel.reached():
            self._function(instance.function)
        self._operators()
        bodies = [self.items[k] for k in sorted(self.items)]
        opened = [f"using namespace {name};" for name in self.namespaces]  # for what calls the kernel
        return "\n".join([*self.printer.heads, *bodies, *opened]) + "\n"

    def _operators(self) -> None:
        """Operators are called without a name in the text. Those of records that nothing mentions are not."""
        declared = self.printer.declared
        waiting = list(declared.operators)
        while True:
            apart = [each for each in waiting if not self._records_of(each) <= self.seen]
            if len(apart) == len(waiting):
                return
            for operator in waiting:
                if operator not in apart:
                    self._mention_function(operator)
            waiting = apart

    def _records_of(self, function: Function) -> set[str]:
        """The file's records among the types of a function's parameters."""
        words = {word for each in function.parameters for word in _WORDS.findall(each.type.base)}
        return words & set(self.printer.declared.records)

    def _function(self, function: Function) -> None:
        if function.record is not None:
            self._mentions([function.record.name])
            return
        self._item(function.outer)

    def _item(self, node: Node) -> None:
        if node.start in self.items:
            return
        source = self.printer.unit.text
        text = self.printer.needed.text(node, source).rstrip()
        if not text.endswith(("}", ";")) or node.kind in (
            "struct_specifier",
            "enum_specifier",
            "class_specifier",
            "union_specifier",
        ):
            text = f"{text};" if not text.endswith(";") else text
        around = _namespaces(node, source)
        if "std" in around:  # of our stand-in headers: CUDA's compiler has its own
            return
        for namespace in filter(None, around):
            is_opened = not self.printer.declared.opened.isdisjoint(namespace.split("::"))
            text = f"namespace {namespace} {{ {text} }}" + is_opened * f" using namespace {namespace};"
        named = [name for name in reversed(around) if name]
        self.namespaces.update(("::".join(named[:count]), None) for count in range(1, len(named) + 1))
        self.items[node.start] = text
        self._mentions(_WORDS.findall(text))

    def _mentions(self, words: Iterable[str]) -> None:
        for word in words:
            if word not in self.seen:
                self.seen.add(word)
                self._mention(word)

    def _mention(self, word: str) -> None:
        declared, unit = self.printer.declared, self.printer.unit
        macro = unit.macros.get(word)
        if macro is not None:
            text = macro.text.rstrip()
            at = unit.text.find(f"{text}\n")
            self.items.setdefault(at if at >= 0 else _BEFORE_ALL + macro.span.start, text)
            self._mentions(_WORDS.findall(macro.body))
        if word in declared.forward_records:
            self._item(declared.forward_records[word])
        if word in declared.records:
            for record in (declared.records[word], *declared.records[word].specialisations):
                self._item(record.outer)
        elif word in declared.type_names:
            self._item(declared.type_names[word])
            for other in declared.homonyms.get(word, []):
                self._item(other)
        if word in declared.globals:
            holder = declared.globals[word].holder
            outer = holder.parent
            self._item(outer if outer is not None and outer.kind == "template_declaration" else holder)
        for prototype in declared.forward.get(word, []):
            if _is_device(prototype, unit.text):
                self._item(prototype.outer)
        for function in declared.functions.get(word, []):
            self._mention_function(function)

    def _mention_function(self, function: Function) -> None:
        if (
            not function.is_kernel
            and function.record is None
            and _is_device(function, self.printer.unit.text)
        ):
            self._item(function.outer)


def heads_of(root: Node, text: str, conditions: Mapping[str, str]) -> tuple[str, ...]:
    """A file's includes of CUDA's own headers, and namespace aliases, each once, where a compiler sees them."""
    found = (match for pattern in (_INCLUDES, _ALIASES) for match in pattern.finditer(text))
    hidden = [(part.start, part.end) for part in unseen(root, text, conditions)]
    seen = (m[0].strip() for m in found if not any(start <= m.start() < end for start, end in hidden))
    return tuple(_opened(each) for each in dict.fromkeys(seen))


def _opened(head: str) -> str:
    """A namespace has to be there before it gets another name; to open it once more does no harm."""
    meant = re.fullmatch(r"namespace\s+\w+\s*=\s*([\w:]+)\s*;", head)
    if meant is None or meant[1].startswith("::"):
        return head
    names = meant[1].split("::")
    return f"{' '.join(f'namespace {name} {{' for name in names)} {'}' * len(names)} {head}"


def _is_device(function: Function, text: str) -> bool:
    head = text[function.outer.start : function.declarator.start]
    return "__device__" in head or "constexpr" in head


def _namespaces(node: Node, source: str) -> list[str]:
    """Names of the namespaces around a node, innermost first."""
    found: list[str] = []
    around = node.above("namespace_definition")
    while around is not None:
        name = around.child("name")
        found.append(source[name.start : name.end] if name is not None else "")
        around = around.above("namespace_definition")
    return found
