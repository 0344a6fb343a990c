"""Atomics under contention: many threads on few words, in device memory, threadgroup memory and inout_ptr."""

import numpy as np
import pytest
from prelude_machine import Array, run

_SLOTS = 3
_THREADS = 96
_BLOCKS = 2

# How a slot is reached: in device memory; in a threadgroup copy; through base XOR delta.
_PLACES = {
    "device": ("", "&memory[slot]", ""),
    "threadgroup": (
        "    threadgroup {type} copy[4];\n"
        "    if (i < 4) copy[i] = memory[i];\n"
        "    threadgroup_barrier(mem_flags::mem_threadgroup);\n",
        "&copy[slot]",
        "    threadgroup_barrier(mem_flags::mem_threadgroup);\n    if (i < 4) memory[i] = copy[i];\n",
    ),
    "inout": ("    cu::inout_ptr<{type}> p(memory, (device {bits}*)delta);\n", "p + slot", ""),
}
_KERNEL = """
kernel void probe(device {type}* memory [[buffer(0)]], device uint* delta [[buffer(1)]],
                  device const {type}* value [[buffer(2)]], device const int* operation [[buffer(3)]],
                  uint i [[thread_index_in_threadgroup]]) {{
{before}    uint slot = i % {slots};
    switch (operation[0]) {{
{cases}    }}
{after}}}
"""
_BITS = {4: ("uint", np.uint32), 2: ("ushort", np.uint16)}


def _run(
    place: str, msl: str, calls: list[str], chosen: int, memory: Array, value: Array, blocks: int
) -> Array:
    """Memory after `blocks` blocks each made the chosen call once a thread; the threadgroup form runs one block.

    All calls of a type stand in one kernel, so that it is compiled once.
    """
    before, pointer, after = _PLACES[place]
    size = 4 if msl.endswith("2") else memory.itemsize
    bits = _BITS[size][0]
    cases = "".join(
        f"    case {index}: {{ {call.format(p=pointer)}; break; }}\n" for index, call in enumerate(calls)
    )
    text = _KERNEL.format(
        type=msl, slots=_SLOTS, before=before.format(type=msl, bits=bits), after=after, cases=cases
    )
    memory = memory.copy()
    delta = np.zeros(4, np.uint32)
    arguments = [memory, delta, value, np.array([chosen], np.int32)]
    run(text, "probe", arguments, 1 if place == "threadgroup" else blocks, _THREADS)
    if place != "inout":
        return memory
    unsigned = {4: np.uint32, 2: np.uint16}[memory.itemsize]
    changed = delta.view(unsigned)[: memory.size]
    return (memory.view(unsigned) ^ changed).view(memory.dtype)


def _fold(place: str, memory: Array, value: Array, step) -> Array:  # type: ignore[no-untyped-def]
    expected = memory.copy()
    for _ in range(1 if place == "threadgroup" else _BLOCKS):
        for thread in range(_THREADS):
            slot = thread % _SLOTS
            expected[slot] = step(expected[slot], value[thread])
    return expected


_OPERATIONS = {
    "add": lambda old, v: old + v,
    "sub": lambda old, v: old - v,
    "min": min,
    "max": max,
    "and": lambda old, v: old & v,
    "or": lambda old, v: old | v,
    "xor": lambda old, v: old ^ v,
}


_LOOP = (  # the usual user loop, on bits
    "uint old = cu::atomic_cas({p}, 0u, 0u);"
    " while (true) {{ uint seen = cu::atomic_cas({p}, old, as_type<uint>(as_type<float>(old) + 1.0f));"
    " if (seen == old) break; old = seen; }}"
)
_CALLS = {
    "int": [f"cu::atomic_{name}({{p}}, value[i])" for name in _OPERATIONS],
    "uint": [
        *(f"cu::atomic_{name}({{p}}, value[i])" for name in (*_OPERATIONS, "inc", "dec")),
        _LOOP,
    ],
    "float": [
        *(f"cu::atomic_{name}({{p}}, value[i])" for name in ("add", "sub", "min", "max", "exch")),
        "cu::atomic_cas({p}, float(NAN), 4.0f)",
    ],
    "half": ["cu::atomic_add({p}, value[i])"],
    "bfloat": ["cu::atomic_add({p}, value[i])"],
    "half2": ["cu::atomic_add({p}, value[i])"],
}


@pytest.mark.parametrize("place", _PLACES)
@pytest.mark.parametrize("msl", ("int", "uint"))
def test_integers(place: str, msl: str) -> None:
    dtype = {"int": np.int32, "uint": np.uint32}[msl]
    random = np.random.default_rng(1)
    memory = random.integers(0, 2**31, 4).astype(dtype)
    value = random.integers(0, 2**31, _THREADS).astype(dtype)
    for index, (name, step) in enumerate(_OPERATIONS.items()):
        with np.errstate(over="ignore"):
            expected = _fold(place, memory, value, step)
        found = _run(place, msl, _CALLS[msl], index, memory, value, _BLOCKS)
        np.testing.assert_array_equal(found, expected, err_msg=name)


