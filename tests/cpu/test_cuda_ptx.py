"""Inline PTX on the CPU machine, against what the PTX manual says."""

import numpy as np
import pytest
from cuda_runner import run

from cu2mlx.runtime.cpu.ptx_source import rewrite_asm

# result constraint and C++ type, template, operands, value
ROWS = [
    ("r", "lop3.b32 %0, %1, %2, %3, 0x96;", ["0xF0F0u", "0x3333u", "5u"], 0xF0F0 ^ 0x3333 ^ 5),
    ("r", "lop3.b32 %0, %1, %2, %3, 0xCA;", ["0xFF00u", "0x1234u", "0x5678u"], 0x1278),
    ("r", "prmt.b32 %0, %1, %2, 0x5410;", ["0x33221100u", "0x77665544u"], 0x55441100),
    ("r", "prmt.b32 %0, %1, %2, %3;", ["0x33228100u", "0u", "0x9990u"], 0xFFFFFF00),
    ("r", "bfe.u32 %0, %1, 4, 8;", ["0x12345678u"], 0x67), ("r", "bfe.s32 %0, %1, 4, 4;", ["0xF0"], 0xFFFFFFFF),
    ("r", "bfe.u32 %0, %1, 28, 8;", ["0xF2345678u"], 0xF), ("r", "bfi.b32 %0, %1, %2, 8, 8;", ["0xABu", "0x11111111u"], 0x1111AB11),
    ("r", "shl.b32 %0, %1, 32;", ["1u"], 0), ("r", "shr.s32 %0, %1, 40;", ["-5"], 0xFFFFFFFF), ("r", "shr.u32 %0, %1, 4;", ["0x80000000u"], 0x08000000),
    ("r", "shf.l.wrap.b32 %0, %1, %2, %3;", ["0x80000000u", "1u", "1u"], 3), ("r", "mad.lo.s32 %0, %1, %2, %3;", ["-3", "5", "1"], 2**32 - 14),
    ("r", "mul.hi.u32 %0, %1, %2;", ["0xFFFFFFFFu", "7u"], 6), ("r", "add.sat.s32 %0, %1, %2;", ["0x7fffffff", "5"], 0x7FFFFFFF),
    ("l", "mul.wide.u32 %0, %1, %2;", ["0xFFFFFFFFu", "2u"], 0x1FFFFFFFE), ("l", "mad.wide.s32 %0, %1, %2, %3;", ["-2", "3", "10ll"], 4),
    ("l", "mov.b64 %0, {%1, %2};", ["7u", "1u"], 0x100000007), ("r", "popc.b32 %0, %1;", ["0xFFu"], 8), ("r", "clz.b32 %0, %1;", ["1u"], 31),
    ("r", "brev.b32 %0, %1;", ["1u"], 1 << 31), ("r", "bfind.u32 %0, %1;", ["0x100u"], 8), ("r", "not.b32 %0, %1;", ["0u"], 2**32 - 1),
    ("r", "min.s32 %0, %1, %2;", ["-1", "1"], 2**32 - 1), ("r", "max.u32 %0, %1, %2;", ["-1", "1"], 2**32 - 1), ("r", "abs.s32 %0, %1;", ["-7"], 7),
    ("r", "sad.u32 %0, %1, %2, %3;", ["3u", "10u", "1u"], 8), ("r", "dp4a.s32.s32 %0, %1, %2, %3;", ["0x01010101", "0xFF020304", "5"], 5 + 9 - 1),
    ("f", "fma.rn.f32 %0, %1, %2, %3;", ["2.0f", "3.0f", "1.0f"], 7), ("f", "ex2.approx.ftz.f32 %0, %1;", ["3.0f"], 8), ("f", "lg2.approx.f32 %0, %1;", ["8.0f"], 3),
    ("f", "rcp.approx.ftz.f32 %0, %1;", ["4.0f"], 0.25), ("f", "rsqrt.approx.f32 %0, %1;", ["4.0f"], 0.5), ("f", "add.f32 %0, %1, 0f3F800000;", ["2.0f"], 3),
    ("f", "max.f32 %0, %1, %2;", ["2.0f", "-1.0f"], 2), ("f", "mul.sat.f32 %0, %1, %2;", ["2.0f", "3.0f"], 1), ("f", "neg.f32 %0, %1;", ["2.0f"], -2),
    ("f", "cvt.f32.f16 %0, %1;", ["(unsigned short)0x3E00"], 1.5), ("h", "cvt.rn.f16.f32 %0, %1;", ["1.5f"], 0x3E00), ("h", "cvt.rn.bf16.f32 %0, %1;", ["1.5f"], 0x3FC0),
    ("r", "cvt.rn.f16x2.f32 %0, %1, %2;", ["1.0f", "2.0f"], 0x3C004000), ("r", "cvt.rn.bf16x2.f32 %0, %1, %2;", ["1.0f", "2.0f"], 0x3F804000),
    ("r", "cvt.rni.s32.f32 %0, %1;", ["2.5f"], 2), ("r", "cvt.rzi.u32.f32 %0, %1;", ["-3.0f"], 0), ("r", "cvt.sat.u8.s32 %0, %1;", ["300"], 255),
    ("f", "cvt.rn.f32.s32 %0, %1;", ["-3"], -3), ("l", "cvt.u64.u32 %0, %1;", ["5u"], 5), ("f", "cvt.rmi.f32.f32 %0, %1;", ["-1.5f"], -2),
    ("r", "fma.rn.f16x2 %0, %1, %2, %3;", ["0x40003C00u", "0x3C003C00u", "0x3C003C00u"], 0x42004000), ("r", "add.f16x2 %0, %1, %2;", ["0x3C003C00u", "0x3C004000u"], 0x40004200),
    ("r", "{ .reg .pred p; setp.gt.s32 p, %1, 3; selp.b32 %0, 7, 9, p; }", ["4"], 7), ("r", "{ .reg .pred p, q; setp.lt.f32 p|q, %1, 0f00000000; selp.b32 %0, 1, 2, q; }", ["1.0f"], 1),
    ("r", "{ .reg .b32 t<2>; mov.u32 t0, %1; add.u32 t1, t0, t0; mov.u32 %0, t1; }", ["21u"], 42), ("r", "mov.u32 %0, %%ntid.x;", [], 32), ("r", "mov.u32 %0, %laneid;", None, 3),
    ("r", "mov.u32 %0, %%lanemask_lt;", [], 7), ("r", "vote.sync.ballot.b32 %0, %1, 0xffffffff;", ["1u"], None), ("r", "activemask.b32 %0;", [], 2**32 - 1),
    ("r", "redux.sync.add.s32 %0, %1, 0xffffffff;", ["2"], 64), ("r", "set.lt.u32.f32 %0, %1, %2;", ["1.0f", "2.0f"], 2**32 - 1), ("r", "mov.b32 %0, 0x5;", [], 5),
]  # fmt: skip
KINDS = {"r": "unsigned", "l": "unsigned long long", "f": "float", "h": "unsigned short"}


