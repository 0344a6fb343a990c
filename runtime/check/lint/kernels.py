"""Kernels: their parameters with attributes, their result, their threadgroup variables."""

from collections.abc import Iterator

from cu2mlx.runtime.check.lint.attributes import INDICES, POSITIONS, RESOURCES
from cu2mlx.runtime.check.lint.note import Note
from cu2mlx.runtime.check.outline import Attribute, Function, Outline, Parameter
from cu2mlx.runtime.check.rewrite import declared_names, threadgroup_declarations
from cu2mlx.runtime.check.tokens import ADDRESS_SPACES, QUALIFIERS, Token

MAXIMUM_BUFFERS = 31
_INTEGERS = {"uint", "ushort", "uint32_t", "uint16_t", "unsigned int", "unsigned short", "unsigned"}
_VECTORS = {f"{name}{n}" for name in ("uint", "ushort") for n in (2, 3)} | {
    f"vec<{name},{n}>" for name in ("uint", "ushort", "uint32_t", "uint16_t") for n in (2, 3)
}
_OTHER_TYPES = {"int", "short", "char", "uchar", "long", "ulong", "size_t", "float", "half", "bool", "bfloat"}
_SYNONYMS = {"thread_execution_width": "threads_per_simdgroup"}
_WRONG = (
    _OTHER_TYPES
    | {f"{name}{n}" for name in _OTHER_TYPES for n in (2, 3, 4)}
    | {"uint4", "ushort4", "int32_t", "int64_t", "uint64_t"}
)


def run(outline: Outline) -> Iterator[Note]:
    for function in outline.functions:
        if function.kernel:
            yield from _result(function)
            yield from _parameters(function)
            yield from _initialised(function)


def _result(kernel: Function) -> Iterator[Note]:
    words = [token.text for token in kernel.head]
    if kernel.head and "void" not in words:
        yield Note(kernel.name.start, "kernel-result", f"kernel '{kernel.name.text}' must return void")


def _initialised(kernel: Function) -> Iterator[Note]:
    for statement, _ in threadgroup_declarations(kernel):
        for name, _, equals in declared_names(statement):
            if equals is not None:
                message = f"threadgroup variable '{name.text}' cannot be initialised"
                yield Note(
                    equals.start, "threadgroup-initialiser", message, "assign in one thread, then a barrier"
                )


def _parameters(kernel: Function) -> Iterator[Note]:
    slots: dict[tuple[str, str], Token] = {}
    values: set[str] = set()
    buffers = 0
    for parameter in kernel.parameters:
        if not parameter.tokens or parameter.tokens[0].text in ("void", "..."):
            continue
        yield from _space(parameter)
        buffers += _is_pointer(parameter) and not any(t.text == "threadgroup" for t in parameter.tokens)
        for attribute in parameter.attributes:
            if attribute.name in POSITIONS | INDICES:
                yield from _value(parameter, attribute, values)
            elif attribute.name in ("buffer", "threadgroup"):
                yield from _slot(parameter, attribute, slots)
    if buffers > MAXIMUM_BUFFERS:
        message = f"kernel '{kernel.name.text}' has {buffers} buffers; the limit is {MAXIMUM_BUFFERS}"
        yield Note(kernel.name.start, "buffer-index", message, "gather scalars in one struct or array")


def _is_pointer(parameter: Parameter) -> bool:
    return any(token.text in ("*", "&", "[") for token in parameter.tokens)


def _label(parameter: Parameter) -> str:
    return f"kernel parameter '{parameter.name.text}'" if parameter.name else "this kernel parameter"


def _space(parameter: Parameter) -> Iterator[Note]:
    """A kernel takes pointers and references to memory of a buffer, and values that carry an attribute."""
    start = parameter.tokens[0].start
    if not _is_pointer(parameter):
        names = {attribute.name for attribute in parameter.attributes}
        if "buffer" in names:
            hint = "write `const constant T& name [[buffer(n)]]`"
            yield Note(
                start, "kernel-parameter", f"{_label(parameter)} is a value and cannot be a buffer", hint
            )
        elif not names & (POSITIONS | INDICES | RESOURCES) and not names and not _opaque(parameter):
            hint = (
                "write `const constant T& name`, or give it an attribute such as [[thread_position_in_grid]]"
            )
            yield Note(start, "kernel-parameter", f"{_label(parameter)} is a value without attribute", hint)
        return
    words = [token.text for token in parameter.tokens]
    if words.count("*") + words.count("[") > 1 and "(" not in words:
        yield Note(
            start,
            "pointer-to-pointer",
            f"{_label(parameter)} is a pointer to a pointer",
            "pass one buffer for each array, or one buffer and offsets",
        )
    elif "thread" in words:
        hint = "kernel parameters lie in device, constant or threadgroup memory"
        yield Note(start, "kernel-parameter", f"{_label(parameter)} points to thread memory", hint)


def _opaque(parameter: Parameter) -> bool:
    """Textures and samplers are values that find their own slot."""
    return any(token.text.startswith(("texture", "sampler", "depth")) for token in parameter.tokens)


def _type(parameter: Parameter) -> str:
    words = [t.text for t in parameter.tokens if t is not parameter.name]
    kept = [w for w in words if w not in QUALIFIERS | ADDRESS_SPACES | {"metal", "::"}]
    return " ".join(kept) if "<" not in kept else "".join(kept)


def _value(parameter: Parameter, attribute: Attribute, seen: set[str]) -> Iterator[Note]:
    name = _SYNONYMS.get(attribute.name, attribute.name)
    if name in seen:
        message = f"the value of '{attribute.name}' is given to two parameters"
        yield Note(attribute.start, "duplicate-attribute", message, "use one parameter for both")
    seen.add(name)
    kind = _type(parameter)
    vectors = _VECTORS if attribute.name in POSITIONS else set()
    wrong = kind in _WRONG or (kind in _VECTORS and not vectors)
    if _is_pointer(parameter) or (wrong and kind not in _INTEGERS | vectors):
        allowed = "uint, uint2, uint3, ushort, ushort2 or ushort3" if vectors else "uint or ushort"
        message = f"attribute '{attribute.name}' needs {allowed}, not '{kind}'"
        yield Note(attribute.start, "attribute-type", message)


def _slot(parameter: Parameter, attribute: Attribute, slots: dict[tuple[str, str], Token]) -> Iterator[Note]:
    index = "".join(token.text for token in attribute.arguments)
    name = parameter.name or parameter.tokens[-1]
    if not index:
        message = f"attribute '{attribute.name}' needs an index"
        yield Note(attribute.start, "buffer-index", message, f"write [[{attribute.name}(0)]]")
        return
    if index.isdigit() and int(index) >= MAXIMUM_BUFFERS:
        message = f"{attribute.name} index {index} is over the limit of {MAXIMUM_BUFFERS - 1}"
        yield Note(attribute.start, "buffer-index", message)
    if other := slots.get((attribute.name, index)):
        message = f"{attribute.name} index {index} is taken by '{other.text}'"
        yield Note(attribute.start, "duplicate-index", message, "number the parameters 0, 1, 2 …")
    slots[attribute.name, index] = name
    words = {token.text for token in parameter.tokens}
    if attribute.name == "threadgroup" and _is_pointer(parameter) and not words & {"threadgroup"}:
        yield Note(attribute.start, "attribute-type", "attribute 'threadgroup' needs a threadgroup pointer")
    if attribute.name == "buffer" and "threadgroup" in words:
        yield Note(attribute.start, "attribute-type", "attribute 'buffer' needs device or constant memory")
