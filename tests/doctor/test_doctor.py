"""cu2mlx doctor, and the report that a Mac's owner sends back."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from cu2mlx import seeds
from cu2mlx.cli import doctor as cli
from cu2mlx.cli import steps
from cu2mlx.cli.output import CANNOT_RUN, DIFFERS, OK, UNUSABLE
from cu2mlx.runtime.cpu.executor import CpuExecutor
from cu2mlx.runtime.doctor import Need, examine, facts, full_report
from cu2mlx.runtime.doctor.report import TIMED, prepared, timing_case
from cu2mlx.runtime.spec import load_spec

SEEDS = Path(seeds.__file__).parent
needs_compiler = pytest.mark.skipif(CpuExecutor().unavailable() is not None, reason="no C++ compiler")


@needs_compiler
def test_this_machine_can_do_what_is_required() -> None:
    found = {each.name: each for each in examine()}
    assert [name for name, each in found.items() if each.need is Need.REQUIRED] == [
        "translate",
        "check",
        "cpu",
    ]
    for name in ("translate", "check", "cpu"):
        assert found[name].works, found[name].detail
    for each in found.values():
        assert each.detail and (each.works or each.install), "what is missing comes with a way to get it"


@needs_compiler
def test_json_and_exit_code() -> None:
    command = [sys.executable, "-m", "cu2mlx", "doctor", "--json"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    record = json.loads(ran.stdout)
    assert record["versions"]["python"] == sys.version.split()[0]
    assert {each["name"] for each in record["findings"]} >= {
        "translate",
        "check",
        "cpu",
        "mlx",
        "metal",
        "cuda",
    }


def test_without_a_compiler_it_fails_and_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CpuExecutor, "unavailable", lambda self: "no C++ compiler runs here")
    ran = CliRunner().invoke(cli.doctor, [])
    assert ran.exit_code == 1
    assert "FAILS    no C++ compiler runs here" in ran.output and "pip install ziglang" in ran.output


def test_a_missing_package_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> str:
        raise ImportError("No module named 'mlx'")

    probe = facts._Probe("mlx", Need.OPTIONAL, missing, "pip install mlx")
    monkeypatch.setattr(facts, "_PROBES", (probe,))
    (found,) = examine()
    assert not found.works and found.detail == "No module named 'mlx'" and found.install == "pip install mlx"


@needs_compiler
def test_the_report_of_one_seed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "_seed_specs", lambda: [SEEDS / "saxpy" / "task.toml"])
    monkeypatch.setattr(steps, "BENCHES", ("mamba1_scan/step.toml",))
    monkeypatch.setattr(steps, "SEARCHES", (("softmax", 1),))
    path = tmp_path / "report.json"
    ran = CliRunner().invoke(cli.doctor, ["--report", str(path)])
    assert ran.exit_code == 0, ran.output
    record = json.loads(path.read_text())
    (kernel,) = record["kernels"]
    assert kernel["translated"] and kernel["check"] == [] and kernel["verified"]["verdict"] == "same"
    assert kernel["spec"] == "saxpy/task.toml"
    assert record["target"] in ("cpu", "metal")
    (bench,), (search,) = record["bench"], record["search"]
    assert (
        bench["exit_code"] in (OK, CANNOT_RUN)
        and bench["command"] == "bench seeds/mamba1_scan/step.toml --json"
    )
    assert search["exit_code"] == OK and search["result"]["folder"], search["said"]
    assert record["target"] == "metal" or record["timing"] == []
    for folder in (SEEDS, tmp_path, Path.home()):
        assert str(folder) not in path.read_text()


def test_folders_of_this_computer_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", "/tmp")
    plain = steps._plain(f"{SEEDS}/softmax {Path.home()}: /tmp/tmpabc/0")
    assert plain == "seeds/softmax ~: tmp/tmpabc/0"


def test_a_step_that_fails_keeps_what_it_said() -> None:
    step = steps.run_step("bench", "nowhere", "--json")
    assert step["exit_code"] == UNUSABLE and "error" in step["result"] and "nowhere" in step["said"]
    assert steps.run_step("doctor", seconds=0.01)["exit_code"] is None


@needs_compiler
def test_a_failed_search_is_not_all_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "_seed_specs", lambda: [SEEDS / "saxpy" / "task.toml"])
    monkeypatch.setattr(steps, "BENCHES", ())
    monkeypatch.setattr(steps, "SEARCHES", (("nowhere", 1),))
    ran = CliRunner().invoke(cli.doctor, ["--report", str(tmp_path / "report.json")])
    assert ran.exit_code == DIFFERS
    assert json.loads((tmp_path / "report.json").read_text())["search"][0]["exit_code"] == UNUSABLE


def test_a_report_that_cannot_be_written_says_so_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(cli, "_seed_specs")  # nothing may be verified first
    (tmp_path / "file").touch()
    path = tmp_path / "file" / "report.json"
    ran = CliRunner().invoke(cli.doctor, ["--report", str(path)])
    assert ran.exit_code == UNUSABLE and f"error[CU1007]: {path}: cannot write" in ran.stderr


def test_a_wrong_kernel_shows_in_the_report(tmp_path: Path) -> None:
    source = (SEEDS / "saxpy" / "saxpy.cu").read_text()
    (tmp_path / "saxpy.cu").write_text(source.replace("int i =", "texture<float> t; int i ="))
    (tmp_path / "task.toml").write_text((SEEDS / "saxpy" / "task.toml").read_text())
    (kernel,) = full_report([tmp_path / "task.toml"], lambda text: None)["kernels"]
    assert kernel["verified"]["verdict"] != "same"


@pytest.mark.parametrize("name", TIMED)
def test_what_is_timed_on_a_mac_can_be_called(name: str) -> None:
    mx = pytest.importorskip("mlx.core")
    path = SEEDS / name
    spec = load_spec(path)
    smaller = {key: min(value, 64) for key, value in TIMED[name].items()}
    loaded, call = prepared(spec, path, timing_case(spec, smaller))
    assert len(call["inputs"]) == len(loaded.bound.inputs)
    assert all(isinstance(each, mx.array) for each in call["inputs"])
    assert callable(loaded.kernel())
