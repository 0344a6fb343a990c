"""Prints kernels and helper functions: signature, what is handed down, body."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from os.path import commonprefix

from cu2mlx.transpiler.model.address_spaces import AddressSpaces, Instance, Spaces
from cu2mlx.transpiler.model.constant_context import is_constexpr
from cu2mlx.transpiler.model.declarations import Declarations, Function, Space, Variable
from cu2mlx.transpiler.model.needed import Needed
from cu2mlx.transpiler.model.overloads import unpacks
from cu2mlx.transpiler.model.types import Type, declarator_name, declared_type
from cu2mlx.transpiler.preprocess import Unit
from cu2mlx.transpiler.render.faults import faults
from cu2mlx.transpiler.render.text import as_written, render
from cu2mlx.transpiler.rules.context import DROP, Context, Handed, Options, Printed
from cu2mlx.transpiler.rules.function_values import printed_name, template_head
from cu2mlx.transpiler.rules.names import member_name, safe_name
from cu2mlx.transpiler.rules.types import with_space
from cu2mlx.transpiler.syntax import Node


@dataclass(slots=True)
class Printer:
    """Prints the instances of one unit, each once, callees before callers."""

    unit: Unit
    declared: Declarations
    spaces: AddressSpaces
    options: Options
    heads: tuple[str, ...]  # of the file, in front of the original text
    needed: Needed  # of the records' members
    without: Mapping[int, str]  # functions to leave out, by offset, with the reason
    done: dict[Instance, Printed] = field(default_factory=dict)
    open: set[Instance] = field(default_factory=set)
    uncalled: list[Function] = field(default_factory=list)  # methods that nothing calls
    methods: list[Instance] = field(default_factory=list)  # printed inside records, not yet looked through
    agreed: dict[Instance, dict[str, Handed]] = field(default_factory=dict)  # what overloads are handed alike

    def context(self, instance: Instance) -> Context:
        return Context(
            self.unit,
            self.unit.text,
            self.declared,
            self.spaces,
            instance,
            self.options,
            render,
            Printed(),
            self.done,
            self.method,
        )

    def helpers(self, kernel: Instance) -> None:
        """Everything a kernel calls. Overloads among which a template's type chooses are handed the same."""
        while True:
            for called in kernel.called():
                self.helper(called)
            agreed = {**self.agreed, **agreements(kernel, self.done)}
            if agreed.keys() == self.agreed.keys():
                return
            self.agreed = agreed
            self.done.clear()

    def helper(self, instance: Instance) -> Printed:
        """A helper function or method as text; the callees are printed first."""
        found = self.done.get(instance)
        if found is not None:
            return found
        self.open.add(instance)
        for called in instance.called():
            if called not in self.open:
                self.helper(called)
        printed = self._instance(instance)
        if (
            instance in instance.called()
        ):  # a template that unfolds into itself: what it hands on is known by now
            self.done[instance] = printed
            printed = self._instance(instance)
        self.open.discard(instance)
        self.done[instance] = printed
        return printed

    def _instance(self, instance: Instance) -> Printed:
        """One instance as text, whose callees are printed."""
        context = self.context(instance)
        context.printed.handed.update(self.agreed.get(instance, {}))
        folded = is_constexpr(instance.function.node, self.unit.text)
        for node, called in instance.calls.items():
            if called in self.open and not (instance.others.get(node) or folded or _unfolds(node)):
                context.report("CU3709", instance.function.node, name=instance.function.name)
        report_conflicts(context)
        context.printed.diagnostics.extend(faults(instance.function, self.unit))
        context.printed.text = self._function(instance.function, context)
        return context.printed

    def prototype(self, function: Function, spaces: Spaces) -> Printed:
        """A declaration without a body, for one combination of spaces."""
        instance = Instance(function, spaces, self.spaces.typing(function))
        for parameter, space in zip(function.parameters, spaces, strict=False):
            if space is not None:
                instance.space_of[parameter] = space
        context = self.context(instance)
        context.printed.text = self._function(function, context, bodiless=True)
        return context.printed

    def method(self, node: Node, outer: Context) -> str:
        """A method inside a record's text: once for each combination of spaces it is called with. Also a record
        inside it, as it is written."""
        record = outer.instance.function.record
        of_const = record.methods if record is not None and record.is_of_const else []
        function = next((m for m in of_const if m.node is node), None) or self.declared.methods.get(node)
        called = [i for i in self.spaces.instances.values() if i.function is function]
        if not called and node in self.needed.left_out:
            return DROP
        if function is None:
            return as_written(node, self._conversion(node, outer) or outer)
        if not called:
            if node.start in self.without:
                return ""
            spaces = tuple(default_space(p) for p in function.parameters)
            called = [self.spaces.instance(function, spaces)]
            if self.helper(called[0]).refused and not _is_called_unsaid(function):
                return DROP
            self.uncalled.append(function)
        texts: list[str] = []
        shown: set[tuple[Space | None, ...]] = set()
        for instance in called:
            if instance.visible_spaces not in shown:
                shown.add(instance.visible_spaces)
                printed = self.helper(instance)
                self.methods.append(instance)
                texts.append(printed.text)
                outer.printed.diagnostics.extend(printed.diagnostics)
                outer.printed.facts |= printed.facts
        line = outer.text[outer.text.rfind("\n", 0, node.start) + 1 : node.start]
        indentation = line[: len(line) - len(line.lstrip())]
        return f"\n{indentation}".join(texts)

    def _conversion(self, node: Node, outer: Context) -> Context | None:
        """The context for an `operator float()` of a record that calls the user's functions, which are printed."""
        operator, record = node.child("declarator"), outer.instance.function.record
        declarator = operator.child("declarator") if operator is not None else None
        if record is None or operator is None or declarator is None or operator.kind != "operator_cast":
            return None
        result = declared_type(operator, declarator, self.unit.text)
        function = Function("operator", node, node, declarator, result, [], False, record.template, record)
        instance = self.spaces.instance(function, ())
        if not instance.calls or result.shape:
            return None
        for called in instance.called():
            self.helper(called)
        self.methods.append(instance)
        return replace(outer, instance=instance)

    def _function(self, function: Function, context: Context, *, bodiless: bool = False) -> str:
        node = function.node
        for child in node.children:
            if child.kind.startswith("virtual"):
                context.report("CU3707", child, name=function.name)
        body = None if bodiless else function.body
        defaulted = node.first("default_method_clause", "delete_method_clause")
        without = context.source(defaulted) if defaulted is not None else ";"
        body_text = context.render(body) if body is not None else without
        initialisers = node.first("field_initializer_list")
        initialiser_text = f" {context.render(initialisers)}" if initialisers is not None else ""
        name = declarator_name(function.declarator)
        assert name is not None
        listed = function.declarator.need("parameters")
        given = [context.render(p) for p in listed.children if p.named and p.kind != "comment"]
        given = [g for g in given if g.strip() != "void"]
        handed = [h.parameter for h in context.printed.handed.values()]
        trailing = _after_parameters(function.declarator, context) + _own_space(function, context)
        result = self._result(function, context)
        spelled = context.source(name)
        of = function.record if not function.is_friend else None
        is_constructor = of is not None and spelled == of.name  # called like its type
        spelled = safe_name(spelled) if of is None or is_constructor else member_name(spelled)
        whole = function.declarator.child("declarator")
        if whole is not None and whole.kind == "template_function":  # a specialisation: `load<16>`
            spelled += context.render(whole.need("arguments"))
        template = ""
        if context.typing.functions:
            spelled = printed_name(context.instance, context)
            template = template_head(context)
        elif function.template is not None and (
            function.record is None or function.template is not function.record.template
        ):
            template = f"template {context.render(function.template.need('parameters'))}\n"
        head = f"{result}{spelled}({', '.join(handed + given)}){trailing}{initialiser_text}"
        if of is None:
            head = f"{'friend' if function.is_friend else 'inline'} {head}"
        separator = " " if not body_text.startswith(("\n", ";")) else ""
        text = f"{template}{head}{separator}{body_text}"
        if context.printed.hoisted:
            context.report("CU3703", node, name=function.name)
        return f"\x01{node.start}\x02{text}"

    def _result(self, function: Function, context: Context) -> str:
        specified = function.node.child("type")
        constexpr = "constexpr " if is_constexpr(function.node, context.text) else ""
        if specified is None:  # constructors, destructors, conversion operators
            explicit = any(context.source(c) == "explicit" for c in function.node.children)
            return f"{'explicit ' if explicit else ''}{constexpr}"
        stars = "".join(p for p in reversed(function.result.shape))
        space = context.instance.result or default_result_space(function.result)
        head = with_space(function.node, function.result, space, context)
        if space is Space.INOUT:
            stars = ""
        words = {
            context.source(c)
            for c in function.node.children
            if c.kind in ("type_qualifier", "storage_class_specifier")
        }
        static = "static " if "static" in words and function.record is not None else ""
        return f"{static}{constexpr}{head}{stars} "


