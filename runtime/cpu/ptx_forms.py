"""One PTX instruction as a C++ statement: the rows of ptx_table.py, and the forms that no row can say."""

import re

from cu2mlx.runtime.cpu.ptx_table import (
    ACTIONS,
    ATOMICS,
    COMPARISONS,
    EXPRESSIONS,
    FUNCTIONS,
    HINTS,
    ROUNDINGS,
    SPECIAL,
    TYPES,
    WRAPPING,
)

_HINT = re.compile(r"L[12]::.*|level::.*|cache_hint")


class UnknownInstructionError(Exception):
    """An instruction (or a form of it) that the table does not have."""


def statement(opcode: str, operands: list[str]) -> str:
    """C++ for one instruction. `operands` name C++ registers, special registers (%laneid) or numbers."""
    root, *modifiers = opcode.split(".")
    kept = [m for m in modifiers if m not in HINTS and not _HINT.fullmatch(m)]
    types = [m for m in kept if m in TYPES]
    if "L2::cache_hint" in modifiers:
        operands = operands[:-1]  # the policy
    if root == "createpolicy":
        return f"{operands[0]} = ::cudashim::ptx::Register{{0}};"
    name = ".".join([root, *(m for m in kept if m not in TYPES)])
    for form in (_memory, _atomic, _conversion, _compare, _shuffle, _vector_move, _wide, _plain, _matrix):
        if (text := form(name, types, operands)) is not None:
            return f"{{ using namespace ::cudashim; using namespace ::cudashim::ptx; {text} }}"
    raise UnknownInstructionError(f"{opcode} is not covered")


def value(operand: str, type_name: str = "") -> str:
    """A source operand as a Register."""
    if operand in SPECIAL:
        return f"Register::of({SPECIAL[operand]})"
    if special := re.fullmatch(r"0[fF]([0-9a-fA-F]{8})|0[dD]([0-9a-fA-F]{16})", operand):
        return f"Register{{0x{special[1] or special[2]}ull}}"
    if re.fullmatch(r"-?\d+\.\d*(e[+-]?\d+)?", operand):
        return f"Register::of<{TYPES.get(type_name, 'float')}>({operand})"
    if re.fullmatch(r"-?(0x[0-9a-fA-F]+|\d+)U?", operand):
        number = f"uint64_t({operand.rstrip('U')}ll)"
        return (
            f"Register::of<{TYPES[type_name]}>({operand})"
            if type_name in ("f32", "f64")
            else f"Register{{{number}}}"
        )
    if operand.startswith("%"):
        raise UnknownInstructionError(f"the register {operand} is not covered")
    return operand if not operand.startswith("!") else f"Register{{!{operand[1:]}.bits}}"


def _lambda(result: str, arguments: list[tuple[str, str]], expression: str) -> str:
    """An expression of the named arguments, each (register, type), applied at once."""
    names = "abc"[: len(arguments)]
    parameters = ", ".join(
        f"{type_name} {name}" for name, (_, type_name) in zip(names, arguments, strict=True)
    )
    call = ", ".join(f"{register}.as<{type_name}>()" for register, type_name in arguments)
    return f"Register::of<{result}>([&]({parameters}) -> {result} {{ return {expression}; }}({call}))"


def _plain(name: str, types: list[str], operands: list[str]) -> str | None:
    ptx_type = types[-1] if types else "b32"
    if name in ACTIONS:
        if name in ("bar", "barrier", "barrier.cta") and len(operands) > 1:
            raise UnknownInstructionError("a named barrier for some threads is not covered")
        return ACTIONS[name].format(*[value(o) for o in operands])
    sources = [value(o, ptx_type) for o in operands[1:]]
    if name in FUNCTIONS:
        function = FUNCTIONS[name].format(T=TYPES[types[0] if types else "b32"], S=TYPES[ptx_type])
        return f"{operands[0].split('|')[0]} = {function}({', '.join(sources)});"
    if name not in EXPRESSIONS:
        return None
    wrapping = name in WRAPPING and ptx_type[0] == "s"
    cpp = TYPES["u" + ptx_type[1:] if wrapping else ptx_type]
    result = "uint32_t" if name in ("popc", "clz", "bfind") else cpp
    return f"{operands[0]} = {_lambda(result, [(s, cpp) for s in sources], EXPRESSIONS[name])};"


