"""Which reads of the buffers that a kernel changes can be reads of its input."""

from collections.abc import Mapping

from cu2mlx.transpiler.binding.interface import Role
from cu2mlx.transpiler.kernels.parameters import dtype_of
from cu2mlx.transpiler.model.accesses import Accesses, Site
from cu2mlx.transpiler.model.declarations import Space, Variable
from cu2mlx.transpiler.model.instances import Instance
from cu2mlx.transpiler.model.order import end_of_write, first_reads, is_element, ways_past
from cu2mlx.transpiler.rules.context import Context
from cu2mlx.transpiler.syntax import Node


def read_first(roles: Mapping[Variable, Role], accesses: Accesses, context: Context) -> None:
    """Fill `first_reads` of the kernel and its helpers, and the context's `ways_past`."""
    changed = [v for v, role in roles.items() if role in (Role.INOUT, Role.OWNED)]
    if not changed:
        return
    instance = context.instance
    touched = accesses.sites(instance)
    later: set[Node] = set()
    for variable in changed:
        reached = touched.get(variable, [])
        first = first_reads(instance, reached)
        if roles[variable] is Role.OWNED:
            missed = ways_past(instance, reached) if not context.leaving else None
            if missed is None or not _is_told(variable, reached, first, context):
                first = set()
            else:
                context.ways_past[variable] = missed
        instance.first_reads |= first
        later |= {site.node for site in reached} - first
    instance.first_reads -= later  # a pointer into one of several buffers
    for called in instance.called():
        _read_first_in(called, instance, accesses)


def _read_first_in(helper: Instance, kernel: Instance, accesses: Accesses) -> None:
    """The same in a helper that nobody calls with what may have been written."""
    calls = [n for n in kernel.calls if helper in (kernel.calls[n], *kernel.others.get(n, ()))]
    elsewhere = any(helper in each.called() for each in kernel.reached() if each is not kernel)
    if elsewhere or not all(node in kernel.first_reads for node in calls):
        return
    changed = [
        p for p, space in zip(helper.function.parameters, helper.spaces, strict=True) if space is Space.INOUT
    ]
    touched = accesses.sites(helper)
    reached = [site for parameter in changed for site in touched.get(parameter, [])]
    helper.first_reads = {node for node in first_reads(helper, reached) if is_element(node)}


def _is_told(variable: Variable, reached: list[Site], first: set[Node], context: Context) -> bool:
    """Whether all that comes before the first write reads the input, and everything goes by the parameter's name."""
    meaning, type_ = context.typing.names.meaning, context.typing.alias(variable.type)
    if not type_.is_pointer or len(type_.shape) > 1 or type_.base in ("char", "signed char"):
        return False
    if dtype_of(type_.base, variable, context)[1] != 1 or not all(is_element(s.node) for s in reached):
        return False
    write = end_of_write(next(site.node for site in reached if site.written))
    early = {site.node for site in reached if site.read and site.node.end <= write}
    return early <= first and all(meaning.get(s.node.need("argument")) is variable for s in reached)