def agreements(kernel: Instance, done: Mapping[Instance, Printed]) -> dict[Instance, dict[str, Handed]]:
    """What each of the overloads that one call may mean is to be handed, where they ask for different values of the
    kernel's, or for the same in another order. Those that hang on an overload's template parameters are its own."""
    found: dict[Instance, dict[str, Handed]] = {}
    for instance in kernel.reached():
        for node, called in instance.calls.items():
            choices = [each for each in (called, *instance.others.get(node, ())) if each in done]
            together = {name: handed for each in choices for name, handed in done[each].handed.items()}
            alike = all(list(done[each].handed) == list(together) for each in choices)
            if not alike and not any(handed.parameters for handed in together.values()):
                for each in choices:
                    own = done[each].handed
                    found[each] = {name: own.get(name, h.passed_on()) for name, h in together.items()}
    return found


def _is_called_unsaid(function: Function) -> bool:
    """A destructor, or what copies an object: without it there is another one, which does something else."""
    assigned = function.name.replace(" ", "") == "operator="
    return function.name.startswith("~") or assigned or function.copies_object


def _unfolds(node: Node) -> bool:
    """Whether a call of a function by itself is of another instance of its template."""
    return node.kind == "call_expression" and (
        node.need("function").kind == "template_function" or unpacks(node)
    )


