"""Answers the prompts of `cu2mlx optimize` with replies that were written before, for a machine that no model can be
reached from:

cu2mlx optimize TASK --proposer "command:python3 bench/device/prepared.py FOLDER"

FOLDER (bench/prepared/TASK) has a reply per question: `world.md` for the first decisions; for an action, named by its
title in small letters with hyphens, `ACTION-1.md`, `ACTION-2.md` … for its attempts in turn, and `ACTION-edit.md` for
what follows from it. An action whose replies are used up is finished. One without any ends the run (exit code 1), which
--resume continues once there are more.
"""

import re
import sys
from pathlib import Path

FINISHED = "```finished\nno further reply was prepared\n```\n"
_ATTEMPT = re.compile(r"^# The action\n(?P<title>[^:\n]+):", re.MULTILINE)
_CYCLE = re.compile(r"^# The cycle\nn\d+ (?P<title>[^:\n]+):", re.MULTILINE)
_OUTCOME = re.compile(r"^\d+\. [a-z -]+ \([a-z -]+\)", re.MULTILINE)
_OUTCOMES = re.compile(
    r"^# What your answers for this action came to\n(?P<list>.*?)^# ", re.MULTILINE | re.DOTALL
)


def reply(prompt: str, folder: Path) -> str:
    """Raises LookupError where nothing was prepared for this world or action."""
    if (cycle := _CYCLE.search(prompt)) is not None:
        file = folder / f"{slug(cycle['title'])}-edit.md"
        return file.read_text(encoding="utf-8") if file.exists() else FINISHED
    if (action := _ATTEMPT.search(prompt)) is None:
        return _read(folder / "world.md")
    name = slug(action["title"])
    first = _read(folder / f"{name}-1.md")
    number = attempts(prompt) + 1
    if number == 1:
        return first
    file = folder / f"{name}-{number}.md"
    return file.read_text(encoding="utf-8") if file.exists() else FINISHED


def slug(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def attempts(prompt: str) -> int:
    """How many answers the prompt says there were for the action, in this cycle."""
    outcomes = _OUTCOMES.search(prompt)
    return 0 if outcomes is None else len(_OUTCOME.findall(outcomes["list"]))


def _read(file: Path) -> str:
    if not file.exists():
        raise LookupError(f"no reply was prepared: {file} is missing")
    return file.read_text(encoding="utf-8")


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        print(reply(sys.stdin.read(), Path(sys.argv[1])))
    except LookupError as reason:
        sys.exit(str(reason))


if __name__ == "__main__":
    main()
