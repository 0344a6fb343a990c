"""The one form of a table row: a CUDA name, what it means, and how Metal says it."""

from typing import NamedTuple

from cu2mlx.transpiler.tables.signature import function_name, parameters

# The accuracy of a row whose error stands in measured.json.
MEASURED = "measured"


class Builtin(NamedTuple):
    """One CUDA function and its MSL spelling.

    `signature` is CUDA's own ("float expf(float x)"); overload sets are several rows of one name, the most
    general (a row over `T`) last. `spelling` is a format string over the rendered arguments: `{0}`, `{1}`,
    `{2=32}` (default where the call omits it), `{lane}` and the other index values of `index.HANDED`,
    `{arguments}` (all of them), `{self}` (the object of a method), `{space0}` (the memory argument 0 leads to:
    "device", "threadgroup" …), `{T0}` (its type without the pointer), `{t0}` (first template argument); None means
    refused. Functions of
    the support library are spelt `cu::name`. `narrowed` is the spelling of a refused double function under
    `--double=float`.
    `unused` is the spelling of a refused function where the call's result goes nowhere.
    `code` is the diagnostic raised at each use: a refusal where spelling is None, else a warning or note.
    """

    name: str
    signature: str
    spelling: str | None
    accuracy: str = ""
    caveat: str = ""
    code: str | None = None
    metal: str = "3.1"
    narrowed: str | None = None
    unused: str | None = None

    @property
    def parameter_types(self) -> tuple[str, ...]:
        """The types of CUDA's parameters, without `const`: ("float*", "int"); "..." for any more."""
        return tuple(parameter.type for parameter in parameters(self.signature))

    @property
    def double_only(self) -> bool:
        """Whether the row exists for `double` alone: refused, but with a float form on request."""
        return self.code == "CU3101"


def row(
    signature: str,
    spelling: str,
    accuracy: str = "",
    *,
    caveat: str = "",
    code: str | None = None,
    metal: str = "3.1",
) -> Builtin:
    """A supported function; its name is read off the signature."""
    return Builtin(function_name(signature), signature, spelling, accuracy, caveat, code, metal)


def refused(signature: str, code: str, caveat: str = "", *, unused: str | None = None) -> Builtin:
    """A function that Metal cannot do; `code` says why and what to do instead. `unused`: what it can do."""
    return Builtin(function_name(signature), signature, None, "", caveat, code, unused=unused)


def double(signature: str, narrowed: str | None) -> Builtin:
    """A function of `double`: refused, unless the user asked for float and there is a float form."""
    return Builtin(function_name(signature), signature, None, code="CU3101", narrowed=narrowed)
