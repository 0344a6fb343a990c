"""Our own device side of GLM, translated and run on the CPU machine, against numpy."""

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
COUNT = 64


def run(body: str, inputs: list[Array], width: int) -> Array:
    """`body` for each thread t, with `a`, `b` pointing to its rows and `o` to its row of the result."""
    names = "ab"[: len(inputs)]
    rows = "\n".join(
        f"  const float* {n} = {n}_ + {array.shape[1]} * t;" for n, array in zip(names, inputs, strict=True)
    )
    text = (
        "#include <glm/glm.hpp>\n#include <glm/gtc/type_ptr.hpp>\n#include <glm/gtc/quaternion.hpp>\n"
        f"__global__ void k({', '.join(f'const float* {n}_' for n in names)}, float* out) {{\n"
        f"  int t = threadIdx.x;\n{rows}\n  float* o = out + {width} * t;\n  {body}\n}}\n"
    )
    translation = translate(SourceFile("k.cu", text))
    assert translation.translated, as_text(translation.diagnostics)
    interface = translation.translated[0].interface
    assert interface is not None
    kernel = CpuExecutor(threads=1).load(KernelText("msl", emit_metal([interface]), "k"))
    out = np.zeros((COUNT, width), np.float32)
    outcome = kernel.run([*inputs, out], Launch((1, 1, 1), (COUNT, 1, 1), 0))
    assert outcome.status is Status.OK, outcome
    return out


def random(width: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).normal(size=(COUNT, width)).astype(np.float32)


def test_vectors() -> None:
    a, b = random(3, 1), random(3, 2)
    body = """
    glm::vec3 u = glm::make_vec3(a), v(b[0], b[1], b[2]);
    glm::vec3 w = glm::cross(u, v) * 2.0f - u / 3.0f + 1.0f;
    w += -v;
    w[0] *= 2.0f;
    o[0] = w.x; o[1] = w.y; o[2] = w[2];
    o[3] = glm::dot(u, v); o[4] = glm::length(u);
    glm::fvec3 n = glm::normalize(glm::vec<3, float>(u));
    o[5] = n.x; o[6] = n.y; o[7] = n.z;
    glm::vec4 p(glm::vec3(glm::vec2(1.0f, 2.0f), 3.0f), 4.0f);
    o[8] = p.x + 10.0f * p.y + 100.0f * p.z + 1000.0f * p.w;
    """
    cross = np.cross(a, b) * 2 - a / 3 + 1 - b
    cross[:, 0] *= 2
    length = np.linalg.norm(a, axis=1, keepdims=True)
    want = np.hstack([cross, (a * b).sum(1, keepdims=True), length, a / length, np.full((COUNT, 1), 4321)])
    assert np.allclose(run(body, [a, b], 9), want, rtol=1e-5, atol=1e-5)


def test_common_functions() -> None:
    """By component; those of CUDA's own that are called alike stay CUDA's."""
    a, b = random(3, 10), random(3, 11)
    body = """
    glm::vec3 u = glm::make_vec3(a), v = glm::make_vec3(b);
    glm::vec3 r[6] = {glm::max(u, v), glm::min(u, 0.25f), glm::clamp(u, -0.5f, 0.5f), glm::abs(v) + glm::floor(u),
                      glm::ceil(u) * glm::fract(v), glm::pow(glm::sqrt(glm::abs(u)), glm::exp(v))};
    for (int i = 0; i < 18; ++i) o[i] = r[i / 3][i % 3];
    o[18] = max(a[0], b[0]) + min(a[1], std::sqrt(fabsf(b[1]))) + max(threadIdx.x / 64, 3u);
    """
    powered = np.sqrt(np.abs(a)) ** np.exp(b)
    parts = [np.maximum(a, b), np.minimum(a, 0.25), a.clip(-0.5, 0.5), np.abs(b) + np.floor(a)]
    last = np.maximum(a[:, :1], b[:, :1]) + np.minimum(a[:, 1:2], np.sqrt(np.abs(b[:, 1:2]))) + 3
    want = np.hstack([*parts, np.ceil(a) * (b - np.floor(b)), powered, last])
    assert np.allclose(run(body, [a, b], 19), want, rtol=1e-5, atol=1e-5)


