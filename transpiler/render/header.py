"""The text in front of a kernel: everything it reaches, in the source's order, and the support library."""

import re
from dataclasses import dataclass, field

from cu2mlx.transpiler import prelude
from cu2mlx.transpiler.diagnostics import Diagnostic, Severity, diagnostic
from cu2mlx.transpiler.model.address_spaces import Instance
from cu2mlx.transpiler.model.declarations import Function, Space, Variable
from cu2mlx.transpiler.preprocess.condition import DEFAULT_DEFINES
from cu2mlx.transpiler.render.functions import Printer
from cu2mlx.transpiler.render.records import constant_text, record_text, type_name_text
from cu2mlx.transpiler.render.text import comment_above
from cu2mlx.transpiler.rules.context import Printed
from cu2mlx.transpiler.tables.reserved import TAKEN

_WORDS = re.compile(r"[A-Za-z_]\w*")
_SUPPORT = re.compile(r"cu::(?<!\wcu::)(\w+)")
_CONDITION = re.compile(r"^\s*#\s*(?:el)?if.*$", re.MULTILINE)


@dataclass(slots=True)
class Header:
    """Collects, for one kernel, the file-scope text that its body and helpers mention."""

    printer: Printer
    kernel: Instance
    facts: set[str] = field(default_factory=set)
    items: dict[int, str] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    printed: set[Instance] = field(default_factory=set)
    optional: set[Function] = field(default_factory=set)  # overloads and methods that can be left out

    def text(self, body: str) -> str:
        """The whole header; diagnostics of what it holds are left in `diagnostics`."""
        self._helpers(self.kernel)
        self._mentioned(body)
        while self.printer.methods:  # of the records mentioned so far: what they call is needed too
            self._helpers(self.printer.methods.pop())
        self.optional.update(self.printer.uncalled)
        everything = "\n".join([*self.items.values(), body])
        defines = self._conditions(everything)
        names = self._supported(everything)
        support = prelude.assemble(names)
        self._note_version(names)
        own = "\n\n".join(self._comment(key) + self.items[key] for key in sorted(self.items))
        return "\n".join(part for part in (defines, support, own) if part.strip())

    def _note_version(self, names: set[str]) -> None:
        """The support library as a whole is for Metal 3.1; a few of its parts need more."""
        version = prelude.requires_metal(names)
        if version != prelude.LOWEST_METAL:
            newer = sorted(n for n in names if prelude.requires_metal([n]) == version)
            function = self.kernel.function
            span = self.printer.unit.origin(function.node.start)
            listed = ", ".join(f"cu::{n.partition('(')[0]}" for n in newer)
            self.diagnostics.append(diagnostic("CU5004", span, function.name, names=listed, version=version))

    def _comment(self, key: int) -> str:
        """The author's comment above an item, at the first of those that one declaration became."""
        return comment_above(self.printer.unit.text, key // 16) if key >= 0 and key % 16 == 0 else ""

    def _helpers(self, root: Instance) -> None:
        """The functions that an instance reaches, itself excepted."""
        optional = optional_overloads(root)
        for instance in root.reached():
            function = instance.function
            if instance is root or function.record is not None or instance in self.printed:
                continue
            self.printed.add(instance)
            printed = self.printer.helper(instance)
            reason = self._reason(instance, printed)
            if instance in optional:
                self.optional.add(function)
                if reason is not None and not self._only_choice(root, instance):
                    self._left_out(instance, reason)
                    if self._is_specialised(function):
                        self._add(function.outer.start, self.printer.prototype(function, instance.spaces))
                    continue
            if function.is_specialisation:
                self._prototypes(instance)
            if printed.text not in self.items.values():
                self._add(function.outer.start, printed)
            else:
                self.diagnostics.extend(printed.diagnostics)

    def _only_choice(self, kernel: Instance, refused: Instance) -> bool:
        """Whether some call may mean this overload and no other that Metal can have."""
        for instance in kernel.reached():
            for node, called in instance.calls.items():
                choices = [called, *instance.others.get(node, [])]
                if refused in choices and all(
                    self._reason(c, self.printer.helper(c)) is not None for c in choices
                ):
                    return True
        return False

    def _is_specialised(self, function: Function) -> bool:
        """Whether a template stands for its specialisations too, which need its declaration."""
        overloads = self.printer.declared.functions.get(function.name, [])
        primary = function.template is not None and not function.is_specialisation
        return primary and any(f.is_specialisation for f in overloads)

    def _prototypes(self, instance: Instance) -> None:
        """The primary template of a specialised function may be declared only."""
        for function in self.printer.declared.forward.get(instance.function.name, []):
            primary = function.template is not None and not function.is_specialisation
            if primary and len(function.parameters) == len(instance.spaces):
                self._add(function.outer.start, self.printer.prototype(function, instance.spaces))

    def _reason(self, instance: Instance, printed: Printed) -> str | None:
        """Why an overload should be left out: refused, or known not to type-check."""
        error = next((d for d in printed.diagnostics if d.severity is Severity.ERROR), None)
        if error is not None:
            return error.message
        return self.printer.without.get(instance.function.node.start)

    def _left_out(self, instance: Instance, reason: str) -> None:
        """An overload that Metal cannot have, beside others that it can: the kernel works for the others."""
        function = instance.function
        signature = self.printer.unit.text[function.declarator.start : function.declarator.end]
        span = self.printer.unit.origin(function.node.start)
        name = " ".join(signature.split())
        self.diagnostics.append(diagnostic("CU4203", span, None, name=name, reason=reason))

    def _supported(self, text: str) -> set[str]:
        """Names of the support library in a text; one that it lacks is our own fault."""
        names = set(_SUPPORT.findall(text))
        facts = set(self.facts)
        missing = names - prelude.available()
        for name in sorted(missing):
            function = self.kernel.function
            span = self.printer.unit.origin(function.node.start)
            reason = f"the support library has no cu::{name}"
            self.diagnostics.append(diagnostic("CU9001", span, function.name, reason=reason))
        overloads: dict[str, set[str]] = {}
        for fact in facts:
            kind, _, rest = fact.partition(":")
            if kind == "support":
                name, _, overload = rest.partition("(")
                overloads.setdefault(name, set()).add(overload.rstrip(")"))
        asked: set[str] = set()
        for name in names - missing:
            for overload in overloads.get(name, {""}):
                asked.add(f"{name}({overload})" if overload else name)
        return asked

    def _conditions(self, text: str) -> str:
        """Macros that CUDA's compiler defines and `#if` lines of the kernel ask for."""
        asked = {w for line in _CONDITION.findall(text) for w in _WORDS.findall(line)}
        return "".join(
            f"#define {n} {v}\n" for n, v in DEFAULT_DEFINES.items() if n in asked and n != "__cplusplus"
        )

    def _is_declared(self, word: str) -> bool:
        declared = self.printer.declared
        named = (self.printer.unit.macros, declared.records, declared.type_names, declared.globals)
        return any(word in names for names in named)

    def _mentioned(self, text: str) -> None:
        declared, unit = self.printer.declared, self.printer.unit
        for word in _WORDS.findall(text):
            if word in self.seen:
                continue
            self.seen.add(word)
            if word.endswith("_") and word[:-1] in TAKEN and not self._is_declared(word):
                word = word[:-1]
            macro = unit.macros.get(word)
            if macro is not None and word not in unit.expanded:
                position = unit.text.find(macro.text)  # -1, before all else, for -D
                self._add(position, Printed(macro.text.rstrip()))
            elif word in declared.records:
                record = declared.records[word]
                opened = f"open:{word}" in self.facts
                self._add(record.outer.start, record_text(self.printer, record, opened=opened))
                if f"inout:{word}" in self.facts:
                    bits = f"struct cu::bit_value<{word}> : cu::bit_value_of_record<{word}> {{}};"
                    self._add(record.outer.start, Printed(f"template <>\n{bits}"))
            elif word in declared.type_names:
                node = declared.type_names[word]
                self._add(node.start, type_name_text(self.printer, node))
            elif word in declared.globals and _is_constant(declared.globals[word]):
                variable = declared.globals[word]
                self._add(variable.holder.start, constant_text(self.printer, variable))

    def _add(self, offset: int, printed: Printed) -> None:
        key = offset * 16
        while key in self.items and self.items[key] != printed.text:
            key += 1
        if key in self.items:
            return
        self.items[key] = printed.text
        self.facts |= printed.facts
        self.diagnostics.extend(printed.diagnostics)
        self._mentioned(printed.text)


def optional_overloads(kernel: Instance) -> set[Instance]:
    """Instances reached only where a template's type selects them among several overloads."""
    optional: set[Instance] = set()
    needed: set[Instance] = set()

    def visit(instance: Instance, chosen: bool) -> None:
        known = needed if chosen else optional
        if instance in known or instance in needed:
            return
        known.add(instance)
        for node, called in instance.calls.items():
            alternatives = instance.others.get(node, [])
            for each in (called, *alternatives):
                visit(each, chosen and not alternatives)

    visit(kernel, True)
    return optional - needed


def _is_constant(variable: Variable) -> bool:
    declarator = variable.declarator
    return (
        variable.space is Space.CONSTANT and declarator is not None and declarator.kind == "init_declarator"
    )
