"""A spec and one of its cases, worked out: the entry, the launch, the arguments' sizes."""

from dataclasses import dataclass

from cu2mlx.runtime.dtypes import CUDA_TYPES, STORAGE
from cu2mlx.runtime.protocol import Launch
from cu2mlx.runtime.spec.expression import Expression, ExpressionError, Names, Number, evaluate, evaluate_int
from cu2mlx.runtime.spec.model import Argument, Buffer, Case, Scalar, Spec, SpecError, TemplateValue


@dataclass(frozen=True, slots=True)
class ResolvedScalar:
    name: str
    dtype: str
    values: tuple[Number, ...]


@dataclass(frozen=True, slots=True)
class ResolvedBuffer:
    """`names` are what the initialiser's expressions may use; `null`: the kernel gets a null pointer."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    null: bool
    buffer: Buffer
    names: Names


@dataclass(frozen=True, slots=True)
class Resolved:
    """`entry` is the kernel, instantiated: "k<float, 128>"."""

    spec: Spec
    case: Case
    entry: str
    launch: Launch
    arguments: tuple[ResolvedScalar | ResolvedBuffer, ...]

    @property
    def null(self) -> set[str]:
        """The buffers in whose place the kernel gets a null pointer."""
        return {each.name for each in self.arguments if isinstance(each, ResolvedBuffer) and each.null}


def entry(kernel: str, template: tuple[tuple[str, TemplateValue], ...]) -> str:
    """The kernel's name with its template arguments, as C++ writes them."""
    spelled = (str(value).lower() if isinstance(value, bool) else str(value) for _, value in template)
    return f"{kernel}<{', '.join(spelled)}>" if template else kernel


def resolve(spec: Spec, case: Case) -> Resolved:
    """Raises SpecError where an expression has no value or a size makes no sense."""
    return _Resolver(spec, case).resolve()


class _Resolver:
    def __init__(self, spec: Spec, case: Case) -> None:
        self.spec, self.case = spec, case
        self.types: dict[str, str] = {}
        self.numbers: dict[str, Number] = {}
        self.shapes: dict[str, tuple[int, ...]] = {}
        for name, value in case.defines:
            if value.lstrip("-").isdigit():
                self.numbers[name] = int(value)
        for name, template_value in case.template:
            if isinstance(template_value, str):
                self.types[name] = template_value
            else:
                self.numbers[name] = int(template_value)
        self.numbers.update(case.sizes)

    def resolve(self) -> Resolved:
        for name, expression in self.spec.let:
            if name not in self.numbers:  # a case may set it outright
                self.numbers[name] = self.number(f"let.{name}", expression)
        arguments = tuple(self.argument(each) for each in self.spec.arguments)
        launch = Launch(
            grid=self.extent("grid", self.spec.grid, least=0),
            block=self.extent("block", self.spec.block, least=1),
            shared_bytes=self.whole("shared", self.spec.shared, least=0),
        )
        return Resolved(self.spec, self.case, entry(self.spec.kernel, self.case.template), launch, arguments)

    def argument(self, argument: Argument) -> ResolvedScalar | ResolvedBuffer:
        key = f"args.{argument.name}"
        dtype = "struct" if argument.dtype == "struct" else self.dtype(key, argument.dtype)
        if isinstance(argument, Scalar):
            values = tuple(self.number(f"{key}.value", each) for each in argument.values)
            if len(values) == 1:
                self.numbers[argument.name] = values[0]
            return ResolvedScalar(argument.name, dtype, values)
        shape = tuple(self.whole(f"{key}.shape", each, least=0) for each in argument.shape)
        null = argument.null is not None and bool(self.number(f"{key}.null", argument.null))
        self.shapes[argument.name] = shape
        names = Names(dict(self.numbers), dict(self.shapes))
        return ResolvedBuffer(argument.name, dtype, shape, null, argument, names)

    def dtype(self, key: str, dtype: str) -> str:
        if dtype not in self.types:
            if dtype in STORAGE:
                return dtype
            raise self.error(f"{key}.dtype", f"`{dtype}` is not a type in this case; give it a type's name")
        found = CUDA_TYPES.get(self.types[dtype])
        if found is None:
            raise self.error(
                f"{key}.dtype", f"no element type for {self.types[dtype]!r}; write the dtype out"
            )
        return found

    def extent(self, key: str, expressions: tuple[Expression, ...], least: int) -> tuple[int, int, int]:
        values = [self.whole(key, each, least) for each in expressions] + [1, 1]
        return values[0], values[1], values[2]

    def whole(self, key: str, expression: Expression, least: int) -> int:
        try:
            value = evaluate_int(expression, self.names())
        except ExpressionError as error:
            raise self.error(key, str(error)) from None
        if value < least:
            raise self.error(key, f"{expression.text!r} is {value} here, but must be at least {least}")
        return value

    def number(self, key: str, expression: Expression) -> Number:
        try:
            return evaluate(expression, self.names())
        except ExpressionError as error:
            raise self.error(key, str(error)) from None

    def names(self) -> Names:
        return Names(self.numbers, self.shapes)

    def error(self, key: str, message: str) -> SpecError:
        return SpecError(self.spec.path, key, f"{message} (case {self.case.name!r})")
