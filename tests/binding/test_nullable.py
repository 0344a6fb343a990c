"""Arrays that may be left out: what the module takes, hands to MLX and returns, and what the kernels then compute."""

from itertools import combinations
from types import ModuleType

import interfaces
import pytest
from mlx_oracle import generated_by_mlx
from recorder import Recorder
from test_module import load

from cu2mlx.runtime.cpu.executor import CpuExecutor
from cu2mlx.transpiler.binding.cuda_text import cuda_body
from cu2mlx.transpiler.binding.generator import Instance, generated_source
from cu2mlx.transpiler.binding.interface import KernelInterface
from cu2mlx.transpiler.binding.module import emit_module
from cu2mlx.transpiler.binding.signature import nullable_constants
from cu2mlx.transpiler.pipeline import translate
from cu2mlx.transpiler.source import read_source
from tests.golden.test_golden_sources import FOLDER

mx = pytest.importorskip("mlx.core")
needs_compiler = pytest.mark.skipif(
    CpuExecutor().unavailable() is not None, reason="no C++ compiler for the CPU machine"
)


@pytest.fixture
def biased() -> ModuleType:
    return load(interfaces.BIASED)


@needs_compiler
@pytest.mark.parametrize(
    "missing", [m for n in range(4) for m in combinations(("bias", "scale", "state"), n)]
)
@pytest.mark.parametrize("sums", [True, False])
def test_what_is_missing_is_not_used(
    biased: ModuleType, monkeypatch: pytest.MonkeyPatch, missing: tuple[str, ...], sums: bool
) -> None:
    monkeypatch.setenv("CU2MLX_DEVICE", "cpu")
    arrays = {
        name: None if name in missing else mx.random.normal((40,)) for name in ("bias", "scale", "state")
    }
    y, got_sums, got_state = _in_order(
        biased.biased(*arrays.values(), 40, T=mx.float32, grid=2, block=32, sums=sums, sums_shape=40)
    )
    expected = mx.ones((40,)) if arrays["scale"] is None else arrays["scale"]
    expected = expected if arrays["bias"] is None else expected + arrays["bias"]
    assert mx.allclose(y, expected)
    assert (got_sums is None) if not sums else mx.allclose(got_sums, 2 * expected)
    if arrays["state"] is None:
        assert got_state is None
    else:
        assert mx.allclose(got_state, arrays["state"] + expected)


def _in_order(results: "tuple[mx.array | None, ...]") -> "tuple[mx.array | None, ...]":
    state, y, sums = results
    return y, sums, state


def test_metal_gets_small_arrays_and_constants(metal: Recorder, biased: ModuleType) -> None:
    biased.biased(None, mx.ones((32,)), None, 32, T=mx.float16, sums=False)
    (call,) = metal.launched
    assert [array.size for array in call["inputs"]] == [8, 32, 8, 1, 1]
    assert [array.dtype for array in call["inputs"]][:3] == [mx.float16, mx.float32, mx.float32]
    assert call["inputs"][3].item() == 0  # cu_size_of_state
    assert call["output_shapes"] == [(1,), (32,), (1,)]
    assert dict(call["template"]) == {
        "T": mx.float16,
        "cu_has_bias": False,
        "cu_has_scale": True,
        "cu_has_state": False,
        "cu_has_sums": False,
    }


def test_cuda_gets_null_pointers(cuda: Recorder, biased: ModuleType) -> None:
    y, sums = biased.biased(mx.ones((32,)), mx.ones((32,)), None, 32)[1:]
    given = [dict(call["template"]) for call in cuda.launched]
    (constants,) = [each for each in given if "cu_has_bias" in each]
    assert not constants["cu_has_state"] and constants["cu_has_sums"]
    assert sums.shape == y.shape == (32,)
    body = cuda_body(interfaces.BIASED)
    assert "const T* bias = cu_has_bias ? (const T*)bias_argument : nullptr;" in body
    assert "float* state = cu_has_state ? (float*)state_in_argument : nullptr;" in body
    assert "float* sums = cu_has_sums ? (float*)sums_argument : nullptr;" in body
    assert "float* y = (float*)y_argument;" in body


def test_defaults_that_ask_a_missing_array_are_asked_for(metal: Recorder, biased: ModuleType) -> None:
    x = mx.ones((64,))
    state, _, sums = biased.biased(x, x, x, 64)
    assert metal.launched[0]["grid"] == (64, 1, 1) and sums.shape == state.shape == (64,)
    with pytest.raises(ValueError, match=r"pass sums_shape=\(\.\.\.\)"):
        biased.biased(x, None, x, 64)
    with pytest.raises(ValueError, match=r"pass grid=\(x, y, z\)"):
        biased.biased(x, None, x, 64, sums=False)
    assert biased.biased(x, None, x, 64, sums=False, grid=2)[2] is None


def test_the_dtype_of_arrays_that_are_all_missing(metal: Recorder, biased: ModuleType) -> None:
    scale = mx.ones((32,))
    with pytest.raises(ValueError, match="biased: pass T="):
        biased.biased(None, scale, None, 32)
    biased.biased(mx.ones((32,), mx.bfloat16), scale, None, 32)
    assert dict(metal.launched[0]["template"])["T"] == mx.bfloat16


def test_given_arrays_are_checked_as_ever(metal: Recorder, biased: ModuleType) -> None:
    with pytest.raises(ValueError, match=r"scale is mx.float16, expected mx.float32"):
        biased.biased(None, mx.ones((8,), mx.float16), None, 8, T=mx.float32)
    with pytest.raises(ValueError, match=r"bias must be an mx.array, not float"):
        biased.biased(1.0, mx.ones((8,)), None, 8)


def test_other_arrays_are_needed(metal: Recorder) -> None:
    with pytest.raises(ValueError, match="vector_add: b is None, but neither the kernel nor a launch"):
        load(interfaces.VECTOR_ADD).vector_add(mx.ones((8,)), None, 8)


def _translated(name: str) -> KernelInterface:
    translation = translate(read_source(FOLDER / "pointers" / "nullable.cu"))
    (found,) = (k.interface for k in translation.translated if k.function.name == name)
    assert found is not None
    return found


def test_what_the_translator_finds() -> None:
    found = {
        name: [p.name for p in _translated(name).parameters if p.nullable]
        for name in ("asked", "handed_on", "of_members", "written", "typed", "needed", "flagged")
    }
    assert found == {
        "asked": ["bias", "mask", "shift", "keep", "scale", "extra", "last"],
        "handed_on": ["bias", "scale", "table"],
        "of_members": ["p_bias", "p_sums"],
        "written": ["lse", "state", "total", "chain"],
        "typed": ["bias", "shift"],
        "needed": [],
        "flagged": ["bias", "copy"],
    }


def test_mlx_generates_what_is_checked() -> None:
    """With and without arrays, to the byte."""
    interface = _translated("written")
    text = emit_module([interface], "nullable.cu")
    calls = {
        (): "k(x, x, x, x, 8, out_shape=8, lse_shape=8, grid=1, block=8)",
        ("lse", "state", "chain"): "k(x, None, x, None, 8, out_shape=8, lse=False, grid=1, block=8)",
    }
    for absent, call in calls.items():
        script = (
            f"{text}\nk = written\nexport(lambda x: [r for r in {call} if r is not None], mx.ones((8,)))\n"
        )
        (source,) = generated_by_mlx(script)
        instance = Instance(nullable_constants(interface.parameters, absent))
        assert source == generated_source(interface, instance)