@pytest.mark.parametrize("place", _PLACES)
def test_wrapping_counters(place: str) -> None:
    memory = np.array([0, 5, 90, 7], np.uint32)
    value = np.full(_THREADS, 6, np.uint32)
    expected = _fold(place, memory, value, lambda old, limit: 0 if old >= limit else old + 1)
    found = _run(place, "uint", _CALLS["uint"], len(_OPERATIONS), memory, value, _BLOCKS)
    np.testing.assert_array_equal(found, expected)
    expected = _fold(place, memory, value, lambda old, limit: limit if old == 0 or old > limit else old - 1)
    found = _run(place, "uint", _CALLS["uint"], len(_OPERATIONS) + 1, memory, value, _BLOCKS)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("place", _PLACES)
def test_floats(place: str) -> None:
    memory = np.array([0.5, -3, 100, 7], np.float32)
    value = np.random.default_rng(2).integers(-50, 50, _THREADS).astype(np.float32)  # exact sums
    for index, name in enumerate(("add", "sub", "min", "max")):
        expected = _fold(place, memory, value, _OPERATIONS[name])
        found = _run(place, "float", _CALLS["float"], index, memory, value, _BLOCKS)
        np.testing.assert_array_equal(found, expected, err_msg=name)


@pytest.mark.parametrize("place", _PLACES)
def test_half_words(place: str) -> None:
    """Both halves of a word change at once; a thread's slot may share its word with another's."""
    memory = np.array([0.5, -3, 100, 7], np.float16)
    value = np.random.default_rng(3).integers(-3, 4, _THREADS).astype(np.float16)
    expected = _fold(place, memory, value, _OPERATIONS["add"])
    found = _run(place, "half", _CALLS["half"], 0, memory, value, _BLOCKS)
    np.testing.assert_array_equal(found, expected)
    top = (memory.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)  # as bfloat, exact
    steps = (value.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    found = _run(place, "bfloat", _CALLS["bfloat"], 0, top, steps, _BLOCKS)
    wide = (found.astype(np.uint32) << 16).view(np.float32)
    memory32, value32 = memory.astype(np.float32), value.astype(np.float32)
    np.testing.assert_array_equal(wide, _fold(place, memory32, value32, _OPERATIONS["add"]))


@pytest.mark.parametrize("place", _PLACES)
def test_pairs(place: str) -> None:
    memory = np.arange(8, dtype=np.float16)
    value = np.random.default_rng(4).integers(-3, 4, 2 * _THREADS).astype(np.float16)
    found = _run(place, "half2", _CALLS["half2"], 0, memory, value, _BLOCKS)
    pairs = _fold(place, memory.reshape(4, 2), value.reshape(-1, 2), _OPERATIONS["add"])
    np.testing.assert_array_equal(found.reshape(4, 2), pairs)


@pytest.mark.parametrize("place", _PLACES)
def test_exchange_keeps_one_of_the_values(place: str) -> None:
    memory = np.array([-1, -2, -3, -4], np.float32)
    value = np.arange(_THREADS, dtype=np.float32)
    found = _run(place, "float", _CALLS["float"], 4, memory, value, _BLOCKS)
    assert [int(found[slot]) % _SLOTS for slot in range(_SLOTS)] == [0, 1, 2]
    assert found[3] == -4


@pytest.mark.parametrize("place", _PLACES)
def test_compare_and_swap_ends_on_nan(place: str) -> None:
    """The usual user loop; and one swap of a NaN by its bits."""
    memory = np.array([1.0, np.nan, -3.0, 9.0], np.float32)
    value = np.zeros(_THREADS, np.uint32)
    words = memory.view(np.uint32)
    found = _run(place, "uint", _CALLS["uint"], 9, words, value, _BLOCKS).view(np.float32)
    each = _THREADS // _SLOTS * (1 if place == "threadgroup" else _BLOCKS)
    np.testing.assert_array_equal(found, [1 + each, np.nan, -3 + each, 9])
    found = _run(place, "float", _CALLS["float"], 5, memory, value.view(np.float32), 1)
    np.testing.assert_array_equal(found, [1, 4, -3, 9])


def test_sixteen_bit_compare_and_swap() -> None:
    text = """
kernel void probe(device ushort* memory [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    ushort old = memory[i % 3];
    while (true) {
        ushort seen = cu::atomic_cas(&memory[i % 3], old, ushort(old + 1));
        if (seen == old) break;
        old = seen;
    }
}
"""
    memory = np.array([0, 65535, 7, 9], np.uint16)
    run(text, "probe", [memory], 2, 96)
    np.testing.assert_array_equal(memory, [64, 63, 71, 9])


def test_atomics_return_the_old_value() -> None:
    """Added to by all, each thread gets its own ticket."""
    text = """
kernel void probe(device int* memory [[buffer(0)]], device int* ticket [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
    threadgroup int count[1];
    if (i == 0) count[0] = 0;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    ticket[i] = cu::atomic_add(&memory[0], 1);
    ticket[64 + i] = cu::atomic_add(&count[0], 1);
}
"""
    memory, ticket = np.array([10], np.int32), np.zeros(128, np.int32)
    run(text, "probe", [memory, ticket], 1, 64)
    assert sorted(ticket[:64]) == list(range(10, 74))
    assert sorted(ticket[64:]) == list(range(64))