def _after_parameters(declarator: Node, context: Context) -> str:
    kept = [context.source(c) for c in declarator.children if c.kind == "type_qualifier"]
    return "".join(f" {word}" for word in kept if word == "const")


def _own_space(function: Function, context: Context) -> str:
    """A method that hands out a part of its object, or hands it on: of an object in this space."""
    space = context.instance.shown_own
    if function.record is None or function.is_static or space is None:
        return ""
    return " device" if space is Space.READ else f" {space}"


def default_space(parameter: Variable) -> Space | None:
    if parameter.type.is_reference:
        return Space.THREAD
    return Space.DEVICE if parameter.type.has_pointer else None


def default_result_space(result: Type) -> Space:
    return Space.THREAD if result.is_reference else Space.DEVICE


def report_conflicts(context: Context) -> None:
    for conflict in context.instance.conflicts:
        context.report(
            "CU2101", conflict.node, name=conflict.name, first=conflict.first, second=conflict.second
        )


def kernel_statements(context: Context) -> str:
    """The statements between a kernel's braces, dedented."""
    body = context.instance.function.body
    assert body is not None
    report_conflicts(context)
    text = context.render(body)
    return dedented(text[text.index("{") + 1 : text.rindex("}")])


def kernel_body(context: Context, prologue: list[str], statements: str) -> str:
    """MLX's `source`: what the kernel makes for its helpers, what turns arguments into CUDA's, the statements."""
    made = [h.kernel for h in context.printed.handed.values() if h.kernel]
    first = "\n".join([*made, *context.printed.hoisted, *prologue])
    return "\n".join(part for part in (first, statements) if part.strip()) + "\n"


_MARK = re.compile("\x01\\d+\x02")


def dedented(text: str) -> str:
    """Text without its common indentation, in which a first line behind the brace and `#` lines have no part."""
    lines = text.strip("\n").rstrip().split("\n")
    first = [] if _MARK.sub("", lines[0])[:1].isspace() else [lines.pop(0)]
    indents = [
        line[: len(line) - len(line.lstrip())] for line in lines if line.strip() and not line.startswith("#")
    ]
    common = commonprefix(indents)  # noqa: RUF071  (characters are what is meant)
    return "\n".join([*first, *(line.removeprefix(common) for line in lines)])
