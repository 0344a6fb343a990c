"""verify finds what it is there to find: a wrong, hanging, faulty or uncompilable translation, bad inputs."""

from dataclasses import replace

import pytest

from cu2mlx.runtime.cpu.executor import CpuExecutor
from cu2mlx.runtime.inputs import make_inputs
from cu2mlx.runtime.spec import parse_spec
from cu2mlx.runtime.verify import CaseResult, Verdict, verify_kernel
from cu2mlx.runtime.verify.case import Sides, run_case
from cu2mlx.transpiler.pipeline import translate
from cu2mlx.transpiler.source import SourceFile

SOURCE = SourceFile(
    "scale.cu",
    """// Twice the neighbour of each element, from shared memory.
__global__ void scale(const float* x, float* y, int n) {
  __shared__ float tile[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x] = i < n ? x[i] : 0.0f;
  __syncthreads();
  if (i < n) y[i] = tile[threadIdx.x ^ 1] * 2.0f;
}
""",
)
SPEC = """
kernel = "scale"
grid = ["ceildiv(n, 64)"]
block = [64]
[args.x]
dtype = "float32"
shape = ["n"]
[args.y]
dtype = "float32"
shape = ["n"]
output = true
[args.n]
dtype = "int32"
[[cases]]
name = "ragged"
n = 100
"""


def run(old: str, new: str, *, checked: bool = False, timeout: float = 20) -> CaseResult:
    """The case with one change to the translation's body."""
    translation = translate(SOURCE)
    (kernel,) = translation.kernels
    assert kernel.interface is not None and old in kernel.interface.metal_body
    changed = replace(kernel.interface, metal_body=kernel.interface.metal_body.replace(old, new))
    spec = parse_spec(SPEC)
    sides = Sides(translation, replace(kernel, interface=changed))
    inputs = make_inputs(spec, spec.cases[0], 1)
    return run_case(sides, inputs, (CpuExecutor(), CpuExecutor()), checked=checked, timeout=timeout)


def test_the_unchanged_one_is_the_same() -> None:
    result = verify_kernel(SOURCE, parse_spec(SPEC), seeds=(1, 2), checked=True)
    assert result.same and result.bitwise and len(result.cases) == 2


def test_a_template_that_is_launched_for_several_classes_goes_by_its_own_name() -> None:
    source = SourceFile(
        "apply.cu",
        """struct Twice { __device__ float operator()(float v) const { return 2 * v; } };
struct Square { __device__ float operator()(float v) const { return v * v; } };
template <typename Op>
__global__ void apply(const float* x, float* y, int n) {
  int i = threadIdx.x;
  if (i < n) y[i] = Op()(x[i]);
}
void launch(const float* x, float* y) { apply<Twice><<<1, 64>>>(x, y, 64); apply<Square><<<1, 64>>>(x, y, 64); }
""",
    )
    assert len(translate(source).kernels) == 2
    spec = SPEC.replace('"scale"', '"apply"').replace("n = 100", "n = 50")
    for chosen in ("Twice", "Square"):
        asked = f'[template]\nOp = "{chosen}"\n[args.x]'
        result = verify_kernel(source, parse_spec(spec.replace("[args.x]", asked)))
        assert result.same and [case.case for case in result.cases] == ["ragged"]


def test_a_wrong_result() -> None:
    result = run("* 2.0f", "* 2.00001f")
    assert result.verdict is Verdict.DIFFERS
    assert result.comparison is not None
    (output,) = result.comparison.outputs
    assert output.mismatches > 50 and output.first_bad is not None and 0 < output.max_rel < 1e-4


def test_a_result_that_is_left_out() -> None:
    result = run("if (i < n) y[i]", "if (i < n - 1) y[i]")
    assert result.verdict is Verdict.DIFFERS
    assert result.comparison is not None and result.comparison.outputs[0].first_bad == (99,)


def test_a_hang() -> None:
    result = run("if (i < n) y[i]", "for (;;) y[i]", timeout=1)
    assert result.verdict is Verdict.FAILS and "timeout" in result.message


def test_a_text_that_does_not_compile() -> None:
    result = run("* 2.0f", "* undeclared_name")
    assert result.verdict is Verdict.FAILS and "undeclared_name" in result.message


def test_a_race_has_both_lines() -> None:
    result = run("threadgroup_barrier(mem_flags::mem_threadgroup);", "", checked=True)
    assert result.verdict is Verdict.FAULT
    assert {fault.kind for fault in result.faults} & {"race", "uninitialised"}
    assert {(fault.side, fault.cuda_line) for fault in result.faults} <= {("translation", n) for n in (5, 7)}
    assert all(fault.msl_line is not None for fault in result.faults)


def test_an_access_out_of_bounds_has_both_lines() -> None:
    result = run("x[i] :", "x[i + 100] :", checked=True)
    assert result.verdict is Verdict.FAULT
    (fault,) = result.faults
    assert (fault.side, fault.kind, fault.cuda_line) == ("translation", "out of bounds", 5)
    assert fault.msl_line is not None


def test_a_fault_of_the_original_is_at_its_line() -> None:
    faulty = SourceFile("scale.cu", SOURCE.text.replace("x[i] :", "x[i + 100] :"))
    result = verify_kernel(faulty, parse_spec(SPEC), checked=True)
    assert result.verdict is Verdict.FAULT
    assert {(f.side, f.cuda_line) for f in result.cases[0].faults} == {("original", 5), ("translation", 5)}


def test_inputs_that_prove_nothing() -> None:
    result = verify_kernel(SOURCE, parse_spec(SPEC.replace("n = 100", "n = 0")))
    assert result.verdict is Verdict.UNUSABLE


def test_a_spec_that_does_not_fit() -> None:
    result = verify_kernel(SOURCE, parse_spec(SPEC.replace("args.x", "args.z")))
    assert result.verdict is Verdict.UNUSABLE and "[args.x]" in result.cases[0].message


def test_a_refused_kernel() -> None:
    refused = SourceFile("scale.cu", SOURCE.text.replace("* 2.0f", "* (double)2.0"))
    result = verify_kernel(refused, parse_spec(SPEC))
    assert result.verdict is Verdict.REFUSED and "CU3" in result.diagnostics[0]


@pytest.mark.parametrize("kernel", ["other", "scale_rows"])
def test_an_unknown_kernel(kernel: str) -> None:
    result = verify_kernel(SOURCE, parse_spec(SPEC.replace('"scale"', f'"{kernel}"')))
    assert result.verdict is Verdict.UNUSABLE and "its kernels: scale" in result.cases[0].message


def test_a_launch_that_no_gpu_takes() -> None:
    result = verify_kernel(SOURCE, parse_spec(SPEC.replace("block = [64]", "block = [2048]")))
    assert result.verdict is Verdict.UNUSABLE and "2048 threads" in result.cases[0].message
