"""The emitted module, run with a stand-in for MLX's back ends that records what it is asked to launch."""

import sys
import types
from dataclasses import replace
from functools import partial
from typing import Any

import interfaces
import pytest
from mlx_oracle import generated_by_mlx
from recorder import Recorder

from cu2mlx.transpiler.binding.generator import Instance, generated_source
from cu2mlx.transpiler.binding.interface import KernelInterface, Parameter, Role
from cu2mlx.transpiler.binding.module import emit_module
from cu2mlx.transpiler.binding.signature import TemplateValue, nullable_constants

mx = pytest.importorskip("mlx.core")


def load(*emitted: KernelInterface) -> types.ModuleType:
    module = types.ModuleType("emitted")
    exec(compile(emit_module(emitted, "kernels.cu"), "emitted.py", "exec"), module.__dict__)
    return module


def arange(size: int, dtype: Any = None) -> Any:
    return mx.arange(size).astype(dtype or mx.float32)


def test_launch_from_host_code(metal: Recorder) -> None:
    c = load(interfaces.VECTOR_ADD).vector_add(arange(1000), arange(1000), 1000)
    assert (c.shape, c.dtype) == ((1000,), mx.float32)
    (call,) = metal.launched
    assert (call["grid"], call["threadgroup"]) == ((1024, 1, 1), (256, 1, 1))
    assert [(a.shape, a.dtype) for a in call["inputs"]][2] == ((), mx.int32)
    assert metal.made[0]["input_names"] == ["a", "b", "n"]
    assert call["template"] is None and call["init_value"] is None


def test_grid_follows_the_block_that_the_caller_passes(metal: Recorder) -> None:
    load(interfaces.VECTOR_ADD).vector_add(arange(1000), arange(1000), 1000, block=100)
    assert (metal.launched[0]["grid"], metal.launched[0]["threadgroup"]) == ((1000, 1, 1), (100, 1, 1))


def test_a_default_grid_for_one_block_size_only(metal: Recorder) -> None:
    site = replace(interfaces.VECTOR_ADD.launches[0], grid=("(n + 255) / 256",), block=("256",))
    vector_add = load(replace(interfaces.VECTOR_ADD, launches=(site,))).vector_add
    vector_add(arange(300), arange(300), 300)
    assert metal.launched[0]["grid"] == (512, 1, 1)
    with pytest.raises(
        ValueError, match=r"vector_add: pass grid=.*CUDA source has <<<\(n \+ 255\) / 256, 256>>>"
    ):
        vector_add(arange(300), arange(300), 300, block=64)


def test_explicit_launch_counts_blocks(metal: Recorder) -> None:
    y = arange(64)
    load(interfaces.SAXPY).saxpy(64, 2.0, y, y, grid=(4, 2), block=(8, 1, 2))
    assert (metal.launched[0]["grid"], metal.launched[0]["threadgroup"]) == ((32, 2, 2), (8, 1, 2))


def test_template_type_is_deduced_and_values_follow_it(metal: Recorder) -> None:
    x = arange(16, mx.bfloat16)
    load(interfaces.SAXPY).saxpy(16, 2, x, x, grid=1, block=16)
    (call,) = metal.launched
    assert call["template"] == [("T", mx.bfloat16)]
    assert [a.dtype for a in call["inputs"]] == [mx.int32, mx.bfloat16, mx.bfloat16, mx.bfloat16, mx.uint32]
    assert call["inputs"][4].item() == 16
    assert call["output_dtypes"] == [mx.bfloat16]


@pytest.mark.parametrize("size", [0, 1, 7])
def test_small_arrays_are_padded_to_device_memory(metal: Recorder, size: int) -> None:
    x = arange(size)
    y = load(interfaces.SAXPY).saxpy(size, 1.0, x, x, grid=1, block=32)
    if size:
        assert [a.size for a in metal.launched[0]["inputs"]] == [1, 1, 8, 8, 1]
        assert metal.launched[0]["inputs"][2].tolist() == x.tolist() + [0] * (8 - size)
    else:
        assert not metal.launched
    assert y.shape == (size,)


def test_accumulated_and_inout_results(metal: Recorder) -> None:
    metal.fill = 5
    data, bins, last = arange(300, mx.uint8), arange(256, mx.uint32), mx.array([-1, 8], dtype=mx.int32)
    counted, changed = load(interfaces.HISTOGRAM).histogram(data, bins, last, 300, BINS=256)
    assert counted.tolist() == [5 + bin for bin in range(256)]
    assert (changed.dtype, changed.tolist()) == (mx.int32, [-1 ^ 5, 8 ^ 5])
    (call,) = metal.launched
    assert call["output_dtypes"] == [mx.uint32, mx.uint32]
    assert call["init_value"] == 0
    assert call["template"] == [("BINS", 256), ("dynamic_shared_bytes", 1024)]
    assert call["grid"] == (512, 1, 1)


