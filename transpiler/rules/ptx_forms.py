"""PTX instructions that are more than one expression: memory, atomics, conversions, comparisons, moves."""

import re
from collections.abc import Callable, Sequence

from cu2mlx.transpiler.model.declarations import Space
from cu2mlx.transpiler.rules.ptx_block import Block, Untranslatable
from cu2mlx.transpiler.syntax.ptx import Instruction, Name, Number, Operand, Pair, Vector
from cu2mlx.transpiler.tables.ptx import (
    ATOMICS,
    COMPARISONS,
    FLOAT_COMPARISONS,
    FROM_INTEGER,
    HINTS,
    INTEGER_NAMES,
    INTEGERS,
    LOGIC,
    ROWS,
    TO_INTEGER,
    TO_WHOLE,
    TYPES,
    UNSIGNED,
    WIDER,
    WIDTHS,
    WRAPPING,
)

Form = Callable[[Instruction, Block], None]
_STATES = ("global", "shared", "local", "const")
_SOURCE = re.compile(r"\{(\d)")


def words(instruction: Instruction) -> list[str]:
    """The opcode's modifiers without types and hints."""
    return [m for m in instruction.opcode[1:] if m not in HINTS and m not in TYPES]


def types_of(instruction: Instruction) -> list[str]:
    return [m for m in instruction.opcode[1:] if m in TYPES]


def one_type(instruction: Instruction) -> str:
    found = types_of(instruction)
    if len(found) != 1:
        raise Untranslatable("this form")
    return found[0]


def operands(instruction: Instruction, least: int, most: int | None = None) -> tuple[Operand, ...]:
    """The operands: `least` to `most` of them, or `least`."""
    if not least <= len(instruction.operands) <= (most or least):
        raise Untranslatable("this number of operands")
    return instruction.operands


def plain(instruction: Instruction, block: Block) -> None:
    """An operation with a row in the table."""
    name = ".".join([instruction.opcode[0], *words(instruction)])
    if name not in ROWS:
        raise Untranslatable("Metal's side of it is not known")
    type_ = one_type(instruction)
    row = next((r for r in ROWS[name] if type_ in r.types), None)
    if row is None:
        raise Untranslatable(f"not for the type .{type_}")
    if instruction.opcode[0] == "activemask":
        block.write(operands(instruction, 1)[0], row.spelling, "uint")
        return
    kind = TYPES[type_]
    if name in WRAPPING:
        kind = UNSIGNED.get(kind, kind)
    target, *sources = operands(instruction, 1 + len(set(_SOURCE.findall(row.spelling))))
    if isinstance(target, Pair):
        raise Untranslatable("a second result")
    given = []
    for index, source in enumerate(sources):
        own = row.sources[index] if index < len(row.sources) else None
        given.append(block.read(source, own or kind))
    block.write(target, row.spelling.format(*given), row.result or kind)


def memory_words(instruction: Instruction) -> tuple[str, int]:
    """State space and number of lanes of a load or store."""
    state, lanes = "", 1
    for word in words(instruction):
        if word in _STATES:
            state = word
        elif word in ("v2", "v4"):
            lanes = int(word[1])
        else:
            raise Untranslatable(f"the modifier .{word}")
    if {"relaxed", "gpu", "cta"} & set(instruction.opcode):
        raise Untranslatable("an ordered load or store")
    return state, lanes


def lane_type(kind: str, lanes: int) -> str:
    if lanes == 1:
        return kind
    if kind[-1].isdigit():
        raise Untranslatable("a vector of pairs")
    return f"{kind}{lanes}"


def load(instruction: Instruction, block: Block) -> None:
    state, lanes = memory_words(instruction)
    kind = TYPES[one_type(instruction)]
    target, source = operands(instruction, 2)
    pointer = block.address(source, state, lane_type(kind, lanes))
    targets = target.items if isinstance(target, Vector) else (target,)
    if len(targets) != lanes:
        raise Untranslatable("this number of destinations")
    if lanes == 1:
        block.write(targets[0], f"*{pointer}", kind)
        return
    value = block.local(lane_type(kind, lanes), f"*{pointer}")
    for lane, each in zip("xyzw", targets, strict=False):
        block.write(each, f"{value}.{lane}", kind)


