"""What a run depends on besides its task: run.json."""

import json
from dataclasses import dataclass, field
from pathlib import Path

from cu2mlx.refine.budget import Options
from cu2mlx.refine.journal import JournalError
from cu2mlx.refine.plain import from_plain, to_plain

SETTINGS = "run.json"


@dataclass(frozen=True, slots=True)
class Settings:
    """Kept with the run, so that resuming cannot mix two."""

    task: str
    proposer: str = "rules"
    models: tuple[str, ...] = ()
    base_url: str | None = None
    hardware: str = "apple-m1-m2"
    seed: int = 0
    options: Options = field(default_factory=Options)

    @staticmethod
    def read(folder: Path) -> "Settings":
        """Raises JournalError."""
        try:
            return from_plain(Settings, json.loads((folder / SETTINGS).read_text(encoding="utf-8")))
        except OSError as error:
            why = f"{SETTINGS}: cannot be read: {error.strerror}"
            raise JournalError(f"{folder}: not the folder of a run: {why}") from None
        except (ValueError, KeyError, TypeError):
            raise JournalError(f"{folder / SETTINGS}: is not the settings of a run") from None

    def write(self, folder: Path) -> None:
        """Raises JournalError."""
        text = json.dumps(to_plain(self), indent=2) + "\n"
        try:
            (folder / SETTINGS).write_text(text, encoding="utf-8")
        except OSError as error:
            raise JournalError(f"{folder / SETTINGS}: cannot be written: {error.strerror}") from None