def test_small_elements_get_whole_words(metal: Recorder) -> None:
    parameters = (
        replace(interfaces.HISTOGRAM.parameters[1], dtype="float16"),
        interfaces.HISTOGRAM.parameters[3],
    )
    add = load(replace(interfaces.HISTOGRAM, name="add", parameters=parameters)).add
    assert add(arange(3, mx.float16).reshape(1, 3), 3, grid=1, shared_bytes=0).tolist() == [[0, 1, 2]]
    assert metal.launched[0]["output_shapes"] == [(4,)]


def test_nothing_is_launched_on_an_empty_grid(metal: Recorder) -> None:
    module = load(interfaces.VECTOR_ADD, interfaces.HISTOGRAM)
    assert module.vector_add(arange(0), arange(0), 0).shape == (0,)
    last = mx.array([3], dtype=mx.int32)
    bins, same = module.histogram(arange(0, mx.uint8), arange(256, mx.uint32), last, 0)
    assert bins.tolist() == list(range(256)) and same.tolist() == [3]
    assert not metal.launched


def test_vectors_by_value_and_in_memory(metal: Recorder) -> None:
    scale4 = load(interfaces.SCALE4).scale4
    y = scale4(arange(16), (1, 2, 3, 4), grid_shape=(4, 4), grid=1, block=4)
    assert y.shape == (4, 4)
    assert metal.launched[0]["inputs"][1].tolist() == [1, 2, 3, 4]
    with pytest.raises(ValueError, match="holds 4-vectors"):
        scale4(arange(15), (1, 2, 3, 4), grid_shape=(4, 4), grid=1, block=4)
    with pytest.raises(ValueError, match=r"expected \(4,\)"):
        scale4(arange(16), (1, 2, 3), grid_shape=(4, 4), grid=1, block=4)


def test_unwritten_elements_can_be_given_a_value(metal: Recorder) -> None:
    load(interfaces.VECTOR_ADD).vector_add(arange(8), arange(8), 8, init_value=0.0)
    assert metal.launched[0]["init_value"] == 0.0


def test_kernels_are_made_once_and_named_after_their_text(metal: Recorder) -> None:
    module = load(
        interfaces.VECTOR_ADD, replace(interfaces.VECTOR_ADD, name="other", metal_body="threads_per_grid;")
    )
    assert not metal.made
    for _ in range(2):
        module.vector_add(arange(8), arange(8), 8)
        module.other(arange(8), arange(8), 8)
    assert len(metal.made) == 2
    assert len({made["name"].rpartition("_")[2] for made in metal.made}) == 2


def test_works_in_a_compiled_function(metal: Recorder) -> None:
    vector_add = load(interfaces.VECTOR_ADD).vector_add
    compiled = mx.compile(lambda a, b: vector_add(a, b, 100) + 1)
    assert compiled(arange(100), arange(100)).tolist() == [1.0] * 100


_N = arange(300)
_BAD_CALLS: list[tuple[KernelInterface, tuple[Any, ...], dict[str, Any], str]] = [
    (
        interfaces.VECTOR_ADD,
        (_N.astype(mx.float16), _N, 300),
        {},
        r"a is mx.float16, expected.*a\.astype",
    ),
    (interfaces.VECTOR_ADD, ([1.0, 2.0], _N, 2), {}, "a must be an mx.array, not list"),
    (interfaces.VECTOR_ADD, (_N, _N, 2.5), {"c_shape": 3}, r"n is a float.*pass int\(n\)"),
    (interfaces.VECTOR_ADD, (_N, _N, 2**31), {"c_shape": 3}, "does not fit in mlx.core.int32"),
    (interfaces.VECTOR_ADD, (_N, _N, _N), {"c_shape": 3, "grid": 1}, "n is one value, not an array"),
    (interfaces.VECTOR_ADD, (_N, _N, "3"), {"c_shape": 3, "grid": 1}, "n must be a number"),
    (interfaces.VECTOR_ADD, (_N, _N, 300), {"block": 2048}, "2048 threads, over 1024"),
    (interfaces.VECTOR_ADD, (_N, _N, 300), {"c_shape": (-1,)}, "negative"),
    (interfaces.VECTOR_ADD, (_N, _N, 300), {"block": 0}, "integers from 1 on"),
    (interfaces.VECTOR_ADD, (_N, _N, 300), {"grid": (1, 1, 1, 1)}, "one to three integers"),
    (interfaces.VECTOR_ADD, (_N, _N, 300), {"grid": 2**23}, "fewer than 2\\*\\*31"),
    (interfaces.SAXPY, (300, 2.0, _N, _N), {"block": 256}, "saxpy: pass grid="),
    (interfaces.SAXPY, (300, 2.0, _N, _N), {"grid": 256}, "saxpy: pass block="),
    (interfaces.SAXPY, (300, 2.0, _N, _N), {"grid": 1, "block": 513}, "513 threads, over 512"),
    (interfaces.SAXPY, (300, 2.0, _N, _N.astype(mx.int32)), {"grid": 1, "block": 1}, "y is mx.int32"),
    (interfaces.SCALE4, (_N, (1, 2, 3, 4)), {"grid": 1, "block": 1}, "pass grid_shape="),
]