def constraint(operand: str) -> str:
    if operand.startswith("(unsigned short)"):
        return "h"
    return "f" if operand.endswith("f") and "x" not in operand else "l" if operand.endswith("ll") else "r"


def test_instructions() -> None:
    """Lane 3's result of every row."""
    rows = [row for row in ROWS if row[3] is not None]
    lines = []
    for i, (kind, template, operands, _) in enumerate(rows):
        inputs = ", ".join(f'"{constraint(o)}"({o})' for o in operands or [])
        sections = f' : "={kind}"(v)' + (f" : {inputs}" if operands is not None else "")
        lines.append(
            f"__device__ void row{i}(double* out) {{ {KINDS[kind]} v = 0;"
            f' asm volatile("{template}"{sections}); if (threadIdx.x == 3) *out = double(v); }}'
        )
    calls = " ".join(f"row{i}(out + {i});" for i in range(len(rows)))
    out = np.zeros(len(rows))
    run("\n".join(lines) + f"\n__global__ void k(double* out) {{ {calls} }}", out)
    for value, (_, template, operands, want) in zip(out, rows, strict=True):
        assert value == want, (template, operands, value)


MEMORY = r"""
#include <cuda_fp16.h>
#define LOAD(value, pointer, guard) asm volatile( \
    "{\n"                                          \
    "  .reg .pred p;\n"                            \
    "  setp.ne.b32 p, %2, 0;\n"                    \
    "  mov.u32 %0, 7;\n"                           \
    "  @p ld.global.cg.u32 %0, [%1];\n"            \
    "}\n" : "=r"(value) : "l"(pointer), "r"((int)(guard)))
__device__ unsigned shared_address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__global__ void k(const unsigned* in, unsigned* out, float* sums, __half2* halves) {
  __shared__ __align__(16) unsigned s[128]; extern __shared__ unsigned d[];
  unsigned t = threadIdx.x, v, x, y, z, w;
  LOAD(v, in + t, t & 1);
  out[t] = v;
  asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "l"(in + 4 * t));
  asm volatile("st.shared.v2.b32 [%0], {%1, %2};" :: "r"(shared_address(s + 2 * t)), "r"(x + y), "r"(z + w) : "memory");
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;\n" :: "r"(shared_address(d + t)), "l"(in + t), "r"(t < 16 ? 4 : 0));
  asm volatile("cp.async.commit_group;\n" ::); asm volatile("cp.async.wait_group %0;\n" :: "n"(0));
  asm volatile("bar.sync 0;");
  asm volatile("ld.shared.u32 %0, [%1+4];" : "=r"(v) : "r"(shared_address(s + 2 * t)));
  out[32 + t] = v; out[64 + t] = d[t];
  asm volatile("red.global.add.f32 [%0], %1;" :: "l"(sums), "f"(0.5f) : "memory");
  unsigned old; asm volatile("atom.global.max.u32 %0, [%1], %2;" : "=r"(old) : "l"(sums + 1), "r"(t));
  asm volatile("red.relaxed.gpu.global.add.noftz.f16x2 [%0], %1;" :: "l"(halves), "r"(0x40003C00u));
  asm volatile("shfl.sync.bfly.b32 %0, %1, %2, %3, %4;" : "=r"(v) : "r"(t), "r"(1), "r"(0x1f), "r"(0xffffffff));
  out[96 + t] = v;
  asm volatile("shfl.sync.down.b32 %0, %1, 4, %2, 0xffffffff;" : "=r"(v) : "r"(t), "r"(((32 - 8) << 8) | 0x1f));
  out[128 + t] = v;
}"""


