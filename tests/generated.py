"""Files that are made by a program: `python -m tests.generated` writes them, `--check` says which are stale."""

import sys
from collections.abc import Callable
from pathlib import Path

from cu2mlx.transpiler.tables.accuracy import page
from cu2mlx.transpiler.tables.document import document

ROOT = Path(__file__).parent.parent

GENERATED: dict[str, Callable[[], str]] = {"docs/builtins.md": document, "docs/math-accuracy.md": page}


def main(arguments: list[str]) -> int:
    stale: list[str] = []
    for name, made in GENERATED.items():
        path, text = ROOT / name, made()
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if "--check" not in arguments:
            path.write_text(text, encoding="utf-8")
    for name in stale:
        print(
            f"{name} is stale: run python -m tests.generated" if "--check" in arguments else f"wrote {name}"
        )
    return int(bool(stale) and "--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
