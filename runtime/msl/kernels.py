"""Kernel signatures of an MSL text, as MLX and hand-written .metal files spell them."""

from collections.abc import Sequence
from dataclasses import dataclass

from cu2mlx.runtime.msl.attributes import Attribute, read_attributes
from cu2mlx.runtime.msl.scopes import ADDRESS_SPACES, Declaration, Role, Scopes, scopes_of
from cu2mlx.runtime.msl.tokens import Kind, Token, depths, line_of, split_commas, text_of


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a kernel: `type` as written without address space and attributes ("const float*")."""

    name: str
    type: str
    address_space: str | None
    attributes: tuple[Attribute, ...]

    @property
    def is_pointer(self) -> bool:
        return self.type.rstrip().endswith("*")

    @property
    def is_reference(self) -> bool:
        return self.type.rstrip().endswith("&")

    @property
    def is_buffer(self) -> bool:
        """A buffer that the caller binds (device or constant), not threadgroup memory or a builtin."""
        return (self.is_pointer or self.is_reference) and self.address_space in ("device", "constant")

    def attribute(self, name: str) -> str | None:
        """The argument of an attribute ("" if it has none); None if the parameter lacks it."""
        return next((each.argument for each in self.attributes if each.name == name), None)


@dataclass(frozen=True, slots=True)
class Kernel:
    """`template`: the names of its template parameters, empty if it is none. `line` is where it is defined."""

    name: str
    template: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    line: int

    def buffers(self) -> list[Parameter]:
        """Buffer parameters in the order of their indices; those without one take the free ones in turn."""
        buffers = [each for each in self.parameters if each.is_buffer]
        given = {int(index) for each in buffers if (index := each.attribute("buffer"))}
        free = (index for index in range(len(buffers) + len(given)) if index not in given)
        places = [int(each.attribute("buffer") or next(free)) for each in buffers]
        return [buffer for _, buffer in sorted(zip(places, buffers, strict=True), key=lambda pair: pair[0])]


@dataclass(frozen=True, slots=True)
class Instantiation:
    """`template [[host_name("h")]] [[kernel]] … k<float>(…)`: `entry` is "k<float>"."""

    host_name: str
    entry: str


def read_kernels(text: str) -> list[Kernel]:
    """The kernels defined in a text."""
    scopes = scopes_of(text)
    return [kernel for each in scopes.declarations if (kernel := _kernel(text, scopes, each))]


def read_instantiations(text: str) -> list[Instantiation]:
    """The explicit instantiations with a [[host_name("…")]]."""
    scopes = scopes_of(text)
    return [found for each in scopes.declarations if (found := _instantiation(text, scopes, each))]


def find_kernel(text: str, entry: str) -> tuple[Kernel, str]:
    """The kernel that `entry` names and the entry as C++ ("k<float, 128>"); entry may be a host name.

    Raises LookupError naming the kernels there are.
    """
    for instantiation in read_instantiations(text):
        if instantiation.host_name == entry:
            entry = instantiation.entry
    base = entry.split("<", 1)[0].strip().rsplit("::", 1)[-1]
    kernels = read_kernels(text)
    for kernel in kernels:
        if kernel.name == base:
            return kernel, entry
    names = ", ".join(kernel.name for kernel in kernels) or "none"
    raise LookupError(f"the text has no kernel {base!r}; its kernels: {names}")


def is_instantiation(scopes: Scopes, declaration: Declaration) -> bool:
    """An explicit instantiation of a template: `template` without parameters after it."""
    tokens = scopes.tokens
    return tokens[declaration.start].text == "template" and tokens[declaration.start + 1].text != "<"


def _kernel(text: str, scopes: Scopes, declaration: Declaration) -> Kernel | None:
    if declaration.role is not Role.FUNCTION or is_instantiation(scopes, declaration):
        return None
    head = scopes.tokens[declaration.start : declaration.body]
    attributes, plain = read_attributes(head)
    marked = any(each.name == "kernel" for each in attributes)
    if not marked and not any(token.text == "kernel" for token in plain):
        return None
    names, rest = _template(plain)
    opening = next((i for i, token in enumerate(rest) if token.text == "("), None)
    if opening is None:
        return None
    # The parameters with their attributes: from this parenthesis on in the head that still has them.
    first = next(i for i, token in enumerate(head) if token is rest[opening])
    closing = scopes.pairs[declaration.start + first] - declaration.start
    parameters = [_parameter(text, part) for part in split_commas(head[first + 1 : closing])]
    name = rest[opening - 1]
    return Kernel(name.text, tuple(names), tuple(parameters), line_of(text, name.start))


def _template(tokens: Sequence[Token]) -> tuple[list[str], Sequence[Token]]:
    """The names of the template parameters, and the tokens after them."""
    if not tokens or tokens[0].text != "template":
        return [], tokens
    for index, depth in enumerate(depths(tokens[1:]), 1):
        if depth == (0, 0):
            names = []
            for part in split_commas(tokens[2:index]):
                until = next((i for i, each in enumerate(part) if each.text == "="), len(part))
                words = [each.text for each in part[:until] if each.kind is Kind.WORD]
                names.append(words[-1] if words else "")
            return names, tokens[index + 1 :]
    return [], tokens


def _parameter(text: str, tokens: Sequence[Token]) -> Parameter:
    attributes, plain = read_attributes(tokens)
    space = next((token.text for token in plain if token.text in ADDRESS_SPACES), None)
    kept = [token for token in plain if token.text not in ADDRESS_SPACES]
    until = next((i for i, token in enumerate(kept) if token.text in ("[", "=")), len(kept))
    name = kept[until - 1].text if until else ""
    type_text = " ".join(token.text for token in kept[: until - 1])
    return Parameter(name, type_text, space, tuple(attributes))


def _instantiation(text: str, scopes: Scopes, declaration: Declaration) -> Instantiation | None:
    if not is_instantiation(scopes, declaration):
        return None
    attributes, plain = read_attributes(scopes.tokens[declaration.start + 1 : declaration.body])
    host_name = next((each.argument for each in attributes if each.name == "host_name"), None)
    if host_name is None:
        return None
    # The entry is the last `name<…>`; its parameters in parentheses may follow.
    starts = [i for i, depth in enumerate(depths(plain)) if plain[i].text == "<" and depth == (0, 1)]
    ends = [i for i, depth in enumerate(depths(plain)) if plain[i].text == ">" and depth == (0, 0)]
    if not starts or not ends:
        return None
    return Instantiation(host_name.strip('"'), text_of(text, plain[starts[-1] - 1 : ends[-1] + 1]))