def test_memory_and_shuffles() -> None:
    source = np.arange(1000, 1128, dtype=np.uint32)
    out, sums, halves = np.zeros((5, 32), np.uint32), np.zeros(2, np.float32), np.zeros(2, np.float16)
    run(MEMORY, source, out, sums, halves, shared=128)
    t = np.arange(32)
    assert out[0].tolist() == np.where(t % 2 == 1, 1000 + t, 7).tolist()
    assert out[1].tolist() == (2 * 1000 + 8 * t + 5).tolist()
    assert out[2].tolist() == np.where(t < 16, 1000 + t, 0).tolist()
    assert out[3].tolist() == (t ^ 1).tolist()
    assert out[4].tolist() == np.where(t % 8 < 4, t + 4, t).tolist()
    assert sums[0] == 16
    assert sums[1:].view(np.uint32)[0] == 31
    assert halves.tolist() == [32, 64]


@pytest.mark.parametrize(("kind", "accumulate"), [("f16", "f32"), ("bf16", "f32"), ("f16", "f16")])
def test_tensor_core_product(kind: str, accumulate: str) -> None:
    """ldmatrix and mma.sync m16n8k16 with small integers, which every format holds."""
    text = """
    __global__ void k(const unsigned short* a, const unsigned short* b, float* out) {
      __shared__ __align__(16) unsigned short s[16 * 16], u[16 * 8];
      for (int i = threadIdx.x; i < 256; i += 32) s[i] = a[i];
      for (int i = threadIdx.x; i < 128; i += 32) u[i] = b[i];
      __syncthreads();
      int l = threadIdx.x; unsigned A[4], B[2]; float C[4] = {1, 2, 3, 4}; unsigned H[2] = {0x40003C00u, 0x44004200u};
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(A[0]), "=r"(A[1]), "=r"(A[2]), "=r"(A[3])
                   : "r"((unsigned)__cvta_generic_to_shared(s + (l % 16) * 16 + (l / 16) * 8)));
      asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(B[0]), "=r"(B[1])
                   : "r"((unsigned)__cvta_generic_to_shared(u + (l % 16) * 8)));
      PRODUCT
    }"""
    single = """asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.KIND.KIND.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(C[0]), "+f"(C[1]), "+f"(C[2]), "+f"(C[3]) : "r"(A[0]), "r"(A[1]), "r"(A[2]), "r"(A[3]), "r"(B[0]), "r"(B[1]));"""
    half = """asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%8,%9};"
        : "=r"(H[0]), "=r"(H[1]) : "r"(A[0]), "r"(A[1]), "r"(A[2]), "r"(A[3]), "r"(B[0]), "r"(B[1]), "r"(H[0]), "r"(H[1]));
      for (int i = 0; i < 4; ++i) C[i] = __half2float(__ushort_as_half((unsigned short)(H[i / 2] >> (16 * (i % 2)))));"""
    product = single.replace("KIND", kind) if accumulate == "f32" else half
    product += "for (int i = 0; i < 4; ++i) out[(l / 4 + 8 * (i / 2)) * 8 + 2 * (l % 4) + i % 2] = C[i];"
    random = np.random.default_rng(3)
    a, b = (
        random.integers(-4, 5, (16, 16)).astype(np.float32),
        random.integers(-4, 5, (16, 8)).astype(np.float32),
    )
    encode = (
        (lambda m: m.astype(np.float16))
        if kind == "f16"
        else (lambda m: (m.view(np.uint32) >> 16).astype(np.uint16))
    )
    out = np.zeros((16, 8), np.float32)
    run("#include <cuda_fp16.h>" + text.replace("PRODUCT", product), encode(a), encode(b), out)
    start = np.where(np.arange(16)[:, None] < 8, 1, 3) + np.arange(8) % 2
    assert np.array_equal(out, a @ b + start)


def test_unknown_ptx_stops_only_where_it_is_executed() -> None:
    text = '__device__ void never() { asm("wgmma.fence.sync.aligned;"); }\n__global__ void k(int* o, int go) { if (go) never(); *o = 1; }'
    out = np.zeros(1, np.int32)
    run(text, out, np.int32(0))
    assert out[0] == 1
    with pytest.raises(
        AssertionError, match=r"kernel\.cu:1: inline PTX: wgmma\.fence\.sync\.aligned is not covered"
    ):
        run(text, out, np.int32(1))


def test_lines_of_macros_stay() -> None:
    text = '#define M(x) asm("mov.u32 %0, 5;" \\\n  : "=r"(x) \\\n )\nint after;'
    rewritten = rewrite_asm(text)
    assert rewritten.split("\n")[3] == "int after;"
    assert all(line.endswith("\\") for line in rewritten.split("\n")[:2])