def test_matrices_are_column_major() -> None:
    a, b = random(9, 3), random(9, 4)
    body = """
    glm::mat3 m = glm::make_mat3(a), n = glm::make_mat3(b);
    glm::mat3 p = m * glm::transpose(n) + glm::outerProduct(m[0], n[1]) * 0.5f;
    p -= glm::mat3(2.0f);
    for (int i = 0; i < 9; ++i) o[i] = p[i / 3][i % 3];
    glm::vec3 v = m * n[2], w = n[2] * m;
    for (int i = 0; i < 3; ++i) { o[9 + i] = v[i]; o[12 + i] = w[i]; }
    """
    m, n = a.reshape(-1, 3, 3).transpose(0, 2, 1), b.reshape(-1, 3, 3).transpose(0, 2, 1)
    p = m @ n.transpose(0, 2, 1) + 0.5 * m[:, :, 0, None] * n[:, None, :, 1] - 2 * np.eye(3)
    v, w = (m @ n[:, :, 2, None])[..., 0], (n[:, None, :, 2] @ m)[:, 0]
    want = np.hstack([p.transpose(0, 2, 1).reshape(-1, 9), v, w])
    assert np.allclose(run(body, [a, b], 15), want, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("size", [2, 3])
def test_inverse(size: int) -> None:
    a = random(size * size, 5) + 3 * np.eye(size, dtype=np.float32).reshape(1, -1)
    body = f"""
    glm::mat{size} m = glm::inverse(glm::make_mat{size}(a));
    for (int i = 0; i < {size * size}; ++i) o[i] = m[i / {size}][i % {size}];
    """
    want = np.linalg.inv(a.astype(np.float64).reshape(-1, size, size)).reshape(-1, size * size)
    assert np.allclose(run(body, [a], size * size), want, rtol=1e-3, atol=1e-3)


def test_rectangular_product() -> None:
    a, b = random(6, 6), random(9, 7)
    body = """
    glm::mat<3, 2, float> j(a[0], a[1], a[2], a[3], a[4], a[5]);
    glm::mat2 p = j * glm::make_mat3(b) * glm::transpose(j);
    for (int i = 0; i < 4; ++i) o[i] = p[i / 2][i % 2];
    """
    j, m = a.reshape(-1, 3, 2).transpose(0, 2, 1), b.reshape(-1, 3, 3).transpose(0, 2, 1)
    want = (j @ m @ j.transpose(0, 2, 1)).transpose(0, 2, 1).reshape(-1, 4)
    assert np.allclose(run(body, [a, b], 4), want, rtol=1e-4, atol=1e-4)


def test_quaternions() -> None:
    """Rotation and its matrix agree, the matrix gives the quaternion back, slerp turns evenly."""
    a, b = random(4, 8), random(3, 9)
    body = """
    glm::fquat q = glm::normalize(glm::fquat{a[0], a[1], a[2], a[3]});
    glm::mat3 m = glm::mat3_cast(q);
    glm::vec3 v = glm::make_vec3(b), r = glm::rotate(q, v), s = m * v;
    for (int i = 0; i < 3; ++i) { o[i] = r[i]; o[3 + i] = s[i]; }
    glm::fquat back = glm::quat_cast(m);
    o[6] = fabsf(glm::dot(q, back));
    glm::fquat half = glm::slerp(glm::fquat(1.0f, 0.0f, 0.0f, 0.0f), glm::fquat(0.0f, 0.0f, 0.0f, 1.0f), 0.5f);
    o[7] = half.w; o[8] = half.z;
    glm::fquat one = glm::inverse(q * 2.0f) * (q * 2.0f);
    o[9] = one.w; o[10] = one.x; o[11] = one.z;
    """
    out = run(body, [a, b], 12)
    q = (a / np.linalg.norm(a, axis=1, keepdims=True)).astype(np.float64)
    w, xyz = q[:, :1], q[:, 1:]
    once = np.cross(xyz, b)
    want = b + 2 * (w * once + np.cross(xyz, once))
    assert np.allclose(out[:, :3], want, atol=1e-5)
    assert np.allclose(out[:, 3:6], want, atol=1e-5)
    assert np.allclose(out[:, 6], 1, atol=1e-5)
    assert np.allclose(out[:, 7:9], np.sqrt(0.5), atol=1e-5)
    assert np.allclose(out[:, 9:], [1, 0, 0], atol=1e-5)


def test_layout_in_memory() -> None:
    text = (
        "#include <glm/glm.hpp>\n__global__ void k(const glm::vec3* a, glm::vec3* out) {\n"
        "  out[threadIdx.x] = a[threadIdx.x] * 2.0f;\n}\n"
    )
    interface = translate(SourceFile("k.cu", text)).translated[0].interface
    assert interface is not None
    a, out = random(3, 10), np.zeros((COUNT, 3), np.float32)
    kernel = CpuExecutor(threads=1).load(KernelText("msl", emit_metal([interface]), "k"))
    outcome = kernel.run([a.view(np.uint8), out.view(np.uint8)], Launch((1, 1, 1), (COUNT, 1, 1), 0))
    assert outcome.status is Status.OK, outcome
    assert np.array_equal(out, a * 2)
