"""A backward kernel's call inside a differentiable function: what each argument and keyword of it is."""

import re
from collections.abc import Iterator, Mapping

from cu2mlx.transpiler.binding.dtypes import ITEM_SIZE
from cu2mlx.transpiler.binding.function import KernelFunction
from cu2mlx.transpiler.binding.gradient import Pass, Use, written_name
from cu2mlx.transpiler.binding.interface import Parameter, Role
from cu2mlx.transpiler.binding.names import python_names
from cu2mlx.transpiler.binding.signature import OUTPUT_ROLES

LAUNCH = ("grid: Size | None = None", "block: Size | None = None")


def name_of(declaration: str) -> str:
    return declaration.partition(":")[0]


class BackwardCall:
    """`own` and `taken` are the forward kernel's Python names and all that stand for its arrays and numbers."""

    def __init__(
        self, made: Pass, function: KernelFunction, prefix: str, own: Mapping[str, str], taken: set[str]
    ) -> None:
        self.uses = made.uses
        self.function = function.function
        self.declared = (*LAUNCH, *function.keywords)
        names = python_names(made.kernel)
        self.theirs, self.shape_keywords = names.parameters, names.shapes
        self.templates = {self.theirs[t.name] for t in made.kernel.template}
        self.prefix = prefix
        self.own = own
        self.taken = taken

    def keywords(
        self, known: Mapping[str, str], numbers: Mapping[str, Parameter]
    ) -> Iterator[tuple[str, str, str]]:
        """Keyword, the variable passed for it, and that variable's declaration.

        Template values that two kernels declare alike, or that are a number of the forward kernel, are the same;
        other keywords are each kernel's own. `known`: keywords that the function has so far.
        """
        for declaration in self.declared:
            name = name_of(declaration)
            if name == "init_value" or declaration.endswith("mx.Dtype | None = None"):
                continue  # gradients start at zero; a dtype is that of the arrays
            is_shared = name in self.templates and (name in numbers or known.get(name) == declaration)
            is_free = name not in known and name not in self.taken
            variable = name if is_shared or is_free else f"{self.prefix}_{name}"
            yield name, variable, declaration.replace(name, variable, 1)

    def arguments(self, cotangents: Mapping[Parameter, str]) -> Iterator[str]:
        """What is passed by position."""
        for use in self.uses:
            if use.parameter.role is not Role.OUT:
                yield self._given(use, cotangents)

    @property
    def starts_at_zero(self) -> bool:
        return any(name_of(declaration) == "init_value" for declaration in self.declared)

    def _given(self, use: Use, cotangents: Mapping[Parameter, str]) -> str:
        parameter = use.parameter
        if use.cotangent_of is not None:
            differs = is_known(parameter) and parameter.dtype != use.cotangent_of.dtype
            return cotangents[use.cotangent_of] + (f".astype(mx.{parameter.dtype})" if differs else "")
        if use.value is not None:
            return use.value
        assert use.gradient_of is not None
        like = self.own[use.gradient_of.name]
        if is_known(parameter) and parameter.dtype != use.gradient_of.dtype:
            return f"mx.zeros({like}.shape, mx.{parameter.dtype})"
        return f"mx.zeros_like({like})"

    def results(self, values: str) -> list[str]:
        """Variables for what the kernel writes, `_` for what no gradient and no later kernel is made of."""
        written = [use for use in self.uses if use.parameter.role in OUTPUT_ROLES]
        return [
            self.variable(use) if use.gradient_of or uses(values, self.variable(use)) else "_"
            for use in written
        ]

    def variable(self, use: Use) -> str:
        return written_name(self.theirs[use.parameter.name], use, self.taken)

    def cotangents(self) -> dict[Parameter, str]:
        """The variable for each cotangent that the kernel takes."""
        found: dict[Parameter, str] = {}
        for use in self.uses:
            if use.cotangent_of is not None:
                name = self.theirs[use.parameter.name]
                taken = name in self.taken or use.gradient_of is not None
                found[use.cotangent_of] = f"{name}_cotangent" if taken else name
        return found

    def shapes(self, keywords: Mapping[str, str]) -> Iterator[str]:
        """Keywords for the shapes of gradients that are only written."""
        for use in self.uses:
            if use.parameter.role is Role.OUT and use.gradient_of is not None:
                yield keywords[self.shape_keywords[use.parameter.name]]


def is_known(parameter: Parameter) -> bool:
    """Whether the dtype is MLX's own, not a template parameter."""
    return parameter.dtype in ITEM_SIZE


def uses(expressions: str, name: str) -> bool:
    """Whether Python text uses a variable."""
    return re.search(rf"\b{name}\b", expressions) is not None