def store(instruction: Instruction, block: Block) -> None:
    state, lanes = memory_words(instruction)
    kind = TYPES[one_type(instruction)]
    target, source = operands(instruction, 2)
    pointer = block.address(target, state, lane_type(kind, lanes), write=True)
    sources = source.items if isinstance(source, Vector) else (source,)
    if len(sources) != lanes:
        raise Untranslatable("this number of sources")
    values = [block.read(each, kind) for each in sources]
    value = values[0] if lanes == 1 else f"{kind}{lanes}({', '.join(values)})"
    block.lines.append(f"*{pointer} = {value};")


def atomic(instruction: Instruction, block: Block) -> None:
    """atom and red, on the atomics of the support library. All orders but relaxed are refused."""
    state = next((w for w in words(instruction) if w in _STATES), "")
    rest = [w for w in words(instruction) if w not in _STATES]
    type_ = one_type(instruction)
    operation = rest[0] if len(rest) == 1 else ""
    if type_ not in ATOMICS.get(operation, ()):
        raise Untranslatable("no such atomic in Metal" if operation in ATOMICS else "this atomic's form")
    kind = TYPES[type_]
    result: Operand | None = None
    given: Sequence[Operand] = operands(instruction, 2, 4)
    if instruction.opcode[0] == "atom":
        result, *given = given
    target, *sources = given
    pointer = block.address(target, state, kind, write=True)
    values = [block.read(each, kind) for each in sources]
    found = block.space(target, state)
    overload = {Space.INOUT: "inout", Space.DEVICE: f"device {kind}"}.get(found, "")
    block.context.printed.facts.add(f"support:atomic_{operation}({overload})")
    text = f"cu::atomic_{operation}({', '.join([pointer, *values])})"
    if result is None:
        block.lines.append(f"{text};")
    else:
        block.write(result, text, kind)


def async_copy(instruction: Instruction, block: Block) -> None:
    """cp.async copies at once; the bytes behind the source's size become zeros."""
    name = ".".join(words(instruction))
    if name in ("async.commit_group", "async.wait_group", "async.wait_all"):
        block.lines.append(f"/* {instruction.name}: the copies are done */")
        return
    if name != "async.shared.global":
        raise Untranslatable("this form of copy")
    to, source, size, *rest = operands(instruction, 3, 4)
    bytes_ = block.read(size, "uint")
    kept = block.read(rest[0], "uint") if rest else bytes_
    target = block.address(to, "shared", "uint", write=True)
    origin = block.address(source, "global", "uint")
    block.lines.append(f"cu::copy_async({target}, {origin}, {bytes_}, {kept});")
    if block.instruction_node is not None:
        block.context.report("CU4106", block.instruction_node, name=instruction.name)


def convert(instruction: Instruction, block: Block) -> None:
    """cvt: rounding, saturation, packing of two floats."""
    kinds = types_of(instruction)
    rest = words(instruction)
    target, *sources = operands(instruction, 2, 3)
    if kinds[1:] == ["f32"] and kinds[0] in ("f16x2", "bf16x2") and rest == ["rn"] and len(sources) == 2:
        high, low = (block.read(s, "float") for s in sources)
        lane = TYPES[kinds[0]][:-1]
        block.write(target, f"{lane}2({lane}({low}), {lane}({high}))", TYPES[kinds[0]])
        return
    if len(kinds) != 2 or len(sources) != 1 or "x2" in "".join(kinds):
        raise Untranslatable("this conversion")
    to, have = TYPES[kinds[0]], TYPES[kinds[1]]
    source = block.read(sources[0], have)
    block.write(target, _converted(to, have, source, rest), to)


