"""cu2mlx optimize from the command line."""

import json
import shlex
import shutil
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cu2mlx import seeds
from cu2mlx.cli import main
from cu2mlx.refine.budget import Options
from cu2mlx.refine.propose.reply import SEPARATOR
from cu2mlx.refine.propose.rules import RulesProposer
from cu2mlx.refine.run import started
from cu2mlx.refine.settings import Settings
from cu2mlx.refine.task import load_task
from cu2mlx.runtime.cpu.executor import CpuExecutor

pytestmark = pytest.mark.skipif(
    CpuExecutor().unavailable() is not None, reason="no C++ compiler for the CPU machine"
)
SEEDS = Path(seeds.__file__).parent
SAXPY = str(SEEDS / "saxpy")


def optimize(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["optimize", *arguments])


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run of the rules on saxpy, complete."""
    result = optimize(SAXPY, "-o", str(tmp_path / "run"), "--rounds", "2")
    assert result.exit_code == 0, result.output
    return tmp_path / "run"


def test_a_run_leaves_its_folder(run: Path) -> None:
    assert {path.name for path in run.iterdir()} == {
        "run.json",
        "journal.jsonl",
        "result.json",
        "best_mlx.py",
        "candidates",
        "report.html",
    }
    result = json.loads((run / "result.json").read_text())
    assert result["baseline_correct"] and result["best_is_baseline"] and not result["timed"]
    compile((run / "best_mlx.py").read_text(), "best_mlx.py", "exec")


def test_a_complete_run_has_nothing_to_resume(run: Path) -> None:
    before = (run / "journal.jsonl").read_bytes()
    assert optimize("--resume", str(run)).exit_code == 0
    assert (run / "journal.jsonl").read_bytes() == before


def test_a_run_that_was_stopped_at_once(run: Path, tmp_path: Path) -> None:
    journal = run / "journal.jsonl"
    journal.write_text(journal.read_text().splitlines(keepends=True)[0])
    result = optimize("--replay", str(run), "-o", str(tmp_path / "again"))
    assert "0 rounds, 0 candidates besides the baseline" in result.stdout


def test_a_program_as_the_model(tmp_path: Path) -> None:
    """It proposes one node and then always the same kernel; a fence of the wrong kind and talk around it."""
    node = 'insert under root { title: "fma" description: "use fma" score: 0.5 difficulty: 1 gain: 1.1 }'
    body = "if (thread_position_in_grid.x < uint(n)) { uint i = thread_position_in_grid.x; y[i] = fma(a, x[i], y_in[i]); }"
    code = f"""