def _wide(name: str, types: list[str], operands: list[str]) -> str | None:
    """mul.wide and mad.wide: a result of twice the width."""
    if name not in ("mul.wide", "mad.wide"):
        return None
    narrow, wide = TYPES[types[0]], TYPES[types[0][0] + str(2 * int(types[0][1:]))]
    arguments = [(value(o), narrow if i < 2 else wide) for i, o in enumerate(operands[1:])]
    expression = f"{wide}(a) * {wide}(b)" + (" + c" if len(arguments) > 2 else "")
    return f"{operands[0]} = {_lambda(wide, arguments, expression)};"


def _compare(name: str, types: list[str], operands: list[str]) -> str | None:
    root, *rest = name.split(".")
    if root not in ("setp", "set") or not rest or rest[0] not in COMPARISONS:
        return None
    cpp = TYPES[types[-1]]
    condition = _lambda("bool", [(value(o, types[-1]), cpp) for o in operands[1:3]], COMPARISONS[rest[0]])
    if root == "set":
        one = "1.0f" if types[0] == "f32" else "0xffffffffu"
        return f"{operands[0]} = {condition}.bits ? Register::of({one}) : Register{{0}};"
    targets = operands[0].split("|")
    text = f"Register condition = {condition};"
    if len(rest) > 1:
        combined = {"and": "&", "or": "|", "xor": "^"}[rest[1]]
        other = value(operands[3])
        text += f" {targets[0]} = Register{{condition.bits {combined} {other}.bits}};"
        return text + (
            f" {targets[1]} = Register{{!condition.bits {combined} {other}.bits}};" if targets[1:] else ""
        )
    return (
        text
        + f" {targets[0]} = condition;"
        + (f" {targets[1]} = Register{{!condition.bits}};" if targets[1:] else "")
    )


def _conversion(name: str, types: list[str], operands: list[str]) -> str | None:
    root, *modifiers = name.split(".")
    if root != "cvt":
        return None
    if not set(modifiers) <= {*ROUNDINGS, "sat", "relu"}:
        return None
    mode = next((ROUNDINGS[m] for m in modifiers if m in ROUNDINGS), "nearest_even")
    whole = "true" if any(m in ("rni", "rzi", "rmi", "rpi") for m in modifiers) else "false"
    target, source = types[0], types[-1]
    flags = f"Round::{mode}, {whole}, {str('sat' in modifiers).lower()}, {str('relu' in modifiers).lower()}"
    sources = [value(o, source) for o in operands[1:]]
    if target in ("f16x2", "bf16x2"):  # the first source goes into the upper half
        half = TYPES[target.removesuffix("x2")]
        high, low = (f"convert<{half}, {TYPES[source]}>({s}, {flags})" for s in sources)
        return f"{operands[0]} = Register{{{low}.bits | {high}.bits << 16}};"
    return f"{operands[0]} = convert<{TYPES[target]}, {TYPES[source]}>({sources[0]}, {flags});"


def _vector(operand: str) -> list[str]:
    return [part.strip() for part in operand.strip("{} ").split(",")]


def _vector_move(name: str, types: list[str], operands: list[str]) -> str | None:
    """mov between a register and its parts: {lo, hi}."""
    if name != "mov" or not any(o.startswith("{") for o in operands):
        return None
    packs = operands[1].startswith("{")
    parts = _vector(operands[1] if packs else operands[0])
    bits = int(types[0][1:]) // len(parts)
    if packs:
        joined = " | ".join(
            f"uint64_t({value(p)}.as<uint{bits}_t>()) << {i * bits}" for i, p in enumerate(parts)
        )
        return f"{operands[0]} = Register{{{joined}}};"
    whole = f"const Register whole = {value(operands[1])}; "
    return whole + " ".join(
        f"{p} = Register{{uint64_t(uint{bits}_t(whole.bits >> {i * bits}))}};"
        for i, p in enumerate(parts)
        if p != "_"
    )


