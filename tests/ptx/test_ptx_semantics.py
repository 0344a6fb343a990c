"""Each form of instruction: the original on the CPU machine, whose own reader of PTX shares nothing with the
transpiler's, against its translation, on random bits and on the edges.
"""

from typing import Any

import numpy as np
import pytest

from cu2mlx.runtime.cpu.executor import CpuExecutor
from cu2mlx.runtime.protocol import KernelText, Launch, Status
from cu2mlx.transpiler.binding.metal import emit_metal
from cu2mlx.transpiler.diagnostics.text import as_text
from cu2mlx.transpiler.pipeline import translate
from cu2mlx.transpiler.source import SourceFile

Array = np.ndarray[Any, Any]
THREADS = 256

# Instructions over %0 (the result) and %1 … (a, b, c as unsigned, or as the type that `f`, `l`, `h` say).
INTEGER = """
add.u32 %0, %1, %2 | add.s32 %0, %1, %2 | sub.s32 %0, %1, 7 | mul.lo.s32 %0, %1, %2 | mul.hi.u32 %0, %1, %2
mul.hi.s32 %0, %1, %2 | mad.lo.u32 %0, %1, %2, %3 | mad.hi.u32 %0, %1, %2, %3 | mul24.lo.u32 %0, %1, %2
min.s32 %0, %1, %2 | max.u32 %0, %1, %2 | abs.s32 %0, %1 | neg.s32 %0, %1 | and.b32 %0, %1, %2
or.b32 %0, %1, %2 | xor.b32 %0, %1, 0xffff | not.b32 %0, %1 | shl.b32 %0, %1, %3 | shr.u32 %0, %1, %3
shr.s32 %0, %1, %3 | shr.b32 %0, %1, 33 | shl.b32 %0, %1, 32 | shf.l.wrap.b32 %0, %1, %2, %3
shf.r.wrap.b32 %0, %1, %2, %3 | shf.l.clamp.b32 %0, %1, %2, %3 | shf.r.clamp.b32 %0, %1, %2, %3
lop3.b32 %0, %1, %2, %3, 0x96 | lop3.b32 %0, %1, %2, %3, 0xca | lop3.b32 %0, %1, %2, %3, 0xea
prmt.b32 %0, %1, %2, 0x5410 | prmt.b32 %0, %1, %2, 0x7362 | prmt.b32 %0, %1, 0, 0x9080 | prmt.b32 %0, %1, %2, %3
bfe.u32 %0, %1, 4, 8 | bfe.s32 %0, %1, 20, 9 | bfe.u32 %0, %1, %3, 5 | bfi.b32 %0, %1, %2, 8, 12
bfi.b32 %0, %1, %2, %3, 4 | brev.b32 %0, %1 | popc.b32 %0, %1 | clz.b32 %0, %3 | bfind.u32 %0, %3
bfind.s32 %0, %1 | sad.u32 %0, %1, %2, %3 | sad.s32 %0, %1, %2, %3 | dp4a.s32.s32 %0, %1, %2, %3
dp4a.u32.u32 %0, %1, %2, %3 | cvt.u32.u32 %0, %1 | mov.u32 %0, %2 | mov.b32 %0, 0x80
mov.u32 %0, %%laneid | mov.u32 %0, %%warpid | mov.u32 %0, %%tid.x | mov.u32 %0, %%ntid.x
mov.u32 %0, %%lanemask_lt | mov.u32 %0, %%lanemask_ge | activemask.b32 %0 | rem.u32 %0, %1, 10 | div.u32 %0, %1, 7
shfl.sync.idx.b32 %0, %1, %3, 0x1f, 0xffffffff | shfl.sync.up.b32 %0, %1, 3, 0, 0xffffffff
shfl.sync.down.b32 %0, %1, 5, 0x181f, 0xffffffff | shfl.sync.bfly.b32 %0, %1, 12, 0x181f, 0xffffffff
shfl.sync.up.b32 %0, %1, 2, 0x1c00, 0xffffffff | redux.sync.add.s32 %0, %1, 0xffffffff
redux.sync.max.u32 %0, %1, 0xffffffff | redux.sync.xor.b32 %0, %1, 0xffffffff
match.any.sync.b32 %0, %3, 0xffffffff
{ .reg .b32 x, y; mov.b32 x, 0x40003C00; mov.b32 y, 0x3C004400; fma.rn.f16x2 %0, x, y, x }
{ .reg .b32 x, y; mov.b32 x, 0x40003C00; mov.b32 y, 0x3C004400; add.f16x2 x, x, y; mul.f16x2 %0, x, y }
{ .reg .b32 x, y; mov.b32 x, 0x40003C00; mov.b32 y, 0x3C004400; max.f16x2 %0, x, y }
{ .reg .b32 x, y; mov.b32 x, 0x40403F80; mov.b32 y, 0x3F804040; fma.rn.bf16x2 %0, x, y, x }
{ .reg .b32 x, y; mov.b32 x, 0x40403F80; mov.b32 y, 0x3F804040; min.bf16x2 x, x, y; sub.bf16x2 %0, x, y }
{ .reg .pred p; setp.gt.s32 p, %1, %2; selp.b32 %0, 7, 9, p }
{ .reg .pred p, q; setp.lt.u32 p|q, %1, %2; selp.u32 %0, %1, %2, q }
{ .reg .pred p, q; setp.ne.b32 q, %3, 0; setp.lo.and.u32 p, %1, %2, q; selp.u32 %0, 1, 0, p }
{ .reg .pred p, q; setp.ge.s32 p, %1, 0; not.pred q, p; @q mov.u32 %0, 3; @!q mov.u32 %0, %1 }
{ .reg .pred p; .reg .b32 v; setp.gt.u32 p, %1, %2; vote.sync.ballot.b32 v, p, 0xffffffff; mov.u32 %0, v }
{ .reg .pred p, q; setp.gt.u32 p, %1, %2; vote.sync.any.pred q, p, 0xffffffff; selp.u32 %0, 1, 0, q }
{ .reg .b32 t<2>; add.u32 t0, %1, %2; xor.b32 t1, t0, %3; mov.u32 %0, t1 }
{ .reg .b16 lo, hi; mov.b32 {lo, hi}, %1; mov.b32 %0, {hi, lo} }
{ .reg .u64 w; mul.wide.u32 w, %1, %2; shr.u64 w, w, 16; cvt.u32.u64 %0, w }
{ .reg .s64 w; mad.wide.s32 w, %1, %2, 5; cvt.u32.s64 %0, w }
{ .reg .u64 w; .reg .b32 lo, hi; mov.b64 w, {%1, %2}; shl.b64 w, w, 9; mov.b64 {lo, hi}, w; xor.b32 %0, lo, hi }
{ .reg .f32 a; cvt.rn.f32.s32 a, %1; mul.f32 a, a, 0f3F000000; cvt.rni.s32.f32 %0, a }
{ .reg .f32 a; cvt.rz.f32.u32 a, %1; cvt.rzi.u32.f32 %0, a } | cvt.sat.u8.s32 %0, %1 | cvt.sat.s8.s32 %0, %1
cvt.sat.s16.s32 %0, %1 | cvt.u8.u32 %0, %1 | cvt.s8.s32 %0, %1 | cvt.sat.s32.u32 %0, %1 | cvt.sat.u32.s32 %0, %1
"""