@pytest.mark.parametrize(("interface", "arguments", "options", "message"), _BAD_CALLS)
def test_bad_calls_say_what_to_do(
    metal: Recorder,
    interface: KernelInterface,
    arguments: tuple[Any, ...],
    options: dict[str, Any],
    message: str,
) -> None:
    function = getattr(load(interface), interface.name)
    with pytest.raises(ValueError, match=message):
        function(*arguments, **options)
    assert not metal.launched


def test_shared_memory_is_asked_for_and_limited(metal: Recorder) -> None:
    silent = replace(interfaces.HISTOGRAM, launches=())
    arguments = (arange(300, mx.uint8), arange(256, mx.uint32), arange(1, mx.int32), 300)
    histogram = load(silent).histogram
    with pytest.raises(ValueError, match="pass shared_bytes="):
        histogram(*arguments, grid=1, block=32)
    with pytest.raises(ValueError, match="33792 bytes of shared memory; Metal has 32768"):
        histogram(*arguments, grid=1, block=32, shared_bytes=32768)
    histogram(*arguments, grid=1, block=32, shared_bytes=0)
    assert metal.launched[0]["template"][1] == ("dynamic_shared_bytes", 16)


def test_more_buffers_than_metal_binds(metal: Recorder) -> None:
    inputs = tuple(Parameter(f"x{i}", "const float*", Role.IN, "float32") for i in range(31))
    wide = replace(
        interfaces.VECTOR_ADD,
        name="wide",
        parameters=(*inputs, interfaces.VECTOR_ADD.parameters[2]),
        launches=(),
    )
    with pytest.raises(ValueError, match="32 buffers; Metal binds 31"):
        load(wide).wide(*[_N] * 31, c_shape=1, grid=1, block=1)
    assert not metal.launched


def test_cuda_back_end_runs_the_original(cuda: Recorder) -> None:
    c = load(interfaces.VECTOR_ADD).vector_add(arange(1000), arange(1000), 1000)
    assert c.shape == (1000,)
    (made,) = cuda.made
    assert made["header"] == interfaces.VECTOR_ADD.cuda_header
    assert made["input_names"] == ["a_argument", "b_argument", "n_argument"]
    assert made["output_names"] == ["c_argument"]
    assert made["source"].splitlines() == [
        "const float* a = (const float*)a_argument;",
        "const float* b = (const float*)b_argument;",
        "float* c = (float*)c_argument;",
        "int n = *n_argument;",
        "vector_add(a, b, c, n);",
    ]
    assert made["shared_memory"] == 0


def test_cuda_back_end_changes_private_copies(cuda: Recorder) -> None:
    cuda.fill = 7
    data, bins, last = arange(300, mx.uint8), arange(256, mx.uint32), mx.array([3], dtype=mx.int32)
    counted, changed = load(interfaces.HISTOGRAM).histogram(data, bins, last, 300)
    copy_in, kernel, copy_out = cuda.launched
    assert kernel["inputs"][1].size == 8, "the copy of `last`, padded"
    assert kernel["output_dtypes"] == [mx.uint32, mx.uint8]
    assert kernel["template"] == [("BINS", 256)]
    assert copy_in["inputs"][0].tolist() == [3, 0, 0, 0, 0, 0, 0, 0]
    assert copy_out["output_shapes"] == [(1,)]
    assert [made["name"].rpartition("_")[0] for made in cuda.made] == ["histogram", "cu2mlx"]
    assert cuda.made[0]["output_names"] == ["bins_argument", "done_argument"]
    assert cuda.made[0]["shared_memory"] == 1024
    assert counted.tolist() == [7 + bin for bin in range(256)] and changed.tolist() == [7]