def _address(operand: str, space: str) -> str:
    inner = operand.strip("[] ")
    register, _, offset = inner.partition("+")
    base = f"::cudashim::ptx::address<{str(space.startswith('shared')).lower()}>({value(register.strip())})"
    return f"{base} + ({offset.strip()})" if offset else base


def _memory(name: str, types: list[str], operands: list[str]) -> str | None:
    """ld, st, cp.async."""
    root, *rest = name.split(".")
    if name.startswith("cp.async.shared"):
        target, source = _address(operands[0], "shared"), _address(operands[1], "global")
        size = value(operands[2])
        kept = value(operands[3]) if len(operands) > 3 else size
        return f"::cudashim::ptx::copy({target}, {source}, {size}.bits, {kept}.as<uint32_t>());"
    if root not in ("ld", "st", "ldu"):
        return None
    space = next((m for m in rest if m not in ("v2", "v4", "v8")), "")
    if not set(rest) <= {"v2", "v4", "v8", "global", "shared", "shared::cta", "local", "const", "param"}:
        return None
    cpp = TYPES[types[-1]]
    loads = root != "st"
    parts, place = (_vector(operands[0]), operands[1]) if loads else (_vector(operands[1]), operands[0])
    text = f"char* const place = {_address(place, space)};"
    for i, part in enumerate(parts):
        text += (
            f" {part} = ::cudashim::ptx::load<{cpp}>(place, {i});"
            if loads
            else f" ::cudashim::ptx::store<{cpp}>(place, {i}, {value(part, types[-1])});"
        )
    return text


def _atomic(name: str, types: list[str], operands: list[str]) -> str | None:
    root, *rest = name.split(".")
    operation = next((m for m in rest if m in ATOMICS), None)
    if root not in ("atom", "red") or operation is None:
        return None
    space = "shared" if any(m.startswith("shared") for m in rest) else ""
    cpp = TYPES[types[-1]]
    place, *values = operands[1:] if root == "atom" else operands
    captured = " ".join(
        f"const {cpp} {n} = {value(v, types[-1])}.as<{cpp}>();" for n, v in zip("bc", values, strict=False)
    )
    update = (
        f"atomic_update(reinterpret_cast<{cpp}*>({_address(place, space)}), "
        f"[&]({cpp} old) -> {cpp} {{ return {ATOMICS[operation]}; }})"
    )
    return (
        f"{captured} {update};"
        if root == "red"
        else f"{captured} {operands[0]} = Register::of<{cpp}>({update});"
    )


def _shuffle(name: str, types: list[str], operands: list[str]) -> str | None:
    modes = {"shfl.up": "up", "shfl.down": "down", "shfl.bfly": "butterfly", "shfl.idx": "indexed"}
    if name not in modes:
        return None
    target, _, predicate = operands[0].partition("|")
    sources = ", ".join(value(o) for o in operands[1:])
    text = f"Register inside; {target.strip()} = shfl(ShuffleMode::{modes[name]}, inside, {sources});"
    return text + (f" {predicate.strip()} = inside;" if predicate else "")


def _matrix(name: str, types: list[str], operands: list[str]) -> str | None:
    """ldmatrix and mma: each operand is a list of registers."""
    if name.startswith("ldmatrix") and "m8n8" in name:
        targets = _vector(operands[0])
        transposed = str(".trans" in name).lower()
        references = ", ".join(f"&{target}" for target in targets)
        row = _address(operands[1], "shared")
        return (
            f"Register* const targets[] = {{{references}}}; "
            f"load_matrix<{len(targets)}>(targets, {row}, {transposed});"
        )
    shape = re.search(r"\.m(\d+)n(\d+)k(\d+)", name)
    if not name.startswith("mma.") or shape is None or ".row.col" not in name or len(types) != 4:
        return None
    results, *sources = (_vector(operand) for operand in operands)
    lists = [
        f"const Register {letter}[] = {{{', '.join(value(register, kind) for register in registers)}}};"
        for letter, registers, kind in zip("abc", sources, types[1:], strict=True)
    ]
    references = ", ".join(f"&{register}" for register in results)
    arguments = ", ".join([*shape.groups(), *(TYPES[kind] for kind in types[:3])])
    return f"{' '.join(lists)} Register* const d[] = {{{references}}}; multiply<{arguments}>(d, a, b, c);"