FLOAT = """
add.f32 %0, %1, %2 | add.rn.f32 %0, %1, %2 | sub.rn.f32 %0, %1, %2 | mul.f32 %0, %1, 0f3FC00000
mul.rn.ftz.f32 %0, %1, %2 | fma.rn.f32 %0, %1, %2, %3 | min.f32 %0, %1, %2 | max.ftz.f32 %0, %1, %2
neg.f32 %0, %1 | abs.f32 %0, %1 | add.sat.f32 %0, %1, %2 | mul.sat.f32 %0, %1, %2 | copysign.f32 %0, %1, %2
div.rn.f32 %0, %1, %2 | cvt.rni.f32.f32 %0, %1 | cvt.rmi.f32.f32 %0, %1 | cvt.rpi.ftz.f32.f32 %0, %1
cvt.rzi.f32.f32 %0, %1 | cvt.sat.f32.f32 %0, %1 | sqrt.rn.f32 %0, %4 | rcp.rn.f32 %0, %4
{ .reg .pred p; setp.ltu.f32 p, %1, %2; selp.f32 %0, %1, %2, p }
{ .reg .pred p; setp.ne.f32 p, %1, 0f00000000; @p mul.f32 %0, %1, %2; @!p mov.f32 %0, %3 }
{ .reg .pred p; setp.num.f32 p, %1, %2; selp.f32 %0, 0f3F800000, 0f40000000, p }
{ .reg .b16 h; cvt.rn.f16.f32 h, %1; cvt.f32.f16 %0, h } | { .reg .b16 h; cvt.rz.f16.f32 h, %1; cvt.f32.f16 %0, h }
{ .reg .b16 h; cvt.rn.bf16.f32 h, %1; cvt.f32.bf16 %0, h }
{ .reg .b32 h; cvt.rn.f16x2.f32 h, %4, %5; mov.b32 %0, h } | { .reg .b32 h; cvt.rn.bf16x2.f32 h, %5, %3; mov.b32 %0, h }
{ .reg .s32 i; cvt.rzi.s32.f32 i, %1; cvt.rn.f32.s32 %0, i; abs.f32 %0, %0 }
"""

