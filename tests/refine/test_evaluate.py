"""The evaluation of candidates on the CPU machine; cheats are in test_audit.py."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from test_device import stand_in

from cu2mlx import seeds
from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate.cascade import evaluate, promote
from cu2mlx.refine.evaluate.speed_limit import least_seconds
from cu2mlx.refine.evaluate.trial import Bench
from cu2mlx.refine.evaluate.verdict import Status, Timing, Verdict
from cu2mlx.refine.task import Task, load_task
from cu2mlx.runtime.cpu import msl_source
from cu2mlx.runtime.cpu.executor import CpuExecutor

pytestmark = pytest.mark.skipif(
    CpuExecutor().unavailable() is not None, reason="no C++ compiler for the CPU machine"
)
SEEDS = Path(seeds.__file__).parent
GOLDENS = Path(__file__).parents[1] / "golden"


@pytest.fixture(scope="module")
def saxpy() -> Bench:
    return Bench(load_task(SEEDS / "saxpy"), CpuExecutor(), seconds=5)


@pytest.mark.parametrize("seed", ["saxpy", "rms_norm", "block_sum"])  # owned, inout and accumulated outputs
def test_the_baseline_passes(seed: str) -> None:
    bench = Bench(load_task(SEEDS / seed), CpuExecutor())
    verdict = evaluate(bench, bench.task.seed)
    assert verdict.passed, verdict.message
    assert verdict.score is None and "not timed" in verdict.message
    assert promote(bench, bench.task.seed).passed


@pytest.mark.parametrize("kernel", ["blend", "polynomial"])
def test_values_that_go_over_as_arrays(kernel: str) -> None:
    task = load_task(GOLDENS / "binding" / f"many_scalars.{kernel}.spec.toml")
    assert any(buffer.packed for buffer in task.binding.inputs)
    verdict = evaluate(Bench(task, CpuExecutor()), task.seed)
    assert verdict.passed, verdict.message
    on_device = stand_in().check(task, task.seed)
    assert on_device is None, on_device.message


def test_the_original_is_the_oracle_without_a_reference(saxpy: Bench) -> None:
    bench = Bench(replace(saxpy.task, reference=None), CpuExecutor())
    assert evaluate(bench, bench.task.seed).passed
    seed = bench.task.seed
    wrong = replace(seed, body=seed.body.replace("a * x[i]", "a + x[i]"))
    assert evaluate(bench, wrong).status is Status.WRONG


def test_launch_numbers(saxpy: Bench) -> None:
    seed = saxpy.task.seed
    assert evaluate(saxpy, replace(seed, grid=("ceildiv(n, 64)",), block=("64",))).passed
    assert evaluate(saxpy, replace(seed, block=("64",))).status is Status.WRONG  # too few threads
    for block, message in (("2048", "2048 threads per group"), ("size(", "cannot read"), ("m", "m")):
        verdict = evaluate(saxpy, replace(seed, block=(block,)))
        assert verdict.status is Status.REFUSED and message in verdict.message
    verdict = evaluate(saxpy, replace(seed, numbers=(("n", 1),)))
    assert verdict.status is Status.REFUSED and "not among the tunables" in verdict.message
    assert evaluate(saxpy, replace(seed, grid=("1 << 30",), block=("64",))).status is Status.REFUSED


def test_a_launch_tells_nothing_of_held_out_cases(saxpy: Bench) -> None:
    """Both have too many threads; only the name of the one that prompts show anyway is told."""
    large = replace(saxpy.task.shown[0], name="secret", sizes=(("n", 99_999),))
    bench = replace(saxpy, task=replace(saxpy.task, held_out=(large,)))
    by_size = replace(bench.task.seed, block=("n",))
    assert "case 'multiple of the block'" in evaluate(bench, by_size).message
    by_size = replace(bench.task.seed, block=("ceildiv(n, 64)",))
    verdict = evaluate(bench, by_size)
    assert (
        verdict.status is Status.REFUSED
        and "1563 threads per group for a case that is not shown" in verdict.message
    )
    none = evaluate(bench, replace(bench.task.seed, block=("max(0, ceildiv(90000 - n, 1000))",)))
    assert none.message == "the launch is none for a case that is not shown"


def test_a_tunable_number_changes_the_launch() -> None:
    bench = Bench(load_task(SEEDS / "softmax"), CpuExecutor())
    assert evaluate(bench, bench.task.seed.with_numbers({"BLOCK": 128})).passed
    verdict = evaluate(bench, bench.task.seed.with_numbers({"BLOCK": 96}))
    assert "BLOCK = 96 is not among the tunables: BLOCK in [32, 64" in verdict.message


def test_messages_quote_the_line(saxpy: Bench) -> None:
    verdict = evaluate(saxpy, Candidate("", "y[0] = y_in[0];\nfloat z = no_such(1);\n"))
    assert verdict.status is Status.ILL_TYPED
    assert "no_such" in verdict.message and "| float z = no_such(1);" in verdict.message


def test_faults_name_the_buffer_and_quote_the_line(saxpy: Bench) -> None:
    verdict = evaluate(saxpy, Candidate("", "y[0] = y_in[0];\nfloat z = x[n + 5];\ny[0] += z;\n"))
    assert verdict.status is Status.FAULT
    assert "`x`, which has" in verdict.message and "argument" not in verdict.message
    assert "| float z = x[n + 5];" in verdict.message and verdict.message.count("out of bounds") == 1


def test_a_wrong_result_is_told_in_the_first_line(saxpy: Bench) -> None:
    seed = saxpy.task.seed
    verdict = evaluate(saxpy, replace(seed, body=seed.body.replace("a * x", "2 * a * x")))
    assert verdict.status is Status.WRONG and seed.body.count("a * x")
    assert "y (float32): DIFFERS" in verdict.message.splitlines()[0]


@dataclass
class FixedDevice:
    """A device that always takes 2 µs; `held_out` is what it finds there."""

    held_out: Verdict | None = None
    device: str = "a stopwatch"

    def compile(self, task: Task, candidate: Candidate) -> None: ...

    def check(self, task: Task, candidate: Candidate) -> Verdict | None:
        return None

    def check_held_out(self, task: Task, candidate: Candidate) -> Verdict | None:
        return self.held_out

    def time(self, task: Task, candidate: Candidate) -> Timing:
        return Timing(self.device, 2e-6, 3e-6, 0.01, 1.4, 1.6)


def test_a_device_scores_only_what_is_correct(saxpy: Bench) -> None:
    assert evaluate(saxpy, saxpy.task.seed, device=FixedDevice()).score == pytest.approx(150)
    wrong = Candidate("", "y[0] = 0;")
    assert evaluate(saxpy, wrong, device=FixedDevice()).score is None


def test_no_kernel_is_faster_than_its_data_can_be_moved(saxpy: Bench) -> None:
    """The stopwatch says 2 µs."""
    verdict = evaluate(saxpy, saxpy.task.seed, device=FixedDevice(), least_seconds=5e-6)
    assert verdict.status is Status.CHEAT and "moving the data takes 5.00e-06 s" in verdict.message
    assert evaluate(saxpy, saxpy.task.seed, device=FixedDevice(), least_seconds=1e-6).passed


def test_moving_the_data_takes_its_time(saxpy: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """With MLX's CPU as the device; small cases are in its cache, and then nothing is said."""
    pytest.importorskip("mlx.core")
    monkeypatch.setattr("cu2mlx.refine.arena.COPIED_BYTES", 1 << 22)  # enough for a CPU
    device = stand_in()
    assert least_seconds(saxpy.task, device) == 0
    all_cases = least_seconds(saxpy.task, device, uncached=1)
    moved = sum(4 * 3 * dict(case.sizes)["n"] for case in saxpy.task.shown)  # x, y before and after
    assert moved / 1e12 < all_cases < moved / 1e8
    spec = replace(saxpy.task.spec, optimize={"reads_all": False})
    assert least_seconds(replace(saxpy.task, spec=spec), device, uncached=1) == 0


