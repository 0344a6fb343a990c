"""Which reads of a buffer come before every write of what they read: they see the buffer as it was handed over."""

import re
from collections.abc import Sequence

from cu2mlx.transpiler.model.accesses import Site
from cu2mlx.transpiler.model.declarations import Variable
from cu2mlx.transpiler.model.expressions import Typing
from cu2mlx.transpiler.model.instances import Instance
from cu2mlx.transpiler.model.linear_index import changes
from cu2mlx.transpiler.model.uniform import constant
from cu2mlx.transpiler.syntax import Node

_LOOPS = ("for_statement", "while_statement", "do_statement", "for_range_loop", "lambda_expression")
_STRAIGHT = ("compound_statement", "expression_statement", "assignment_expression", "update_expression")
_CHANGES = ("assignment_expression", "update_expression")
# What lets a thread see another's writes: of blocks that wait for each other, and of a block's threads.
_BETWEEN_BLOCKS = re.compile(r"\batomic\w*|__threadfence\w*|\bvolatile\b|\basm\b|\bsync\s*\(|\bgoto\b")
_IN_A_BLOCK = re.compile(r"__sync\w+|\bsync\s*\(|\bbarrier\w*")


def first_reads(instance: Instance, touched: Sequence[Site]) -> set[Node]:
    """The subscripts and calls among the sites of one buffer that no write can come before, in a kernel without data
    races; of a call, none outside of it.

    A thread's own writes come later, or in the same loop at another element; those of other threads it could only
    see behind a barrier.
    """
    if _BETWEEN_BLOCKS.search(" ".join(_text(each) for each in instance.reached())):
        return set()
    writes = [site for site in touched if site.written]
    return {
        site.node
        for site in touched
        if site.read
        and is_element(site.node) != (site.node in instance.calls)  # both: an operator[] of the user's
        and all(_before(site, write, instance) for write in writes)
    }


def ways_past(instance: Instance, touched: Sequence[Site]) -> list[Node] | None:
    """The `if` and `return` statements by which a thread may miss the first write of its one element.

    None where that is more than a chain of `if`s without `else`, and `if (…) return;` before it.
    """
    write = next((site for site in touched if site.written), None)
    body = instance.function.body
    if write is None or body is None or not is_element(write.node) or _common_loop(write.node, write.node):
        return None
    (index,) = write.node.need("indices").named_children
    variable = instance.typing.names.meaning.get(index)
    if variable is not None and changes(variable, instance.typing):
        return None
    missed: list[Node] = []
    child, parent = write.node, write.node.parent
    while parent is not None and child is not body:
        if parent.kind == "if_statement":
            if child.field != "consequence" or parent.child("alternative") is not None:
                return None
            missed.append(parent)
        elif parent.kind not in _STRAIGHT:
            return None
        child, parent = parent, parent.parent
    for leaving in body.all("return_statement"):
        if leaving.start < write.node.start:
            guard = leaving.above("if_statement")
            simple = guard is not None and guard.parent is body and guard.child("alternative") is None
            if not simple or leaving.above(*_LOOPS) is not None:
                return None
            missed.append(leaving)
    return missed


def is_element(node: Node) -> bool:
    """`p[i]`, read as a value: that of `p[i]++` is another's."""
    counted = node.parent is not None and node.parent.kind == "update_expression"
    above = node.parent.parent if node.parent is not None else None
    if counted and (above is None or above.kind != "expression_statement"):
        return False
    return node.kind == "subscript_expression" and len(node.need("indices").named_children) == 1


def end_of_write(node: Node) -> int:
    """Where a written subscript's assignment ends: C++ evaluates the right side first."""
    change = node.above(*_CHANGES)
    inside = (
        change is not None and change.named_children[0].start <= node.start < change.named_children[0].end
    )
    return change.end if change is not None and inside else node.end


def _before(read: Site, write: Site, instance: Instance) -> bool:
    if read.node.end > end_of_write(write.node):
        return False
    loop = _common_loop(read.node, write.node)
    if loop is None:
        return True
    if loop.above(*_LOOPS) is not None or _waits(loop, instance):
        return False
    typing = instance.typing
    same = typing.spelling(read.node).split() == typing.spelling(write.node).split()
    return (same and is_element(read.node) and _moves(read.node, loop, typing)) or _apart(
        (read.node, write.node), loop, typing
    )


def _common_loop(first: Node, second: Node) -> Node | None:
    loop = first.above(*_LOOPS)
    while loop is not None and not loop.start <= second.start < loop.end:
        loop = loop.above(*_LOOPS)
    return loop


def _text(instance: Instance) -> str:
    return instance.typing.spelling(instance.function.node)


def _waits(loop: Node, instance: Instance) -> bool:
    """Whether threads of a block may wait for each other inside a loop."""
    called = [c for node, c in instance.calls.items() if loop.start <= node.start < loop.end]
    texts = [instance.typing.spelling(loop), *(_text(each) for c in called for each in c.reached())]
    return any(_IN_A_BLOCK.search(text) for text in texts)