APPROXIMATE = """
ex2.approx.ftz.f32 %0, %5 | lg2.approx.f32 %0, %4 | rcp.approx.ftz.f32 %0, %4 | rsqrt.approx.f32 %0, %4
sqrt.approx.f32 %0, %4 | sin.approx.f32 %0, %5 | cos.approx.f32 %0, %5 | tanh.approx.f32 %0, %5
div.approx.f32 %0, %5, %4 | div.full.f32 %0, %5, %4
"""


def instructions(text: str) -> list[str]:
    return [
        part.strip() + (";" if part.strip()[-1] != "}" else "")
        for line in text.split("\n")
        for part in line.split(" | ")
        if part.strip()
    ]


def both(
    text: str, inputs: list[Array], outputs: list[Array], block: int = THREADS
) -> tuple[list[Array], list[Array]]:
    """The outputs of the original and of the translation."""
    translation = translate(SourceFile("k.cu", text))
    assert translation.translated, as_text(translation.diagnostics)
    interface = translation.translated[0].interface
    assert interface is not None
    executor, results = CpuExecutor(threads=1), []
    for kernel in (KernelText("cuda", text, "k"), KernelText("msl", emit_metal([interface]), "k")):
        given = [a.copy() for a in outputs]
        outcome = executor.load(kernel).run([*inputs, *given], Launch((1, 1, 1), (block, 1, 1), 0))
        assert outcome.status is Status.OK, outcome
        results.append(given)
    return results[0], results[1]


def kernel(rows: list[str], result: str, letter: str, inputs: list[str], declared: str) -> str:
    """Every row on the same operands, each into its own column."""
    operands = ", ".join(inputs)
    lines = [
        f'  {{ {result} v = 0; asm volatile("{row}" : "={letter}"(v) : {operands}); out[{i} * {THREADS} + t] = v; }}'
        for i, row in enumerate(rows)
    ]
    return (
        f"__global__ void k(const {result}* in, {result}* out) {{\n  int t = threadIdx.x; {declared}\n"
        + "\n".join(lines)
        + "\n}\n"
    )


def bits(seed: int) -> Array:
    """Random words, some small, and the edges."""
    random = np.random.default_rng(seed)
    words = random.integers(0, 1 << 32, THREADS, dtype=np.uint64).astype(np.uint32)
    words[:64] %= 40
    words[64:72] = [0, 1, 31, 32, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 33]
    return words


def test_integer_instructions() -> None:
    rows = instructions(INTEGER)
    source = np.concatenate(
        [bits(1), bits(2), np.random.default_rng(3).integers(0, 70, THREADS).astype(np.uint32)]
    )
    declared = f"unsigned a = in[t], b = in[{THREADS} + t], c = in[2 * {THREADS} + t];"
    text = kernel(rows, "unsigned", "r", ['"r"(a)', '"r"(b)', '"r"(c)'], declared)
    (original,), (translated,) = both(text, [source], [np.zeros(len(rows) * THREADS, np.uint32)])
    assert len(np.unique(original)) > 1000
    for row, a, b in zip(rows, original.reshape(-1, THREADS), translated.reshape(-1, THREADS), strict=True):
        assert np.array_equal(a, b), (row, np.flatnonzero(a != b)[:5], a[a != b][:5], b[a != b][:5])


@pytest.mark.parametrize(
    ("text", "tolerance"), [(FLOAT, 0.0), (APPROXIMATE, 2e-6)], ids=["exact", "approximate"]
)
def test_float_instructions(text: str, tolerance: float) -> None:
    rows = instructions(text)
    random = np.random.default_rng(5)
    source = random.normal(0, 100, 5 * THREADS).astype(np.float32)
    source[:8] = source[THREADS : THREADS + 8] = [0.0, -0.0, 0.5, 1.5, -2.5, 65504.0, 1e9, 0.25]
    source[8:12], source[THREADS + 10 : THREADS + 14] = np.nan, np.nan
    source[3 * THREADS : 4 * THREADS] = np.abs(source[3 * THREADS : 4 * THREADS]) + 0.125
    source[4 * THREADS :] /= 50
    declared = " ".join(f"float {n} = in[{i} * {THREADS} + t];" for i, n in enumerate("abcde"))
    inputs = [f'"f"({n})' for n in "abcde"]
    (original,), (translated,) = both(
        kernel(rows, "float", "f", inputs, declared), [source], [np.zeros(len(rows) * THREADS, np.float32)]
    )
    for row, a, b in zip(rows, original.reshape(-1, THREADS), translated.reshape(-1, THREADS), strict=True):
        if tolerance:
            assert np.allclose(a, b, rtol=tolerance, atol=tolerance), row
        else:
            same = (a.view(np.uint32) == b.view(np.uint32)) | (np.isnan(a) & np.isnan(b))
            assert same.all(), (row, a[~same][:5], b[~same][:5])