def _converted(to: str, have: str, source: str, rest: list[str]) -> str:
    rounding = next((w for w in rest if w != "sat"), "")
    saturated = "sat" in rest
    if len(rest) > 1 + saturated:
        raise Untranslatable("this conversion")
    if to in INTEGERS and have in INTEGERS:
        return f"{to}({_clamped(to, have, source) if saturated else source})"
    if to in INTEGERS:
        suffix = TO_INTEGER.get(rounding)
        if suffix is None or to not in INTEGER_NAMES:
            raise Untranslatable("this conversion")
        value = source if have == "float" else f"float({source})"
        return f"cu::float2{INTEGER_NAMES[to]}_{suffix}({value})"
    if have in INTEGERS:
        suffix = FROM_INTEGER.get(rounding, "")
        if saturated or to not in ("float", "half") or have not in INTEGER_NAMES or not suffix:
            raise Untranslatable("this conversion")
        if to == "float" and suffix == "rn":
            return f"float({source})"
        return f"cu::{INTEGER_NAMES[have]}2{to}_{suffix}({source})"
    if WIDTHS[to] > WIDTHS[have] and not rest:
        return f"{to}({source})"
    if to == have == "float" and (rounding in TO_WHOLE or not rounding):
        whole = f"{TO_WHOLE[rounding]}({source})" if rounding else source
        return f"cu::saturatef({whole})" if saturated else whole
    if have == "float" and to == "half" and not saturated and rounding in FROM_INTEGER:
        return f"half({source})" if rounding == "rn" else f"cu::float2half_{FROM_INTEGER[rounding]}({source})"
    if have == "float" and to == "bfloat" and not saturated and rounding in ("rn", "rz"):
        return f"bfloat({source})" if rounding == "rn" else f"cu::float2bfloat16_rz({source})"
    raise Untranslatable("this conversion")


def _clamped(to: str, have: str, source: str) -> str:
    """An integer clamped to another type's range, in its own type."""
    signed, bits = to not in UNSIGNED.values(), WIDTHS[to]
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    own_signed, own = have not in UNSIGNED.values(), WIDTHS[have]
    own_low, own_high = (-(1 << own - 1), (1 << own - 1) - 1) if own_signed else (0, (1 << own) - 1)
    low, high = max(low, own_low), min(high, own_high)
    first = f"{have}({low})" if low > -(1 << 31) else f"{have}({low + 1} - 1)"
    return f"clamp({source}, {first}, {have}({high}{'ul' if high >= 1 << 31 else ''}))"


def compare(instruction: Instruction, block: Block) -> None:
    """setp, with a second result and a logic operation where they are asked for."""
    type_ = one_type(instruction)
    kind = TYPES[type_]
    comparison, *logic = words(instruction) or [""]
    known = COMPARISONS if kind in INTEGERS else FLOAT_COMPARISONS
    if comparison not in known or kind.endswith("2") or len(logic) > 1:
        raise Untranslatable("this comparison")
    if comparison in ("lo", "ls", "hi", "hs"):
        kind = UNSIGNED.get(kind, kind)
    target, a, b, *third = operands(instruction, 3, 4)
    text = known[comparison].format(a=block.read(a, kind), b=block.read(b, kind))
    results = (target.first, target.second) if isinstance(target, Pair) else (target,)
    tail = ""
    if logic:
        if logic[0] not in LOGIC or len(third) != 1:
            raise Untranslatable("this comparison")
        tail = f" {LOGIC[logic[0]]} {block.read(third[0], 'bool')}"
    if len(results) == 2 or tail:
        text = f"({text})"
    for result, each in zip(results, (text, f"!{text}"), strict=False):
        block.write(result, f"{each}{tail}", "bool")


def shuffle(instruction: Instruction, block: Block) -> None:
    mode, *rest = words(instruction) or [""]
    if mode not in ("idx", "up", "down", "bfly") or rest or one_type(instruction) != "b32":
        raise Untranslatable("this shuffle")
    target, *sources = operands(instruction, 4, 5)
    if isinstance(target, Pair):
        raise Untranslatable("a second result")
    given = [block.read(each, "uint") for each in sources[:3]]
    lane = block.read(Name("%laneid"), "uint")
    block.write(target, f"cu::shfl_{mode}({', '.join([*given, lane])})", "uint")


def move(instruction: Instruction, block: Block) -> None:
    """mov: a value, several registers into one, one into several, or a pointer."""
    kind = TYPES[one_type(instruction)]
    target, source = operands(instruction, 2)
    if isinstance(source, Name) and source.text.startswith(("%clock", "%globaltimer")):
        raise Untranslatable("the clock", "CU3205")
    if isinstance(source, Vector):
        block.write(target, _packed(kind, list(source.items), block), kind)
    elif isinstance(target, Vector):
        if kind not in ("uint", "ulong"):
            raise Untranslatable("this move")
        value = block.local(kind, block.read(source, kind))
        bits = WIDTHS[kind] // len(target.items)
        part = {8: "uchar", 16: "ushort", 32: "uint"}[bits]
        for index, each in enumerate(target.items):
            shifted = f"{value} >> {bits * index}" if index else value
            block.write(each, f"{part}({shifted})", part)
    elif not _passes_pointer(source, target, block):
        block.write(target, block.read(source, kind), kind)


