"""Copies between address spaces, packed three-vectors and their layout, complex numbers, mixed min and max."""

import numpy as np
from prelude_machine import evaluate, run

# CUDA's types as the support library spells them: size, alignment (CUDA C++ Programming Guide, "Built-in Vector
# Types").
_LAYOUT = {
    "char": (1, 1),
    "short": (2, 2),
    "int": (4, 4),
    "float": (4, 4),
    "half": (2, 2),
    "long": (8, 8),
    "float2": (8, 8),
    "half2": (4, 4),
    "float4": (16, 16),
    "uchar4": (4, 4),
    "short4": (8, 8),
    "cu::packed3<float>::type": (12, 4),
    "cu::packed3<int>::type": (12, 4),
    "cu::packed3<uint>::type": (12, 4),
    "cu::packed3<short>::type": (6, 2),
    "cu::packed3<ushort>::type": (6, 2),
    "cu::packed3<char>::type": (3, 1),
    "cu::packed3<uchar>::type": (3, 1),
    "cu::packed3<half>::type": (6, 2),
    "cu::vec1<float>": (4, 4),
    "cu::vec1<char>": (1, 1),
}


def _offsets(members: list[str]) -> list[int]:
    """Where C++ puts each member, then the size of the whole."""
    end, widest, found = 0, 1, []
    for member in members:
        size, alignment = _LAYOUT[member]
        end = -(-end // alignment) * alignment
        found.append(end)
        end += size
        widest = max(widest, alignment)
    return [*found, -(-end // widest) * widest]


def test_layout_of_structs() -> None:
    """Thirty structs of random members have CUDA's offsets and sizes."""
    random = np.random.default_rng(11)
    structs = [list(random.choice(list(_LAYOUT), random.integers(1, 6))) for _ in range(30)]
    declared = "".join(
        f"struct S{n} {{ {' '.join(f'{member} m{k};' for k, member in enumerate(members))} }};\n"
        for n, members in enumerate(structs)
    )
    lines, at = [], 0
    for n, members in enumerate(structs):
        lines.append(f"    device S{n}* s{n} = (device S{n}*)memory;")
        for k in range(len(members)):
            lines.append(f"    result[{at}] = int((device char*)&s{n}->m{k} - memory);")
            at += 1
        lines.append(f"    result[{at}] = int(sizeof(S{n}));")
        at += 1
    text = (
        f"{declared}kernel void probe(device char* memory [[buffer(0)]], device int* result [[buffer(1)]]) {{\n"
        + "\n".join(lines)
        + "\n}\n"
    )
    result = np.zeros(at, np.int32)
    run(text, "probe", [np.zeros(128, np.int8), result], 1, 1)
    assert result.tolist() == [offset for members in structs for offset in _offsets(members)]


def test_copies() -> None:
    text = """
kernel void probe(device float* a [[buffer(0)]], device const uint* b [[buffer(1)]],
                  device uchar* c [[buffer(2)]], device half* h [[buffer(3)]]) {
    threadgroup float shared[8];
    float own[4];
    cu::memcpy(shared, b, 32);
    cu::memcpy(own, shared + 4, 16);
    cu::memcpy(a, own, 16);
    cu::memcpy_async(shared, a, 16, 8);
    cu::memcpy(a + 4, shared, 16);
    cu::memmove(a + 9, a + 8, 16);
    cu::memset(c, 300, 3);
    cu::memset(h, 0x3c, 4);
    float3 v = cu::load_float3(a + 4);
    cu::store3(a + 13, v * 2.0f);
}
"""
    a = np.arange(16, dtype=np.float32)
    bits = np.array([9, 8, 7, 6, 5, 4, 3, 2], np.float32).view(np.uint32)
    c, h = np.zeros(4, np.uint8), np.zeros(3, np.uint16)
    run(text, "probe", [a, bits, c, h.view(np.float16)], 1, 1)
    expected = [5, 4, 3, 2, 5, 4, 0, 0, 8, 8, 9, 10, 11, 10, 8, 0]
    np.testing.assert_array_equal(a, expected)
    np.testing.assert_array_equal(c, [44, 44, 44, 0])
    np.testing.assert_array_equal(h, [0x3C3C, 0x3C3C, 0])


def test_minimum_of_mixed_types() -> None:
    """Usual conversions first: an int meets an unsigned as unsigned; a NaN loses."""
    a = np.array([-1, 5, 7, -(2**31)], np.int32)
    b = np.array([3, 2**31, 7, 1], np.uint32)
    f = np.array([np.nan, 2.5, -0.5, 1e30], np.float32)
    found = evaluate(
        {
            "min_iu": "cu::min(a, b)",
            "max_iu": "cu::max(a, b)",
            "min_il": "uint(cu::min(long(a), b))",
            "min_if": "as_type<uint>(cu::min(a, f))",
            "max_fi": "as_type<uint>(cu::max(f, a))",
            "min_short": "uint(cu::min(short(a), short(b)))",
        },
        {"a": a, "b": b, "f": f},
        np.uint32,
    )
    unsigned = a.view(np.uint32)
    np.testing.assert_array_equal(found["min_iu"], np.minimum(unsigned, b))
    np.testing.assert_array_equal(found["max_iu"], np.maximum(unsigned, b))
    np.testing.assert_array_equal(
        found["min_il"], np.minimum(a.astype(np.int64), b.astype(np.int64)).astype(np.uint32)
    )
    np.testing.assert_array_equal(found["min_if"].view(np.float32), np.fmin(a.astype(np.float32), f))
    np.testing.assert_array_equal(found["max_fi"].view(np.float32), np.fmax(a.astype(np.float32), f))
    shorts = np.minimum(a.astype(np.int16), b.astype(np.int16)).astype(np.int32).view(np.uint32)
    np.testing.assert_array_equal(found["min_short"], shorts)


def test_complex_numbers() -> None:
    random = np.random.default_rng(5)
    a, b, c, d = (random.normal(size=256).astype(np.float32) for _ in range(4))
    calls = {}
    for part in "xy":
        calls[f"product_{part}"] = f"cu::cuCmulf(float2(a, b), float2(c, d)).{part}"
        calls[f"quotient_{part}"] = f"cu::cuCdivf(float2(a, b), float2(c, d)).{part}"
        calls[f"sum_{part}"] = f"cu::cuCfmaf(float2(a, b), float2(c, d), float2(d, a)).{part}"
        calls[f"conjugate_{part}"] = f"cu::cuConjf(float2(a, b)).{part}"
    calls["magnitude"] = "cu::cuCabsf(float2(a, b) * 1.0e30f)"
    found = evaluate(calls, {"a": a, "b": b, "c": c, "d": d}, np.float32)
    x, y = a + 1j * b.astype(np.float64), c + 1j * d.astype(np.float64)
    expected = {"product": x * y, "quotient": x / y, "sum": x * y + (d + 1j * a), "conjugate": x.conj()}
    for name, value in expected.items():
        got = found[f"{name}_x"] + 1j * found[f"{name}_y"]
        np.testing.assert_allclose(got, value, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(found["magnitude"], np.abs(x) * 1e30, rtol=2e-7)


def test_pieces_of_std() -> None:
    text = """
kernel void probe(device int* result [[buffer(0)]]) {
    int a = 1, b = 2;
    cu::swap(a, b);
    result[0] = a;
    result[1] = b;
    result[2] = cu::exchange(a, 7);
    result[3] = a;
    cu::pair<int, float> one = cu::make_pair(3, 0.5f);
    cu::pair<int, float> other = cu::make_pair(3, 1.5f);
    result[4] = one < other && !(other < one) && one == one && !(one == other);
    result[5] = one.first;
}
"""
    result = np.zeros(6, np.int32)
    run(text, "probe", [result], 1, 1)
    assert result.tolist() == [2, 1, 2, 7, 1, 3]


def test_copies_between_sizes() -> None:
    """Words from bytes, bytes from words, and what the last word keeps."""
    text = """
kernel void probe(device const uchar* bytes [[buffer(0)]], device uint* words [[buffer(1)]],
                  device ushort* halves [[buffer(2)]]) {
    cu::memcpy(words, bytes, 6);
    cu::memcpy(halves, words, 6);
    uint word;
    cu::memcpy(&word, bytes + 2, sizeof(word));
    words[2] = word;
}
"""
    source = np.arange(1, 9, dtype=np.uint8)
    words, halves = np.full(3, 0xFFFFFFFF, np.uint32), np.zeros(4, np.uint16)
    run(text, "probe", [source, words, halves], 1, 1)
    assert [hex(word) for word in words] == ["0x4030201", "0xffff0605", "0x6050403"]
    assert [hex(half) for half in halves] == ["0x201", "0x403", "0x605", "0x0"]
