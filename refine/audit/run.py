"""Runs every candidate of refine/audit/cheats through the evaluation and compares with what it must find."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate.cascade import evaluate, promote
from cu2mlx.refine.evaluate.stages import FIRST_SEED
from cu2mlx.refine.evaluate.trial import Bench
from cu2mlx.refine.evaluate.verdict import Status, Verdict
from cu2mlx.refine.task import Task, load_task
from cu2mlx.runtime.cpu.executor import CpuExecutor
from cu2mlx.runtime.inputs import make_inputs

FOLDER = Path(__file__).parent
SECONDS = 2.0  # for one launch; honest ones take milliseconds


@dataclass(frozen=True, slots=True)
class Exhibit:
    """`expected`: the status that the evaluation must come to; PASSED for the honest candidate."""

    name: str
    description: str
    expected: Status
    candidate: Candidate


@dataclass(frozen=True, slots=True)
class Finding:
    exhibit: Exhibit
    verdict: Verdict

    @property
    def as_expected(self) -> bool:
        return self.verdict.status is self.exhibit.expected


def exhibits(task: Task) -> tuple[Exhibit, ...]:
    """One per file: its first comment says what it does, `expect:` the verdict, `block:` a launch."""
    return tuple(_exhibit(path, task) for path in sorted((FOLDER / "cheats").glob("*.metal")))


def audit() -> Iterator[Finding]:
    """Each exhibit's verdict, as it is reached."""
    bench = Bench(load_task(FOLDER), CpuExecutor(memory=16 << 30), seconds=SECONDS)
    for exhibit in exhibits(bench.task):
        verdict = evaluate(bench, exhibit.candidate)
        yield Finding(exhibit, promote(bench, exhibit.candidate) if verdict.passed else verdict)


def _exhibit(path: Path, task: Task) -> Exhibit:
    lines = path.read_text(encoding="utf-8").split("\n")
    notes: dict[str, str] = {}
    for line in lines[1:]:
        name, separator, value = line.removeprefix("// ").partition(": ")
        if not line.startswith("// ") or not separator:
            break
        notes[name] = value
    body = "\n".join(lines[1 + len(notes) :]).replace("SHOWN_DATA", _shown_data(task))
    block = (notes["block"],) if "block" in notes else ()
    description = lines[0].removeprefix("// ")
    return Exhibit(path.stem, description, Status(notes["expect"]), Candidate("", body, block=block))


def _shown_data(task: Task) -> str:
    """A condition that recognises the data of the first run, as a cheat that has seen it could."""
    firsts = [make_inputs(task.spec, case, FIRST_SEED).buffers["x"].flat[0] for case in task.shown]
    return " || ".join(f"x[0] == {float(each)!r}f" for each in firsts)
