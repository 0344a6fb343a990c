"""What a spec file says: a kernel, its arguments, its launch, the cases to run, and what counts as equal."""

from collections.abc import Mapping
from dataclasses import dataclass

from cu2mlx.runtime.spec.expression import Expression, Number

TemplateValue = int | bool | str

REQUIRED = None

# Initialiser kinds and their parameters with defaults (REQUIRED: none). The generators are in runtime.inputs.
INITIALISERS: Mapping[str, Mapping[str, Number | None]] = {
    "normal": {"mean": 0.0, "std": 1.0},
    "uniform": {"low": 0.0, "high": 1.0},
    "integers": {"low": 0, "high": REQUIRED},
    "zeros": {},
    "ones": {},
    "constant": {"value": REQUIRED},
    "poison": {},
    "arange": {"start": 0, "step": 1},
    "permutation": {},
    "offsets": {"total": REQUIRED},
    "sorted": {"low": 0, "high": REQUIRED},
    "bits": {},
    "choice": {},  # one of `values`
    "values": {},  # `values`, in order
    "columns": {},  # one initialiser per entry of the last axis
}


@dataclass(frozen=True, slots=True)
class Initialiser:
    """How a buffer is filled: `kind` is a key of INITIALISERS, `parameters` are complete."""

    kind: str
    parameters: tuple[tuple[str, Expression], ...] = ()
    values: tuple[Expression, ...] = ()
    columns: tuple["Initialiser", ...] = ()


@dataclass(frozen=True, slots=True)
class Field:
    """A member of a struct element. `shape` is its array extent, () for a single value."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    initialiser: Initialiser


@dataclass(frozen=True, slots=True)
class Scalar:
    """A by-value parameter; several values make a vector or a plain struct of one type."""

    name: str
    dtype: str
    values: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Buffer:
    """A pointer parameter. `dtype` is a name of runtime.dtypes, a template parameter's name, or "struct"."""

    name: str
    dtype: str
    shape: tuple[Expression, ...]
    initialiser: Initialiser
    output: bool = False
    null: Expression | None = None  # where not 0, the kernel gets a null pointer
    fields: tuple[Field, ...] = ()


Argument = Scalar | Buffer


@dataclass(frozen=True, slots=True)
class ToleranceOverride:
    """Replaces or loosens the table of runtime.compare for one output, and says why."""

    why: str
    operation: str | None = None
    rtol: float | None = None
    atol: float | None = None
    scale: float | None = None
    mismatches: float = 0.0  # the share of elements that may differ (ties, threshold decisions)
    accumulate: str | None = None  # the type of sums and states, where an output is rounded from it once


@dataclass(frozen=True, slots=True)
class Case:
    """One size to run. `sizes` are numbers for expressions; `template` and `defines` override the spec's."""

    name: str
    sizes: tuple[tuple[str, Number], ...]
    template: tuple[tuple[str, TemplateValue], ...]
    defines: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Spec:
    """A whole file. Expressions may use sizes, template ints, `let` names and earlier arguments."""

    path: str
    kernel: str
    description: str
    source: str | None
    includes: tuple[str, ...]
    records: tuple[tuple[str, str], ...]  # by-value records with pointers: parameter name, C++ type
    reference: str | None  # "file.py" or "file.py:function", beside the spec
    operation: str
    let: tuple[tuple[str, Expression], ...]
    arguments: tuple[Argument, ...]
    grid: tuple[Expression, ...]
    block: tuple[Expression, ...]
    shared: Expression
    cases: tuple[Case, ...]
    tolerances: tuple[tuple[str, ToleranceOverride], ...]
    optimize: Mapping[str, object]

    @property
    def outputs(self) -> tuple[str, ...]:
        return tuple(each.name for each in self.arguments if isinstance(each, Buffer) and each.output)

    def case(self, name: str) -> Case:
        for case in self.cases:
            if case.name == name:
                return case
        raise KeyError(
            f"{self.path}: no case {name!r}; there are {', '.join(each.name for each in self.cases)}"
        )


class SpecError(Exception):
    """A spec file that cannot be used: the file, the key, what is wrong, and the way out."""

    def __init__(self, path: str, key: str, message: str) -> None:
        super().__init__(f"{path}: {key}: {message}" if key else f"{path}: {message}")
        self.path, self.key, self.message = path, key, message
