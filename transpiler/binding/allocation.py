"""Host objects behind kernel arguments (`x.data_ptr<float>()` is x), and the shapes they were made with."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cu2mlx.transpiler.binding.dtypes import ITEM_SIZE, sizeof_cxx
from cu2mlx.transpiler.binding.host import HostSyntaxError, constant, key, name, parse
from cu2mlx.transpiler.binding.resolve import Resolver, Scope, UnresolvedError, as_integer

_POINTER_METHODS = {
    "data_ptr",
    "mutable_data_ptr",
    "const_data_ptr",
    "data",
    "get",
    "contiguous",
    "cuda",
    "begin",
}
_ACCESSORS = {"packed_accessor", "packed_accessor32", "packed_accessor64", "accessor"}
_WRAPPERS = {"reinterpret_cast", "static_cast", "const_cast", "raw_pointer_cast"}
_TENSORS = {"zeros", "empty", "ones", "full", "new_zeros", "new_empty", "new_full", "new_ones"}
_ALIKE = {"zeros_like", "empty_like", "ones_like", "full_like"}
_CONTAINERS = {"vector", "device_vector", "host_vector", "device_ptr"}
_BYTES = {"cudaMalloc", "cudaMallocManaged", "cudaMallocAsync"}


@dataclass(frozen=True, slots=True)
class Allocation:
    """The shape of a buffer in elements of the kernel parameter's dtype, as Python text; is it zeroed?"""

    shape: str
    zeroed: bool


def with_allocations(variables: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """The locals, with every `cudaMalloc(&p, bytes)` as the initialiser of p."""
    return tuple((_allocated(text) or variable, text) for variable, text in variables)


def _allocated(text: str) -> str | None:
    if "alloc" not in text.lower():
        return None
    try:
        node = parse(text)
    except HostSyntaxError:
        return None
    match node:
        case ast.Call(func=ast.Name(id=function), args=[target, *_]) if _base(function) in _BYTES:
            match _object(target):
                case ast.Call(func=ast.Name(id="&"), args=[ast.Name(id=variable)]):
                    return variable
    return None


def objects_of(argument: ast.expr, variables: Sequence[tuple[str, str]]) -> Iterator[ast.expr]:
    """The host objects that a pointer argument is a view of: itself, then what its locals are made from."""
    node, before = _object(argument), len(variables)
    while True:
        yield node
        if not isinstance(node, ast.Name):
            return
        places = [i for i in range(before) if variables[i][0] == node.id]
        if not places:
            return
        before = places[-1]
        node = _object(parse(variables[before][1]))


def _object(node: ast.expr) -> ast.expr:
    """The expression without casts, `data_ptr()` and the like."""
    while True:
        match node:
            case ast.Call(func=ast.Attribute(value=owner, attr=method)) if _base(method) in (
                _POINTER_METHODS | _ACCESSORS
            ):
                node = owner
            case ast.Call(func=ast.Name(id=function), args=[operand]) if (
                function.startswith("(") or _base(function) in _WRAPPERS
            ):
                node = operand
            case ast.Call(
                func=ast.Name(id="&"), args=[ast.Subscript(value=owner, slice=ast.Constant(value=0))]
            ):
                node = owner
            case _:
                return node


def host_type_of(argument: ast.expr) -> str | None:
    """`scalar_t` of `x.data_ptr<scalar_t>()`, None where the argument names no type."""
    match argument:
        case ast.Call(func=ast.Attribute(attr=method)) if "<" in method:
            return method.partition("<")[2].removesuffix(">").strip()
    return None


def _base(function: str) -> str:
    """`zeros` of `torch::zeros`, `vector` of `std::vector<float>`."""
    return function.partition("<")[0].strip().rpartition("::")[2]


def allocation(node: ast.expr, dtype: str, is_template: bool, scope: Scope) -> Allocation | None:
    """What `node` allocates, None where it allocates nothing. Raises UnresolvedError for an unknown size.

    `dtype`: of the kernel's parameter, an MLX dtype or (`is_template`) the Python name of a type parameter.
    """
    resolver = Resolver(scope)
    element: ast.expr = (
        ast.Attribute(name(dtype), "size", ast.Load()) if is_template else constant(ITEM_SIZE[dtype])
    )
    match node:
        case ast.Call(func=ast.Name(id=function), args=arguments) if arguments:
            kind = _base(function)
        case ast.Call(func=ast.Attribute(attr=function), args=arguments) if arguments:
            kind = _base(function)
        case _:
            return None
    zeroed = "zeros" in kind
    if kind in _TENSORS:
        return Allocation(_shape(arguments[0], scope), zeroed)
    if kind in _ALIKE:
        return Allocation(ast.unparse(_array_shape(arguments[0], scope)), zeroed)
    if function.startswith("new "):
        size = sizeof_cxx(function.removeprefix("new "))
    elif kind in _CONTAINERS and "<" in function:
        size = sizeof_cxx(function.partition("<")[2].rstrip("> "))
    elif kind in _BYTES or kind == "malloc":
        size = 1
        arguments = arguments[1:] if kind in _BYTES else arguments
    else:
        return None
    if size is None or not arguments:
        raise UnresolvedError(function)
    length = as_integer(resolver.value(arguments[0]))
    total = _divided(length if size == 1 else ast.BinOp(length, ast.Mult(), constant(size)), element)
    return Allocation(f"({ast.unparse(total)},)", kind in ("vector", "device_vector", "host_vector"))


def _shape(node: ast.expr, scope: Scope) -> str:
    resolver = Resolver(scope)
    if isinstance(node, ast.Name) and (found := resolver.local(node.id, len(scope.locals))):
        node = found[0]
    match node:
        case ast.Tuple(elts=sizes):
            items = [as_integer(resolver.value(size)) for size in sizes]
            return ast.unparse(ast.Tuple(items, ast.Load()))
        case ast.Call(func=ast.Attribute(value=owner, attr="sizes")):
            return ast.unparse(_array_shape(owner, scope))
    raise UnresolvedError(ast.unparse(node))


def _array_shape(node: ast.expr, scope: Scope) -> ast.expr:
    array = scope.arrays.get(key(_object(node)))
    if array is None:
        raise UnresolvedError(ast.unparse(node))
    return array.shape


def _divided(node: ast.expr, by: ast.expr) -> ast.expr:
    """node / by without the division where a factor of `node` takes it."""
    quotient = _without(node, by)
    return ast.BinOp(node, ast.FloorDiv(), by) if quotient is None else quotient


def _without(node: ast.expr, by: ast.expr) -> ast.expr | None:
    """`node` with one factor `by` taken out, None where no factor of it is a multiple."""
    if key(node) == key(by):
        return constant(1)
    if isinstance(node, ast.Constant) and isinstance(by, ast.Constant):
        value, divisor = ast.literal_eval(node), ast.literal_eval(by)
        return constant(value // divisor) if value % divisor == 0 else None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        right = _without(node.right, by)
        if right is not None:
            return node.left if key(right) == key(constant(1)) else ast.BinOp(node.left, node.op, right)
        left = _without(node.left, by)
        if left is not None:
            return node.right if key(left) == key(constant(1)) else ast.BinOp(left, node.op, node.right)
    return None
