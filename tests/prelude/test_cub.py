"""cub's block and warp algorithms against numpy, over block sizes that do and do not fill their simdgroups."""

import numpy as np
import pytest
from prelude_machine import Array, run

_HEAD = """
kernel void probe(device const {type}* value [[buffer(0)]], device {type}* result [[buffer(1)]],
                  uint i [[thread_index_in_threadgroup]]) {{
"""
_ITEMS = 3
_UNTOUCHED = 12345


def _run(type_name: str, body: str, value: Array, rows: int, threads: int) -> Array:
    result = np.full((rows, len(value)), _UNTOUCHED, value.dtype)
    text = _HEAD.format(type=type_name) + body + "}\n"
    run(text, "probe", [value, result], 1, threads, checked=threads == 48)
    return result


@pytest.mark.parametrize("threads", (45, 48, 128, 1000))
def test_block_reduce(threads: int) -> None:
    body = f"""
    using Reduce = cu::BlockReduce<int, {threads}>;
    threadgroup Reduce::TempStorage temp;
    int total = Reduce(temp, i).Sum(value[i]);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    int most = Reduce(temp, i).Reduce(value[i], cu::Max());
    threadgroup_barrier(mem_flags::mem_threadgroup);
    int some = Reduce(temp, i).Sum(value[i], {threads - 9});
    if (i == 0) {{
        result[0] = total;
        result[1] = most;
        result[2] = some;
    }}
"""
    value = np.random.default_rng(threads).integers(-1000, 1000, threads).astype(np.int32)
    found = _run("int", body, value, 1, threads)[0]
    assert list(found[:3]) == [value.sum(), value.max(), value[:-9].sum()]


@pytest.mark.parametrize("threads", (45, 48, 128, 1000))
def test_block_scan(threads: int) -> None:
    body = f"""
    using Scan = cu::BlockScan<int, {threads}>;
    threadgroup Scan::TempStorage temp;
    int out = 0, all = 0;
    Scan(temp, i).InclusiveSum(value[i], out);
    result[i] = out;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    Scan(temp, i).ExclusiveSum(value[i], out, all);
    result[{threads} + i] = out;
    result[{2 * threads} + i] = all;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    Scan(temp, i).InclusiveScan(value[i], out, cu::Max());
    result[{3 * threads} + i] = out;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    Scan(temp, i).ExclusiveScan(value[i], out, -5, cu::Max());
    result[{4 * threads} + i] = out;
"""
    value = np.random.default_rng(threads).integers(-1000, 1000, threads).astype(np.int32)
    found = _run("int", body, value, 5, threads)
    np.testing.assert_array_equal(found[0], np.cumsum(value))
    np.testing.assert_array_equal(found[1], np.cumsum(value) - value)
    assert set(found[2]) == {value.sum()}
    np.testing.assert_array_equal(found[3], np.maximum.accumulate(value))
    before = np.maximum.accumulate(np.concatenate([[-5], value[:-1]]))
    np.testing.assert_array_equal(found[4], before)


# Composition of linear maps, as in a selective scan: associative, not commutative, on a type of two floats.
_LINEAR = """
struct Compose {
    float2 operator()(float2 a, float2 b) const {
        return float2(a.x * b.x, b.x * a.y + b.y);
    }
};
struct Carry {
    float2 running;
    float2 operator()(float2 aggregate) {
        float2 old = running;
        running = Compose()(old, aggregate);
        return old;
    }
};
"""


