"""What each buffer is to MLX: read, written, both, or added to."""

import re
from collections.abc import Iterable

from cu2mlx.transpiler.binding.interface import Role
from cu2mlx.transpiler.binding.signature import CHANGED_ROLES, OUTPUT_ROLES
from cu2mlx.transpiler.model.accesses import Access
from cu2mlx.transpiler.model.declarations import Declarations, Function, Record, Space, Variable
from cu2mlx.transpiler.model.launches import Launch
from cu2mlx.transpiler.render.functions import Printer
from cu2mlx.transpiler.tables.types import TYPES

# Of a launch's argument: all of it is null, or one side of a choice.
_PASSED_NULL = re.compile(r"(?:^|[?:])\s*(?:\([\w\s:]+\*\s*\)\s*)?(?:nullptr|NULL)\s*(?:$|[:)])")
_ADDERS = frozenset({"atomicAdd", "atomicAdd_block", "atomicAdd_system"})
_RAISERS = frozenset({"atomicMax", "atomicMax_block", "atomicMax_system"})


def _role(parameter: Variable, access: Access | None) -> Role:
    if not parameter.type.has_pointer:
        return Role.SCALAR
    if access is None or not (access.written or access.atomics):
        return Role.IN
    if access.atomics:
        blind = not (access.atomic_result_used or access.read or access.written)
        if blind and access.atomics <= _ADDERS:
            return Role.ACCUMULATED
        row = TYPES.get(parameter.type.base)
        wide = row is not None and row.metal == "ulong"  # no 32-bit loop can do it
        return Role.RAISED if blind and wide and access.atomics <= _RAISERS else Role.INOUT
    if not access.read:
        return Role.OUT
    return Role.OWNED if access.owned else Role.INOUT


def roles_of(function: Function, found: dict[Variable, Access], printer: Printer) -> dict[Variable, Role]:
    """Roles of the parameters, of the pointer members of record parameters, and of globals."""
    roles = {p: _role(p, found.get(p)) for p in function.parameters}
    for parameter, role in roles.items():
        if role is Role.ACCUMULATED and printer.declared.record(parameter.type) is not None:
            roles[parameter] = Role.INOUT  # its bytes do not add up
    for parameter in function.parameters:
        record = flattened(parameter, printer.declared)
        for member in record.fields.values() if record is not None else ():
            if member.type.has_pointer:
                roles[member] = _role(member, found.get(member))
    for variable in printer.declared.globals.values():
        unset = variable.initialiser is None and variable.space in (Space.CONSTANT, Space.DEVICE)
        if variable in found and (unset or variable.space is Space.DEVICE):
            access = found[variable]
            changed = access.written or bool(access.atomics)
            roles[variable] = Role.INOUT if changed else Role.IN
    return roles


def nullable(
    function: Function, tested: set[Variable], roles: dict[Variable, Role], launches: Iterable[Launch]
) -> set[Variable]:
    """The pointers that a caller may leave out: the kernel compares them with null, or a launch of the file passes
    null for them. A kernel's only output is always there."""
    found = set(tested)
    for launch in launches:
        if len(launch.arguments) == len(function.parameters):
            pairs = zip(function.parameters, launch.arguments, strict=True)
            found |= {v for v, text in pairs if v.type.has_pointer and _PASSED_NULL.search(text)}
    outputs = {variable for variable, role in roles.items() if role in OUTPUT_ROLES}
    return found - outputs if len(outputs) == 1 else found


def keep_names_apart(function: Function, roles: dict[Variable, Role]) -> None:
    """Rename `x_in` and `x_delta` beside an `x` that is read and written, of which MLX hands over arrays so called."""
    changed = [variable.name for variable, role in roles.items() if role in CHANGED_ROLES]
    taken = {f"{name}_{suffix}" for name in changed for suffix in ("in", "delta")}
    for parameter in function.parameters:
        if parameter.name in taken:
            parameter.name += "_"


def flattened(parameter: Variable, declared: Declarations) -> Record | None:
    """The record whose members become parameters of their own: one passed by value, with pointers inside."""
    record = declared.record(parameter.type) if not parameter.type.has_pointer else None
    if record is not None and any(f.type.has_pointer for f in record.fields.values()):
        return record
    return None