def test_held_out_cases_are_checked_on_the_device_too(saxpy: Bench) -> None:
    seed = saxpy.task.seed
    assert promote(saxpy, seed, device=FixedDevice()).passed
    differs = Verdict(Status.WRONG, "held-out", "wrong on the device")
    assert promote(saxpy, seed, device=FixedDevice(differs)) == differs


def test_verdict_round_trip() -> None:
    for timing in (None, Timing("d", 1.0, 2.0, 0.1, 1.9, 2.1)):
        verdict = Verdict(Status.PASSED, "timing", "m", timing)
        assert Verdict.from_json(verdict.as_json()) == verdict


def test_a_text_is_read_once_for_all_stages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three stages run each shown case; cases of the same types share an instance."""
    read: list[str] = []

    def translation_unit(text: str, entry: str, constants: Mapping[int, str]) -> str:
        read.append(text)
        return original(text, entry, constants)

    original = msl_source.translation_unit
    monkeypatch.setattr(msl_source, "translation_unit", translation_unit)
    bench = Bench(load_task(SEEDS / "softmax"), CpuExecutor())
    seed = bench.task.seed
    candidate = replace(seed, body=f"{seed.body}\nuint only_here = 0;\n")
    assert evaluate(bench, candidate).passed
    assert sorted(read) == sorted(set(read)) and len(read) <= len(bench.task.shown)


def test_a_device_compiles_what_is_within_the_limits(saxpy: Bench) -> None:
    compiled: list[Candidate] = []

    class Compiling(FixedDevice):
        def compile(self, task: Task, candidate: Candidate) -> None:
            compiled.append(candidate)

    evaluate(saxpy, Candidate("", 'asm("trap;");'), device=Compiling())
    assert not compiled
    assert evaluate(saxpy, saxpy.task.seed, device=Compiling()).passed
    assert compiled == [saxpy.task.seed]