@pytest.mark.parametrize("role", [Role.OUT, Role.OWNED, Role.INOUT, Role.ACCUMULATED])
def test_no_kernel_gets_an_output_without_elements(
    metal: Recorder, cuda: Recorder, role: Role, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MLX 0.32.4's CUDA back end crashes on one beside others."""
    bins, last = interfaces.HISTOGRAM.parameters[1:3]
    kernel = replace(
        interfaces.HISTOGRAM,
        parameters=(bins, replace(last, name="empty", role=role), interfaces.HISTOGRAM.parameters[3]),
    )
    empty = mx.zeros((2, 0), mx.int32)
    given = (arange(256, mx.uint32),) if role is Role.OUT else (arange(256, mx.uint32), empty)
    shapes = {"empty_shape": (2, 0)} if role is Role.OUT else {}
    for is_cuda in (True, False):
        monkeypatch.setattr(mx.cuda, "is_available", partial(bool, is_cuda))
        counted, same = load(kernel).histogram(*given, 300, grid=1, shared_bytes=0, **shapes)
        assert counted.shape == (256,) and (same.shape, same.dtype) == ((2, 0), mx.int32)
    assert cuda.launched and metal.launched
    for call in (*cuda.launched, *metal.launched):
        assert all(0 not in shape for shape in call["output_shapes"])
        assert all(array.size for array in call["inputs"])


def test_without_cuda_text_the_cuda_back_end_is_refused(cuda: Recorder) -> None:
    with pytest.raises(NotImplementedError, match="scale4"):
        load(interfaces.SCALE4).scale4(arange(16), (1, 2, 3, 4), grid_shape=16, grid=1, block=4)


def test_cpu_machine_takes_the_place_of_metal(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder()
    emulate = types.ModuleType("cu2mlx.runtime.emulate")
    emulate.metal_kernel = recorder.construct  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "cu2mlx.runtime.emulate", emulate)
    monkeypatch.setenv("CU2MLX_DEVICE", "cpu")
    load(interfaces.VECTOR_ADD).vector_add(arange(8), arange(8), 8)
    assert len(recorder.launched) == 1


def test_without_a_gpu_the_error_names_the_cpu_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: Any) -> Any:
        raise RuntimeError("[metal_kernel] No Metal back-end.")

    monkeypatch.setattr(mx.fast, "metal_kernel", lambda **_: refuse)
    monkeypatch.setattr(mx.metal, "is_available", lambda: False)
    with pytest.raises(RuntimeError, match="No Metal back-end") as caught:
        load(interfaces.VECTOR_ADD).vector_add(arange(8), arange(8), 8)
    assert any("CU2MLX_DEVICE=cpu" in note for note in caught.value.__notes__)


def test_texts_survive_in_literals(metal: Recorder) -> None:
    for body in ('a\\n"quoted"', 'x"""y\\', "tab\tand\\\n", '"', "\x0c form feed"):
        kernel = replace(interfaces.VECTOR_ADD, metal_body=body)
        load(kernel).vector_add(arange(8), arange(8), 8)
        assert metal.made[-1]["source"] == body


def test_mlx_generates_what_the_replica_says() -> None:
    """The emitted module through MLX's own generator, against generated_source of the same interface."""
    script = (
        emit_module(interfaces.ALL, "kernels.cu")
        + """
x, y = mx.zeros((5,)), mx.zeros((500,))
export(lambda x: vector_add(x, x, 5), x)
export(lambda y: saxpy(500, 2.0, y, y, grid=2, block=256), y.astype(mx.float16))
bytes_ = mx.zeros((9,), mx.uint8)
export(lambda b: histogram(b, mx.zeros((256,), mx.uint32), mx.zeros((1,), mx.int32), 9, BINS=64), bytes_)
export(lambda y: scale4(y, (1, 2, 3, 4), grid_shape=500, grid=1, block=125), y)
export(lambda y: biased(None, y, y, 500, T=mx.float16, sums=False)[:2], y)
"""
    )
    values: list[dict[str, TemplateValue]] = [
        {},
        {"T": "float16"},
        {"BINS": 64, "dynamic_shared_bytes": 256},
        {},
        {"T": "float16", **nullable_constants(interfaces.BIASED.parameters, ("bias", "sums"))},
    ]
    expected = [generated_source(i, Instance(v)) for i, v in zip(interfaces.ALL, values, strict=True)]
    assert generated_by_mlx(script) == expected