MEMORY = r"""
__device__ unsigned shared(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__global__ void k(const unsigned* in, unsigned* out, float* sums, unsigned* tops) {
  __shared__ __align__(16) unsigned s[256]; __shared__ unsigned d[256];
  unsigned t = threadIdx.x, v, x, y, z, w; unsigned short h;
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %2, 0; mov.u32 %0, 7; @p ld.global.cg.u32 %0, [%1]; }"
               : "=r"(v) : "l"(in + t), "r"((int)(t & 1)));
  out[t] = v;
  asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "l"(in + 4 * t));
  asm volatile("st.shared.v2.b32 [%0], {%1, %2};" :: "r"(shared(s + 2 * t)), "r"(x + y), "r"(z + w) : "memory");
  unsigned to = shared(d + 4 * t);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;" :: "r"(to), "l"(in + 4 * t), "r"(t < 16 ? 16 : 6));
  asm volatile("cp.async.commit_group;"); asm volatile("cp.async.wait_group 0;");
  asm volatile("bar.sync 0;" ::: "memory");
  asm volatile("{ .reg .b32 r; ld.shared.u32 r, [%1+4]; add.u32 %0, r, 1; }" : "=r"(v) : "r"(shared(s + 2 * (t ^ 1))));
  out[32 + t] = v;
  for (int i = 0; i < 4; ++i) out[64 + 4 * t + i] = d[4 * t + i];
  asm volatile("ld.global.u16 %0, [%1+2];" : "=h"(h) : "l"(in + t));
  asm volatile("ld.global.s8 %0, [%1];" : "=r"(v) : "l"((const char*)in + t));
  out[192 + t] = v ^ h;
  asm volatile("{ .reg .u64 p; cvta.to.global.u64 p, %1; ld.global.u32 %0, [p]; }" : "=r"(v) : "l"(in + 2 * t));
  out[224 + t] = v;
  asm volatile("atom.shared.add.u32 %0, [%1], %2;" : "=r"(v) : "r"(shared(&s[0])), "r"(1));
  asm volatile("st.global.cs.v2.u32 [%0+8], {%1, %2};" :: "l"(out + 256 + 2 * t), "r"(t), "r"(t * t) : "memory");
  asm volatile("red.global.add.f32 [%0], %1;" :: "l"(sums), "f"(0.5f) : "memory");
  asm volatile("red.relaxed.gpu.global.add.noftz.f16x2 [%0], %1;" :: "l"(sums + 1), "r"(0x40003C00u));
  asm volatile("red.global.max.u32 [%0], %1;" :: "l"(tops), "r"(in[t]) : "memory");
  asm volatile("red.global.or.b32 [%0], %1;" :: "l"(tops + 1), "r"(1u << t) : "memory");
}"""


def test_memory() -> None:
    source = np.random.default_rng(7).integers(0, 1 << 32, 192, dtype=np.uint64).astype(np.uint32)
    outputs = [np.zeros(340, np.uint32), np.zeros(2, np.float32)]
    # `tops` is read and written: MLX hands the translation the old value and a fresh output, so it starts at 0.
    translation = translate(SourceFile("k.cu", MEMORY))
    assert translation.translated, as_text(translation.diagnostics)
    interface = translation.translated[0].interface
    assert interface is not None
    executor, launch = CpuExecutor(threads=1), Launch((1, 1, 1), (32, 1, 1), 0)
    first = [a.copy() for a in [*outputs, np.zeros(2, np.uint32)]]
    assert executor.load(KernelText("cuda", MEMORY, "k")).run([source, *first], launch).status is Status.OK
    second = [a.copy() for a in [*outputs, np.zeros(2, np.uint32)]]
    given = [source, np.zeros(2, np.uint32), *second]
    outcome = executor.load(KernelText("msl", emit_metal([interface]), "k")).run(given, launch)
    assert outcome.status is Status.OK, outcome
    t = np.arange(32)
    assert first[0][:32].tolist() == np.where(t % 2 == 1, source[:32], 7).tolist()
    assert first[0][64 : 64 + 64].tolist() == source[:64].tolist()
    for a, b in zip(first, second, strict=True):
        assert np.array_equal(a.view(np.uint32), b.view(np.uint32)), (a, b)