def _moves(subscript: Node, loop: Node, typing: Typing) -> bool:
    """Whether each round of a loop has an element of its own: `p[at + i]`, where i steps and the rest stays."""
    counter = _counter(loop, typing)
    (index,) = subscript.need("indices").named_children
    return (
        counter is not None
        and _stays(subscript.need("argument"), loop, typing)
        and _steps(index, counter, loop, typing)
    )


def _apart(nodes: Sequence[Node], loop: Node, typing: Typing) -> bool:
    """Whether each round of a loop over a block's or the grid's threads keeps to elements of its own.

    What another block size leaves to another thread cannot meet this round, or those threads would race: as long as
    the thread itself plays no part but through the counter.
    """
    counter = _counter(loop, typing)
    update = loop.child("update")
    if (
        counter is None
        or counter.initialiser is None
        or update is None
        or update.kind != "assignment_expression"
    ):
        return False
    start, step = typing.spelling(counter.initialiser), typing.spelling(update.need("right"))
    over_the_block = (
        start == "threadIdx.x" and step == "blockDim.x" and typing.spelling(update.need("operator")) == "+="
    )
    return over_the_block and all(
        _of_the_round(node, counter, typing) and _names(node, counter, typing) for node in nodes
    )


_OF_THE_THREAD = frozenset({"threadIdx", "blockDim"})


def _of_the_round(node: Node, counter: Variable, typing: Typing) -> bool:
    """Whether an expression says the same for every thread that has this round."""
    for part in node.walk():
        if part.kind == "field_expression" and typing.spelling(part.need("argument")) in _OF_THE_THREAD:
            return False
        variable = typing.names.meaning.get(part)
        if (
            variable is None
            or variable is counter
            or (variable.is_parameter and not changes(variable, typing))
        ):
            continue
        start = variable.initialiser
        if start is None or changes(variable, typing) or not _of_the_round(start, counter, typing):
            return False
    return True


def _names(node: Node, counter: Variable, typing: Typing) -> bool:
    """Whether an expression, or a local in it, is made of the counter."""
    named = (typing.names.meaning.get(part) for part in node.all("identifier"))
    found = [v for v in named if v is not None and not v.is_parameter]
    starts = [v.initialiser for v in found if v is not counter and v.initialiser is not None]
    return counter in found or any(_names(start, counter, typing) for start in starts)


def _counter(loop: Node, typing: Typing) -> Variable | None:
    """The variable that a `for` declares and only its head changes, by the same step each time."""
    update, declared = loop.child("update"), loop.child("initializer")
    if loop.kind != "for_statement" or update is None or declared is None:
        return None
    for variable in typing.names.variables:
        moved = changes(variable, typing)
        if variable.holder is declared and moved and all(c.start == update.start for c in moved):
            return variable if _is_step(update, loop, typing) else None
    return None


def _is_step(update: Node, loop: Node, typing: Typing) -> bool:
    """A step is never 0 in a loop that ends."""
    if update.kind == "update_expression":
        return True
    return typing.spelling(update.need("operator")) in ("+=", "-=") and _stays(
        update.need("right"), loop, typing
    )


def _steps(node: Node, counter: Variable, loop: Node, typing: Typing) -> bool:
    """Whether an expression is the counter, or a local made of it, plus what stays or times a number."""
    if node.kind == "parenthesized_expression" or _widens(node, typing):
        return _steps(node.named_children[-1], counter, loop, typing)
    if node.kind == "identifier":
        variable = typing.names.meaning.get(node)
        if variable is None or variable is counter:
            return variable is counter
        start = variable.initialiser
        own = start is not None and loop.start <= variable.holder.start < loop.end
        return (
            own
            and start is not None
            and not changes(variable, typing)
            and _steps(start, counter, loop, typing)
        )
    if node.kind != "binary_expression":
        return False
    left, right, operator = node.need("left"), node.need("right"), typing.spelling(node.need("operator"))
    if operator in ("+", "-"):
        return (_steps(left, counter, loop, typing) and _stays(right, loop, typing)) or (
            _stays(left, loop, typing) and _steps(right, counter, loop, typing)
        )
    return operator == "*" and any(
        _steps(one, counter, loop, typing) and constant(other, typing) not in (None, 0)
        for one, other in ((left, right), (right, left))
    )


def _widens(node: Node, typing: Typing) -> bool:
    type_ = typing.type_of(node) if node.kind == "cast_expression" else None
    return type_ is not None and type_.base in ("long", "unsigned long") and not type_.shape


def _stays(node: Node, loop: Node, typing: Typing) -> bool:
    """Whether an expression has one value through all rounds of a loop: made of variables that none changes."""
    for part in node.walk():
        if part.kind in ("call_expression", "subscript_expression", "pointer_expression", *_CHANGES):
            return False
        variable = typing.names.meaning.get(part)
        if variable is None:
            continue
        if loop.start <= variable.holder.start < loop.end:
            start = variable.initialiser
            if start is None or changes(variable, typing) or not _stays(start, loop, typing):
                return False
        elif any(loop.start <= change.start < loop.end for change in changes(variable, typing)):
            return False
    return True