import sys
prompt = sys.stdin.read()
if "You plan how" in prompt: print({node!r})
elif "You make a GPU kernel faster" in prompt: print("Sure!\\n~~~c++\\n{SEPARATOR}\\n{body}\\n~~~")
else: print("I am done")
"""
    command = shlex.join([sys.executable, "-c", code])
    result = optimize(SAXPY, "--proposer", f"command:{command}", "-o", str(tmp_path / "run"), "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert [each["status"] for each in found["candidates"]] == ["passed", "passed"]
    assert found["world"]["nodes"][1]["state"] == "solved"
    assert len(list((tmp_path / "run" / "candidates").iterdir())) == 1


@pytest.mark.parametrize(
    ("code", "ended"),
    [
        (
            "print('I do not know.')",
            "none of 3 replies proposes a decision to try; the last one: cannot read the edits",
        ),
        ("raise SystemExit(7)", "exit code 7: nothing on standard error"),
    ],
)
def test_a_program_that_gives_nothing_to_try(code: str, ended: str, tmp_path: Path) -> None:
    command = shlex.join([sys.executable, "-c", code])
    result = optimize(SAXPY, "--proposer", f"command:{command}", "-o", str(tmp_path / "run"), "--json")
    assert result.exit_code == 2 and ended in json.loads(result.stdout)["ended"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give either TASK, --resume RUN or --replay RUN"),
        ([SAXPY, "--replay", "x"], "give either TASK"),
        (["no-such-task"], "cannot be run|cannot be read|a task is a folder"),
        (["host.cu"], "host.cu: has no __global__ function"),
        (["no-such-file.cu"], "no-such-file.cu: cannot be read"),
        ([SAXPY, "--proposer", "magic"], "say rules, openai or command:PROGRAM"),
        ([SAXPY, "--proposer", "command:no-such-program"], "no-such-program: no such program"),
        ([SAXPY, "--hardware", "abacus"], "apple-m1-m2"),
        ([SAXPY, "--model", "m@-1"], "weight above 0"),
        ([SAXPY, "--budget-usd", "1"], "rules has no price"),
        (["--resume", "no-such-run"], "cannot be read"),
        (["--replay", "no-such-run"], "cannot be read"),
    ],
)
def test_bad_input(
    arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("host.cu").write_text("int main() { return 0; }\n")
    result = optimize(*arguments)
    assert result.exit_code == 2, result.output
    assert any(each in result.stderr for each in message.split("|"))


def test_a_run_is_not_overwritten(run: Path) -> None:
    result = optimize(SAXPY, "-o", str(run))
    assert result.exit_code == 2 and "holds a run already" in result.stderr


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A copy of saxpy, and a run of it."""
    shutil.copytree(SAXPY, tmp_path / "saxpy")
    assert optimize(str(tmp_path / "saxpy"), "-o", str(tmp_path / "run"), "--rounds", "2").exit_code == 0
    return tmp_path


def test_a_changed_task_is_noticed(own: Path) -> None:
    source = own / "saxpy" / "saxpy.cu"
    source.write_text(source.read_text().replace("a * x[i] + y[i]", "y[i] + a * x[i]"))
    result = optimize("--resume", str(own / "run"))
    assert result.exit_code == 2 and "the task's files have changed" in result.stderr
    result = optimize("--replay", str(own / "run"))
    assert (
        result.exit_code == 0 and "the task's files have changed; the replay uses what was" in result.stderr
    )


def test_another_translation_changes_no_replay(own: Path) -> None:
    """As a later version of the translator would leave it: the journal has a seed that nobody makes today."""
    run = own / "run"
    first, *rest = (run / "journal.jsonl").read_text().splitlines(keepends=True)
    body = json.loads(first)["outcome"]["interface"]["metal_body"]
    assert "a * x[i]" in body
    spaced = body.replace("a * x[i]", "a  *  x[i]")
    older = first.replace(json.dumps(body), json.dumps(spaced))
    older += "".join(line.replace("a * x[i]", "a  *  x[i]") for line in rest)
    (run / "journal.jsonl").write_text(older)
    for name in ("result.json", "report.html", "best_mlx.py"):
        (run / name).unlink()
    replayed = []
    for name in ("one", "two"):
        result = optimize("--replay", str(run), "-o", str(own / name))
        assert result.exit_code == 0 and "today's translation differs" in result.stderr
        replayed.append({file.name: file.read_bytes() for file in (own / name).iterdir() if file.is_file()})
    assert replayed[0] == replayed[1]
    assert replayed[0]["journal.jsonl"] == older.encode() and b"a  *  x[i]" in replayed[0]["best_mlx.py"]
    result = optimize("--resume", str(run))
    assert result.exit_code == 0 and "goes on with what it began with" in result.stderr


def test_a_replay_needs_no_files_of_the_task(own: Path) -> None:
    shutil.rmtree(own / "saxpy")
    before = {file.name: file.read_bytes() for file in (own / "run").iterdir() if file.is_file()}
    result = optimize("--replay", str(own / "run"), "-o", str(own / "again"))
    assert result.exit_code == 0 and "cannot be loaded today" in result.stderr
    after = {file.name: file.read_bytes() for file in (own / "again").iterdir() if file.is_file()}
    assert after == before and set(after) == {
        "run.json", "journal.jsonl", "result.json", "report.html", "best_mlx.py",
    }  # fmt: skip


