"""A task as its run's journal keeps it: no later translator, and no moved file, changes what a run was about."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cu2mlx.refine.journal import JournalError
from cu2mlx.refine.plain import from_plain, to_plain
from cu2mlx.refine.task import Task, TaskError, assembled, load_task
from cu2mlx.runtime.spec import SpecError, load_reference
from cu2mlx.runtime.spec.load import parse_spec
from cu2mlx.transpiler.binding.interface import KernelInterface

CHANGED_FILES = "the task's files have changed"


@dataclass(frozen=True, slots=True)
class RecordedTask:
    """`spec` is the text of the task's TOML file and `path` where it lay; `source` and `reference` are the texts
    beside it. `original` and `interface` are the translation of the day: the seed's header, body and buffers."""

    name: str
    path: str
    spec: str
    source: str
    reference: str | None
    original: str
    interface: KernelInterface

    @staticmethod
    def of(task: Task) -> "RecordedTask":
        """Raises TaskError where a file of the task cannot be read."""
        spec = task.spec
        try:
            return RecordedTask(
                name=task.name,
                path=spec.path,
                spec=Path(spec.path).read_text(encoding="utf-8"),
                source=_beside(spec.path, spec.source or ""),
                reference=None
                if spec.reference is None
                else _beside(spec.path, spec.reference.partition(":")[0]),
                original=task.original,
                interface=task.interface,
            )
        except OSError as error:
            raise TaskError(f"{error.filename}: cannot be read: {error.strerror}") from None

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> "RecordedTask":
        """Raises JournalError."""
        try:
            return from_plain(RecordedTask, _complete(data))
        except (KeyError, TypeError, ValueError):
            raise JournalError("the journal does not begin with its task; start a new run") from None

    def as_json(self) -> dict[str, Any]:
        data: dict[str, Any] = to_plain(self)
        return data

    def task(self, *, for_evaluation: bool) -> Task:
        """The task as it was. To evaluate, its reference is loaded from the disk, and must not have changed.

        Raises TaskError, JournalError.
        """
        if for_evaluation and self.reference is not None and not Path(self.path).is_file():
            raise TaskError(
                f"{self.path}: the task of the run is not here, and its reference is needed; put it back, or go on "
                "from the folder where the run began"
            )
        try:
            spec = parse_spec(self.spec, self.path)
            reference = load_reference(spec) if for_evaluation else None
            return assembled(self.name, spec, self.interface, self.original, reference)
        except SpecError as error:
            raise TaskError(str(error)) from None

    def changes(self) -> Iterator[str]:
        """What is other today: the task's files, and what the translator makes of them."""
        try:
            today = RecordedTask.of(load_task(Path(self.path)))
        except TaskError as error:
            yield f"the task cannot be loaded today ({error})"
            return
        if self.files != today.files:
            yield CHANGED_FILES
        elif (self.original, self.interface) != (today.original, today.interface):
            yield "today's translation differs"

    @property
    def files(self) -> tuple[str, str, str | None]:
        return self.spec, self.source, self.reference


def _complete(data: Mapping[str, Any]) -> dict[str, Any]:
    """Journals of 2026-12-01 do not say which kernel a launch of the interface is of: it is the interface's own."""
    interface = data["interface"]
    launches = [{"kernel": interface["name"], **launch} for launch in interface["launches"]]
    return {**data, "interface": {**interface, "launches": launches}}


def _beside(path: str, name: str) -> str:
    return (Path(path).parent / name).read_text(encoding="utf-8", errors="replace")
