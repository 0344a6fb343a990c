"""Host expressions (host.py) rewritten over what the emitted function knows: the kernel's own parameters.

C's meaning is kept: `/` of two integers becomes `//` (launch arithmetic is not negative), else `/`.
"""

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from cu2mlx.transpiler.binding.dtypes import dtype_of_cxx, sizeof_cxx
from cu2mlx.transpiler.binding.host import call, constant, key, name, parse
from cu2mlx.transpiler.model.launches import HostFunction

FOLDS: Mapping[type[ast.AST], Callable[..., int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.USub: operator.neg,
    ast.Invert: operator.invert,
}
_MATH = {
    name + suffix: name for name in ("ceil", "floor", "log2", "sqrt", "pow") for suffix in ("", "f", "l")
}
# Ceiling division under the names that libraries and everybody's own headers give it.
_CEILING_DIVISION = {
    "cdiv",
    "ceil_div",
    "ceildiv",
    "div_up",
    "divup",
    "div_ceil",
    "divceil",
    "ceiling_div",
    "divide_up",
    "idivup",
    "thcceildiv",
}
_LIMIT = 64


class UnresolvedError(ValueError):
    """The expression needs something that the kernel's parameters do not tell."""


@dataclass(frozen=True, slots=True)
class Value:
    """Python text of a value (as a tree), and whether C sees a floating-point number there."""

    node: ast.expr
    is_float: bool = False


@dataclass(frozen=True, slots=True)
class Scope:
    """What host expressions may refer to.

    `values`: host expression (by key) → what the emitted function calls it. `arrays`: host object (by key) →
    Python expressions of its shape. `types`: host type → the template type parameter it is passed for.
    `locals`: host variables and their initialisers, in order. `functions`: host functions by name.
    """

    values: Mapping[str, Value] = field(default_factory=dict)
    arrays: Mapping[str, "ArrayName"] = field(default_factory=dict)
    types: Mapping[str, str] = field(default_factory=dict)
    locals: Sequence[tuple[str, str]] = ()
    functions: Mapping[str, HostFunction] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ArrayName:
    """How the emitted function reaches an array's shape: `x` (an array) or `c_shape` (a tuple)."""

    name: str
    is_shape: bool = False

    @property
    def shape(self) -> ast.expr:
        return name(self.name) if self.is_shape else ast.Attribute(name(self.name), "shape", ast.Load())

    @property
    def size(self) -> ast.expr:
        return (
            call("math.prod", self.shape)
            if self.is_shape
            else ast.Attribute(name(self.name), "size", ast.Load())
        )

    @property
    def ndim(self) -> ast.expr:
        return (
            call("len", self.shape) if self.is_shape else ast.Attribute(name(self.name), "ndim", ast.Load())
        )


class Resolver:
    """Rewrites host expressions in one scope; raises UnresolvedError or HostSyntaxError."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def integer(self, text: str) -> str:
        """Python text of an integer expression."""
        return ast.unparse(as_integer(self.value(parse(text))))

    def value(self, node: ast.expr, before: int | None = None, depth: int = 0) -> Value:
        """`before`: only the locals defined before this one are visible."""
        if depth > _LIMIT:
            raise UnresolvedError("nested too deeply")
        known = self.scope.values.get(key(node))
        if known is not None:
            return known
        return _Rewrite(self, len(self.scope.locals) if before is None else before, depth + 1).rewrite(node)

    def local(self, variable: str, before: int) -> tuple[ast.expr, int] | None:
        """The initialiser of the last local of that name before `before`, and its place."""
        for place in range(before - 1, -1, -1):
            if self.scope.locals[place][0] == variable:
                return parse(self.scope.locals[place][1]), place
        return None


class _Rewrite:
    def __init__(self, resolver: Resolver, before: int, depth: int) -> None:
        self.resolver = resolver
        self.scope = resolver.scope
        self.before = before
        self.depth = depth

    def value(self, node: ast.expr) -> Value:
        return self.resolver.value(node, self.before, self.depth)

    def rewrite(self, node: ast.expr) -> Value:
        match node:
            case ast.Constant(value=bool() | int()):
                return Value(node)
            case ast.Constant(value=float()):
                return Value(node, True)
            case ast.Name(id=variable):
                return self._variable(variable)
            case ast.BinOp():
                return _binary(self.value(node.left), node.op, self.value(node.right))
            case ast.UnaryOp():
                operand = self.value(node.operand)
                return Value(_folded(ast.UnaryOp(node.op, operand.node)), operand.is_float)
            case ast.Compare():
                sides = [self.value(side).node for side in (node.left, *node.comparators)]
                return Value(ast.Compare(sides[0], node.ops, sides[1:]))
            case ast.BoolOp():
                return Value(ast.BoolOp(node.op, [self.value(v).node for v in node.values]))
            case ast.IfExp():
                then, other = self.value(node.body), self.value(node.orelse)
                is_float = then.is_float or other.is_float
                return Value(ast.IfExp(self.value(node.test).node, then.node, other.node), is_float)
            case ast.Subscript():
                return self._item(node)
            case ast.Attribute():
                return self._member(node)
            case ast.Call(func=ast.Attribute()):
                return self._method(node)
            case ast.Call(func=ast.Name(id=function)):
                return self._call(function, node.args)
        raise UnresolvedError(ast.unparse(node))

    def _variable(self, variable: str) -> Value:
        found = self.resolver.local(variable, self.before)
        if found is None:
            raise UnresolvedError(variable)
        initialiser, place = found
        return self.resolver.value(initialiser, place, self.depth)

    def _array(self, node: ast.expr) -> ArrayName:
        known = self.scope.arrays.get(key(node))
        if known is None:
            raise UnresolvedError(ast.unparse(node))
        return known

    def _item(self, node: ast.Subscript) -> Value:
        """`x.sizes()[1]`, `shape[1]` of a local `auto shape = x.sizes()`, `sizes[0]` of a brace list."""
        owner = node.value
        if isinstance(owner, ast.Name) and (found := self.resolver.local(owner.id, self.before)):
            owner = found[0]
        match owner:
            case (
                ast.Call(func=ast.Attribute(value=array, attr="sizes"))
                | ast.Attribute(value=array, attr="shape")
            ):
                return Value(ast.Subscript(self._array(array).shape, self.value(node.slice).node, ast.Load()))
            case ast.Tuple(elts=items):
                index = self.value(node.slice).node
                if (
                    isinstance(index, ast.Constant)
                    and isinstance(index.value, int)
                    and index.value < len(items)
                ):
                    return self.value(items[index.value])
        raise UnresolvedError(ast.unparse(node))

    def _member(self, node: ast.Attribute) -> Value:
        """`grid.x` of a dim3 local."""
        if isinstance(node.value, ast.Name) and node.attr in ("x", "y", "z"):
            found = self.resolver.local(node.value.id, self.before)
            if found is not None:
                initialiser, place = found
                sizes, index = dim3_sizes(initialiser), "xyz".index(node.attr)
                size = sizes[index] if index < len(sizes) else constant(1)
                return self.resolver.value(size, place, self.depth)
        raise UnresolvedError(ast.unparse(node))

    def _method(self, node: ast.Call) -> Value:
        assert isinstance(node.func, ast.Attribute)
        owner, method = node.func.value, node.func.attr
        array = self._array(owner)
        if method == "numel" or (method in ("size", "length") and not node.args):
            return Value(array.size)
        if method == "size" and len(node.args) == 1:
            return Value(ast.Subscript(array.shape, self.value(node.args[0]).node, ast.Load()))
        if method in ("dim", "ndimension") and not node.args:
            return Value(array.ndim)
        raise UnresolvedError(ast.unparse(node))

    def _call(self, function: str, arguments: list[ast.expr]) -> Value:
        base, _, template = function.partition("<")
        base = base.strip()
        if function == "sizeof":
            return self._sizeof(arguments[0])
        if base in self.scope.functions:
            return self._inlined(self.scope.functions[base], arguments)
        if base == "static_cast":
            return self._cast(template.removesuffix(">"), arguments)
        if function.startswith("("):
            return self._cast(function.strip("()"), arguments)
        if dtype_of_cxx(function) is not None:
            return self._cast(function, arguments)
        name_only = base.rpartition("::")[2]
        if name_only in ("min", "max"):
            items = (
                arguments[0].elts
                if len(arguments) == 1 and isinstance(arguments[0], ast.Tuple)
                else arguments
            )
            values = [self.value(item) for item in items]
            return Value(call(name_only, *(v.node for v in values)), any(v.is_float for v in values))
        if name_only in _MATH:
            return self._math(_MATH[name_only], arguments)
        if name_only.lower() in _CEILING_DIVISION and len(arguments) == 2:
            return _ceiling_division(*(self.value(a) for a in arguments))
        raise UnresolvedError(function)

    def _cast(self, type_: str, arguments: list[ast.expr]) -> Value:
        dtype = dtype_of_cxx(type_)
        if dtype is None or len(arguments) != 1:
            raise UnresolvedError(type_)
        value = self.value(arguments[0])
        if "float" in dtype:
            return Value(value.node, True)
        return Value(as_integer(value))

    def _math(self, function: str, arguments: list[ast.expr]) -> Value:
        values = [self.value(a) for a in arguments]
        if function in ("ceil", "floor") and not values[0].is_float:
            return Value(values[0].node, True)
        return Value(call(f"math.{function}", *(v.node for v in values)), True)

    def _sizeof(self, operand: ast.expr) -> Value:
        type_ = str(ast.literal_eval(operand))
        if type_ in self.scope.types:
            return Value(ast.Attribute(name(self.scope.types[type_]), "size", ast.Load()))
        size = sizeof_cxx(type_)
        if size is None:
            raise UnresolvedError(f"sizeof({type_})")
        return Value(constant(size))

    def _inlined(self, function: HostFunction, arguments: list[ast.expr]) -> Value:
        """A call of a host function or macro that is one expression."""
        if len(function.parameters) != len(arguments):
            raise UnresolvedError(function.name)
        values = {key(name(p)): self.value(a) for p, a in zip(function.parameters, arguments, strict=True)}
        scope = Scope(values, {}, self.scope.types, (), self.scope.functions)
        return Resolver(scope).value(parse(function.result), depth=self.depth)


def dim3_sizes(node: ast.expr) -> Sequence[ast.expr]:
    """The one to three sizes of a dim3's initialiser."""
    match node:
        case ast.Call(func=ast.Name(id="dim3"), args=sizes) | ast.Tuple(elts=sizes):
            return sizes
    return [node]


def as_integer(value: Value) -> ast.expr:
    """A value converted to an integer, as C does: towards zero."""
    if not value.is_float:
        return value.node
    node = value.node
    if isinstance(node, ast.Call) and ast.unparse(node.func) in ("math.ceil", "math.floor"):
        return node
    return call("int", node)


def _binary(left: Value, operation: ast.operator, right: Value) -> Value:
    is_float = left.is_float or right.is_float
    if isinstance(operation, ast.Div) and not is_float:
        operation = ast.FloorDiv()
    return Value(_folded(ast.BinOp(left.node, operation, right.node)), is_float)


def _ceiling_division(left: Value, right: Value) -> Value:
    less_one = _folded(ast.BinOp(right.node, ast.Sub(), constant(1)))
    return _binary(_binary(left, ast.Add(), Value(less_one)), ast.Div(), right)


def _folded(node: ast.BinOp | ast.UnaryOp) -> ast.expr:
    """The value itself where all operands are integer literals."""
    operands = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.operand]
    values = [o.value for o in operands if isinstance(o, ast.Constant) and isinstance(o.value, int)]
    compute = FOLDS.get(type(node.op))
    if compute is None or len(values) < len(operands):
        return node
    try:
        return constant(compute(*values))
    except (ArithmeticError, ValueError) as error:
        raise UnresolvedError(ast.unparse(node)) from error