def test_a_cuda_file_is_a_task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = f"{SAXPY}/saxpy.cu"
    asked = optimize(file)
    assert asked.exit_code == 2 and "pass --arg n=N" in asked.stderr
    result = optimize(file, "--arg", "n=1000", "-o", "run", "--rounds", "1")
    assert result.exit_code == 0, result.output
    assert (tmp_path / "tasks" / "saxpy" / "task.toml").exists()
    result = json.loads((tmp_path / "run" / "result.json").read_text())
    assert result["baseline_correct"] and result["task"] == "saxpy"
    assert [each.name for each in load_task(tmp_path / "tasks" / "saxpy").tunables] == ["block_threads"]
    for arguments, message in (
        (["--kernel", "none"], "no kernel 'none'"),
        (["--arg", "n=x"], "NAME=NUMBER"),
        (["--arg", "m=3"], "--arg m: saxpy takes none; there are grid, block, shared, n"),
    ):
        wrong = optimize(file, *arguments)
        assert wrong.exit_code == 2 and message in wrong.stderr


def test_macros_of_a_cuda_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    source = "__global__ void scale(float* x, int n) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) x[i] *= BY; }"
    (tmp_path / "scale.cu").write_text(source)
    arguments = ["scale.cu", "--arg", "n=100", "--rounds", "1", "-o"]
    assert optimize(*arguments, "without").exit_code == 2
    result = optimize(*arguments, "run", "-D", "BY=3.5f")
    assert result.exit_code == 0, result.output
    assert "3.5f" in load_task(tmp_path / "tasks" / "scale").seed.header
    assert optimize("--resume", "run", "--rounds", "2").exit_code == 0


def test_headers_of_a_cuda_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    source = '#include "by.cuh"\n__global__ void scale(float* x, int n) { if (threadIdx.x < n) x[threadIdx.x] *= by(); }'
    (tmp_path / "scale.cu").write_text(source)
    (tmp_path / "headers").mkdir()
    (tmp_path / "headers" / "by.cuh").write_text("__device__ inline float by() { return 2.5f; }\n")
    arguments = ["scale.cu", "--arg", "n=32", "--rounds", "1", "-o"]
    assert optimize(*arguments, "without").exit_code == 2
    result = optimize(*arguments, "run", "-I", "headers")
    assert result.exit_code == 0, result.output
    assert "2.5f" in load_task(tmp_path / "tasks" / "scale").seed.header
    assert optimize("--resume", "run", "--rounds", "2").exit_code == 0


def test_outputs_that_the_original_does_not_fill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two blocks write two rows of 64: the others hold whatever, in the original too, and are no difference."""
    monkeypatch.chdir(tmp_path)
    result = optimize(f"{SEEDS}/softmax/softmax.cu", "--arg", "cols=100", "-o", "run", "--rounds", "1")
    assert result.exit_code == 0, result.output
    assert json.loads((tmp_path / "run" / "result.json").read_text())["baseline_correct"]


def test_progress_says_where_the_search_is_and_what_it_tries(tmp_path: Path) -> None:
    seen: list[tuple[str | None, str]] = []
    settings = Settings(SAXPY, options=Options(rounds=2, budget_usd=3))
    started(settings, RulesProposer(), tmp_path / "run", lambda line, status: seen.append((line, status)))
    lines = [line for line, _ in seen if line is not None]
    tried = [status for line, status in seen if line is None]
    assert lines[0].startswith("the baseline translation is correct (judged in ")
    assert any(line.endswith(": passed") for line in lines)
    assert any(
        status.startswith("round 0 of 2 · best not timed · 0.00 of 3 USD · evaluating ") for status in tried
    ), tried
    assert any("asking rules (world): baseline translation" in status for status in tried)
    assert any("held-out cases for" in status for status in tried)


def test_audit() -> None:
    result = optimize("--audit")
    assert result.exit_code == 0, result.output
    assert "29 of 29 verdicts as expected" in result.output