@pytest.mark.parametrize("threads", (45, 64, 128))
def test_scan_of_linear_maps_with_a_carry(threads: int) -> None:
    """Two chunks of several items a thread; the carry comes from the prefix callback."""
    items = threads * _ITEMS
    text = (
        _LINEAR
        + _HEAD.format(type="float2")
        + f"""
    using Scan = cu::BlockScan<float2, {threads}, 1>;
    threadgroup Scan::TempStorage temp;
    Carry carry;
    carry.running = float2(1.0f, 0.0f);
    for (int chunk = 0; chunk < 2; ++chunk) {{
        float2 maps[{_ITEMS}];
        for (int k = 0; k < {_ITEMS}; ++k) maps[k] = value[chunk * {items} + i * {_ITEMS} + k];
        Scan(temp, i).InclusiveScan(maps, maps, Compose(), carry);
        for (int k = 0; k < {_ITEMS}; ++k) result[chunk * {items} + i * {_ITEMS} + k] = maps[k];
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }}
}}
"""
    )
    random = np.random.default_rng(threads)
    value = np.stack([random.uniform(0.5, 1, 2 * items), random.normal(size=2 * items)], 1).astype(np.float32)
    result = np.zeros_like(value)
    run(text, "probe", [value.reshape(-1), result.reshape(-1)], 1, threads)
    state, expected = 0.0, []
    for a, b in value.astype(np.float64):
        state = a * state + b
        expected.append(state)
    np.testing.assert_allclose(result[:, 1], expected, rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize("threads", (45, 64))
@pytest.mark.parametrize("how", ("DIRECT", "VECTORIZE", "TRANSPOSE", "WARP_TRANSPOSE"))
def test_load_and_store(how: str, threads: int) -> None:
    """Blocked order in registers; what lies beyond the valid items is the default, and not stored."""
    items = threads * _ITEMS
    body = f"""
    using Load = cu::BlockLoad<float, {threads}, {_ITEMS}, cu::BLOCK_LOAD_{how}>;
    using Store = cu::BlockStore<float, {threads}, {_ITEMS}, cu::BLOCK_STORE_{how}>;
    threadgroup Load::TempStorage load;
    threadgroup Store::TempStorage store;
    float kept[{_ITEMS}];
    Load(load, i).Load(value, kept, {items - 7}, -1.0f);
    for (int k = 0; k < {_ITEMS}; ++k) result[i * {_ITEMS} + k] = kept[k];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    Load(load, i).Load(value, kept);
    Store(store, i).Store(result + {items}, kept);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    Store(store, i).Store(result + {2 * items}, kept, {items - 7});
"""
    value = np.arange(items, dtype=np.float32)
    found = _run("float", body, value, 3, threads)
    np.testing.assert_array_equal(found[0], np.where(value < items - 7, value, -1))
    np.testing.assert_array_equal(found[1], value)
    np.testing.assert_array_equal(found[2], np.where(value < items - 7, value, _UNTOUCHED))


def test_striped_load() -> None:
    body = f"""
    using Load = cu::BlockLoad<int, 64, {_ITEMS}, cu::BLOCK_LOAD_STRIPED>;
    threadgroup Load::TempStorage temp;
    int kept[{_ITEMS}];
    Load(temp, i).Load(value, kept);
    for (int k = 0; k < {_ITEMS}; ++k) result[i * {_ITEMS} + k] = kept[k];
"""
    value = np.arange(64 * _ITEMS, dtype=np.int32)
    found = _run("int", body, value, 1, 64)[0]
    np.testing.assert_array_equal(found, value.reshape(_ITEMS, 64).T.ravel())


@pytest.mark.parametrize("width", (8, 32))
def test_warp_reduce_and_scan(width: int) -> None:
    body = f"""
    using Reduce = cu::WarpReduce<int, {width}>;
    using Scan = cu::WarpScan<int, {width}>;
    threadgroup Reduce::TempStorage reduce[64 / {width}];
    threadgroup Scan::TempStorage scan[64 / {width}];
    int sum = Reduce(reduce[i / {width}], i).Sum(value[i]);
    result[i] = i % {width} == 0 ? sum : 0;
    int out = 0;
    Scan(scan[i / {width}], i).InclusiveSum(value[i], out);
    result[64 + i] = out;
    Scan(scan[i / {width}], i).ExclusiveScan(value[i], out, 7, cu::Sum());
    result[128 + i] = out;
"""
    value = np.random.default_rng(width).integers(-50, 50, 64).astype(np.int32)
    found = _run("int", body, value, 3, 64)
    parts = value.reshape(-1, width)
    np.testing.assert_array_equal(found[0][::width], parts.sum(1))
    np.testing.assert_array_equal(found[1], np.cumsum(parts, 1).ravel())
    np.testing.assert_array_equal(found[2], (np.cumsum(parts, 1) - parts + 7).ravel())


@pytest.mark.parametrize("threads", (48, 128))
@pytest.mark.parametrize("key", ("int", "uint", "float"))
def test_radix_sort(key: str, threads: int) -> None:
    items = threads * _ITEMS
    body = f"""
    using Sort = cu::BlockRadixSort<{key}, {threads}, {_ITEMS}, {key}>;
    threadgroup Sort::TempStorage temp;
    {key} keys[{_ITEMS}];
    {key} places[{_ITEMS}];
    for (int k = 0; k < {_ITEMS}; ++k) {{
        keys[k] = value[i * {_ITEMS} + k];
        places[k] = {key}(i * {_ITEMS} + k);
    }}
    Sort(temp, i).Sort(keys, places);
    for (int k = 0; k < {_ITEMS}; ++k) {{
        result[i * {_ITEMS} + k] = keys[k];
        result[{items} + i * {_ITEMS} + k] = places[k];
    }}
    Sort(temp, i).SortDescending(keys);
    for (int k = 0; k < {_ITEMS}; ++k) result[{2 * items} + i * {_ITEMS} + k] = keys[k];
"""
    random = np.random.default_rng(threads)
    value = {
        "int": random.integers(-40, 40, items).astype(np.int32),
        "uint": random.integers(0, 2**32, items, dtype=np.uint64).astype(np.uint32),
        "float": random.normal(size=items).astype(np.float32),
    }[key]
    found = _run(key, body, value, 3, threads)
    order = np.argsort(value, kind="stable")
    np.testing.assert_array_equal(found[0], value[order])
    np.testing.assert_array_equal(found[1], order)
    np.testing.assert_array_equal(found[2], value[order][::-1])


@pytest.mark.parametrize("width", (8, 32))
def test_segmented_warp_reduce(width: int) -> None:
    """Segments of five lanes by their heads, of seven by their tails, cut at the logical warps."""
    body = f"""
    using Reduce = cu::WarpReduce<int, {width}>;
    threadgroup Reduce::TempStorage temp;
    result[i] = Reduce(temp, i).HeadSegmentedSum(value[i], i % 5 == 0);
    result[64 + i] = Reduce(temp, i).TailSegmentedReduce(value[i], i % 7 == 6, cu::Max());
"""
    value = np.random.default_rng(width).integers(-50, 50, 64).astype(np.int32)
    found = _run("int", body, value, 2, 64)
    for step, row, fold in ((5, found[0], np.sum), (7, found[1], np.max)):
        starts = sorted({*range(0, 64, width), *range(0, 64, step)})
        for start, end in zip(starts, [*starts[1:], 64], strict=True):
            assert row[start] == fold(value[start:end])


@pytest.mark.parametrize("threads", (48, 64))
def test_exchange(threads: int) -> None:
    items = threads * _ITEMS
    body = f"""
    using Exchange = cu::BlockExchange<int, {threads}, {_ITEMS}>;
    threadgroup Exchange::TempStorage temp;
    int kept[{_ITEMS}], moved[{_ITEMS}], ranks[{_ITEMS}];
    for (int k = 0; k < {_ITEMS}; ++k) {{
        kept[k] = value[i * {_ITEMS} + k];
        ranks[k] = {items - 1} - int(i * {_ITEMS} + k);
    }}
    Exchange(temp, i).BlockedToStriped(kept, moved);
    for (int k = 0; k < {_ITEMS}; ++k) result[i * {_ITEMS} + k] = moved[k];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    Exchange(temp, i).BlockedToWarpStriped(kept, moved);
    for (int k = 0; k < {_ITEMS}; ++k) result[{items} + i * {_ITEMS} + k] = moved[k];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    Exchange(temp, i).WarpStripedToBlocked(moved);
    for (int k = 0; k < {_ITEMS}; ++k) result[{2 * items} + i * {_ITEMS} + k] = moved[k];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    Exchange(temp, i).ScatterToBlocked(kept, moved, ranks);
    for (int k = 0; k < {_ITEMS}; ++k) result[{3 * items} + i * {_ITEMS} + k] = moved[k];
"""
    value = np.arange(items, dtype=np.int32)
    found = _run("int", body, value, 4, threads)
    warps = [value[first * _ITEMS : (first + 32) * _ITEMS] for first in range(0, threads, 32)]
    np.testing.assert_array_equal(found[0], value.reshape(_ITEMS, threads).T.ravel())
    np.testing.assert_array_equal(found[1], np.concatenate([w.reshape(_ITEMS, -1).T.ravel() for w in warps]))
    np.testing.assert_array_equal(found[2], value)
    np.testing.assert_array_equal(found[3], value[::-1])


@pytest.mark.parametrize("threads", (45, 64))
def test_scans_of_items_with_aggregates(threads: int) -> None:
    items = threads * _ITEMS
    body = f"""
    using Scan = cu::BlockScan<int, {threads}>;
    threadgroup Scan::TempStorage temp;
    int kept[{_ITEMS}], moved[{_ITEMS}], all = 0;
    for (int k = 0; k < {_ITEMS}; ++k) kept[k] = value[i * {_ITEMS} + k];
    Scan(temp, i).InclusiveSum(kept, moved, all);
    for (int k = 0; k < {_ITEMS}; ++k) result[i * {_ITEMS} + k] = moved[k] + all;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    Scan(temp, i).ExclusiveSum(kept, moved, all);
    for (int k = 0; k < {_ITEMS}; ++k) result[{items} + i * {_ITEMS} + k] = moved[k] + all;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    Scan(temp, i).ExclusiveScan(kept, moved, cu::Max(), all);
    for (int k = 0; k < {_ITEMS}; ++k) result[{2 * items} + i * {_ITEMS} + k] = moved[k] + all;
"""
    value = np.random.default_rng(threads).integers(-50, 50, items).astype(np.int32)
    found = _run("int", body, value, 3, threads)
    np.testing.assert_array_equal(found[0], np.cumsum(value) + value.sum())
    np.testing.assert_array_equal(found[1], np.cumsum(value) - value + value.sum())
    np.testing.assert_array_equal(found[2][1:], np.maximum.accumulate(value)[:-1] + value.max())


def test_radix_sort_of_other_keys() -> None:
    """Sixteen bits, and part of the bits; a zero's sign does not count, and is kept."""
    body = """
    using Sort = cu::BlockRadixSort<half, 32, 2>;
    using Bits = cu::BlockRadixSort<ushort, 32, 2>;
    threadgroup Sort::TempStorage temp;
    threadgroup Bits::TempStorage bits;
    half keys[2] = {value[2 * i], value[2 * i + 1]};
    Sort(temp, i).Sort(keys);
    result[2 * i] = keys[0];
    result[2 * i + 1] = keys[1];
    ushort words[2] = {ushort(255 - i), ushort(i)};
    Bits(bits, i).SortDescendingBlockedToStriped(words, 2, 4);
    result[64 + i] = half(words[0]);
    result[96 + i] = half(words[1]);
"""
    value = np.random.default_rng(1).normal(size=64).astype(np.float16)
    value[[3, 9]], value[[4, 30]] = np.float16(-0.0), np.float16(0.0)
    found = _run("half", body, value, 2, 32)
    expected = value[np.argsort(value, kind="stable")]
    np.testing.assert_array_equal(found[0].view(np.uint16), expected.view(np.uint16))
    words = np.stack([255 - np.arange(32), np.arange(32)], 1).ravel()
    order = np.argsort(-((words >> 2) & 3), kind="stable")
    np.testing.assert_array_equal(found[1], words[order])