def _packed(kind: str, items: list[Name | Number], block: Block) -> str:
    if kind not in ("uint", "ulong"):
        raise Untranslatable("this move")
    bits = WIDTHS[kind] // len(items)
    part = {8: "uchar", 16: "ushort", 32: "uint"}[bits]
    parts = [f"{kind}({block.read(each, part)})" for each in items]
    return " | ".join(f"{p} << {bits * i}" if i else p for i, p in enumerate(parts))


def _passes_pointer(source: Operand, target: Operand, block: Block) -> bool:
    """A register of the block that takes a pointer stands for it from here on."""
    if not isinstance(source, Name) or not isinstance(target, Name) or source.text not in block.places:
        return False
    place = block.places[source.text]
    if not place.pointer:
        return False
    register = block.place(target.text)
    if register.node is not None or block.declared.pop(register.text, None) is None:
        raise Untranslatable("an address as a number")
    block.places[target.text] = place
    return True


def to_address(instruction: Instruction, block: Block) -> None:
    """cvta: Metal's pointers keep their address space."""
    target, source = operands(instruction, 2)
    if not _passes_pointer(source, target, block):
        raise Untranslatable("an address as a number")


def barrier(instruction: Instruction, block: Block) -> None:
    """bar.sync 0 and bar.warp.sync; barriers of part of a block do not exist."""
    rest = words(instruction)
    if rest == ["warp"]:
        block.lines.append("simdgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);")
        return
    whole = [o.text for o in instruction.operands if isinstance(o, Number)] == ["0"]
    if rest or "sync" not in instruction.opcode or not whole or len(instruction.operands) != 1:
        raise Untranslatable("a barrier of part of the block", "CU3208")
    block.lines.append("threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);")


def fence(instruction: Instruction, block: Block) -> None:
    """membar and fence: of the block or of the device."""
    scopes = {"cta": "cu::threadfence_block();", "gl": "cu::threadfence();", "gpu": "cu::threadfence();"}
    scope = next((scopes[w] for w in instruction.opcode[1:] if w in scopes), None)
    known = {*scopes, "acq_rel", "sc"}
    if scope is None or not set(instruction.opcode[1:]) <= known:
        raise Untranslatable("this fence")
    block.lines.append(scope)


def wide(instruction: Instruction, block: Block) -> None:
    """mul.wide and mad.wide: a result of twice the width."""
    type_ = one_type(instruction)
    if type_ not in WIDER:
        raise Untranslatable("this form")
    target, a, b, *c = operands(instruction, 3, 4)
    kind = WIDER[type_]
    text = f"{kind}({block.read(a, TYPES[type_])}) * {kind}({block.read(b, TYPES[type_])})"
    if c:
        text += f" + {block.read(c[0], kind)}"
    block.write(target, text, kind)


def dot(instruction: Instruction, block: Block) -> None:
    """dp4a: four products of bytes, each side with its own sign."""
    kinds = [TYPES[t] for t in types_of(instruction)]
    if kinds not in (["int", "int"], ["uint", "uint"]):
        raise Untranslatable("mixed signs")
    target, *sources = operands(instruction, 4)
    given = [block.read(each, kinds[0]) for each in sources]
    block.write(target, f"cu::dp4a({', '.join(given)})", kinds[0])


FORMS: dict[str, Form] = {
    "ld": load, "ldu": load, "st": store, "red": atomic, "atom": atomic, "cp": async_copy, "cvt": convert,
    "setp": compare, "shfl": shuffle, "mov": move, "cvta": to_address, "bar": barrier, "barrier": barrier,
    "membar": fence, "fence": fence, "dp4a": dot,
}  # fmt: skip


def form_of(instruction: Instruction) -> Form:
    """How an instruction is said in Metal."""
    if "wide" in instruction.opcode:
        return wide
    return FORMS.get(instruction.opcode[0], plain)
