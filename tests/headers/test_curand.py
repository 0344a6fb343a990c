"""Our own Philox generator, translated and run on the CPU machine, against the authors' known answers and numpy's
own generator of the same algorithm, and against the CPU machine's cuRAND for what cuRAND adds.
"""

import numpy as np

from cu2mlx.runtime.cpu.executor import CpuExecutor
from cu2mlx.runtime.protocol import KernelText, Launch, Status, Value
from cu2mlx.transpiler.binding.metal import emit_metal
from cu2mlx.transpiler.diagnostics.text import as_text
from cu2mlx.transpiler.pipeline import translate
from cu2mlx.transpiler.source import SourceFile

THREADS = 64
WORDS = """#include <curand_kernel.h>
__global__ void k(unsigned* out, unsigned long long seed, unsigned long long offset) {
  curandStatePhilox4_32_10_t state;
  curand_init(seed, threadIdx.x, offset, &state);
  unsigned* o = out + 12 * threadIdx.x;
  for (int i = 0; i < 6; ++i) o[i] = curand(&state);
  uint4 four = curand4(&state);
  o[6] = four.x; o[7] = four.y; o[8] = four.z; o[9] = four.w;
  o[10] = curand(&state);
  o[11] = curand(&state);
}
"""
FLOATS = """#include <curand_kernel.h>
__global__ void k(float* out, unsigned long long seed, unsigned long long offset) {
  curandStatePhilox4_32_10_t state;
  curand_init(seed, threadIdx.x, offset, &state);
  float* o = out + 12 * threadIdx.x;
  o[0] = curand_uniform(&state);
  float4 u = curand_uniform4(&state);
  o[1] = u.x; o[2] = u.y; o[3] = u.z; o[4] = u.w;
  o[5] = curand_normal(&state); o[6] = curand_normal(&state); o[7] = curand_normal(&state);
  float4 n = curand_normal4(&state);
  o[8] = n.x; o[9] = n.y; o[10] = n.z; o[11] = n.w;
}
"""


def run(kind: str, text: str, out: np.ndarray, seed: int, offset: int) -> np.ndarray:  # type: ignore[type-arg]
    scalars = [np.array([seed], np.uint64), np.array([offset], np.uint64)]
    if kind == "msl":
        translation = translate(SourceFile("k.cu", text))
        assert translation.translated, as_text(translation.diagnostics)
        interface = translation.translated[0].interface
        assert interface is not None
        kernel = CpuExecutor(threads=1).load(KernelText("msl", emit_metal([interface]), "k"))
        arguments = [*(Value(s.tobytes()) for s in scalars), out]
    else:
        kernel = CpuExecutor(threads=1).load(KernelText("cuda", text, "k"))
        arguments = [out, *(Value(s.tobytes()) for s in scalars)]
    outcome = kernel.run(arguments, Launch((1, 1, 1), (THREADS, 1, 1), 0))
    assert outcome.status is Status.OK, outcome
    return out


def philox(counter: list[int], key: list[int]) -> list[int]:
    """Philox 4x32-10, from the paper."""
    c, k = list(counter), list(key)
    for _ in range(10):
        first, second = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [second >> 32 ^ c[1] ^ k[0], second & 0xFFFFFFFF, first >> 32 ^ c[3] ^ k[1], first & 0xFFFFFFFF]
        k = [(k[0] + 0x9E3779B9) & 0xFFFFFFFF, (k[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return c


def test_known_answers() -> None:
    assert philox([0] * 4, [0] * 2) == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
    out = run("msl", WORDS, np.zeros((THREADS, 12), np.uint32), 0, 0)
    assert out[0, :4].tolist() == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]


def test_sequences_and_offsets() -> None:
    seed, offset = 0x123456789ABCDEF0, 0x7FFFFFFFE
    out = run("msl", WORDS, np.zeros((THREADS, 12), np.uint32), seed, offset)
    key = [seed & 0xFFFFFFFF, seed >> 32]
    for thread in (0, 1, 63):
        words: list[int] = []
        for block in range(offset // 4, offset // 4 + 5):
            words += philox([block & 0xFFFFFFFF, block >> 32, thread, 0], key)
        assert out[thread].tolist() == words[offset % 4 :][:12]


def test_floats_match_the_original() -> None:
    for offset in (0, 3):
        ours = run("msl", FLOATS, np.zeros((THREADS, 12), np.float32), 42, offset)
        original = run("cuda", FLOATS, np.zeros((THREADS, 12), np.float32), 42, offset)
        assert np.array_equal(ours[:, :5], original[:, :5])
        assert np.allclose(ours, original, rtol=2e-5, atol=2e-5)
        assert (ours[:, :5] > 0).all()
        assert (ours[:, :5] <= 1).all()
