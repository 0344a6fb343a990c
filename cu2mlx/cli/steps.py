"""Commands of cu2mlx that `cu2mlx doctor --report` runs, each in a process of its own, and what of them it keeps."""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

# Tasks with baselines of MLX's own, and a search short enough to wait for: (task, attempts).
BENCHES = ("attention_decode", "mamba1_scan", "mamba1_scan/step.toml")
SEARCHES = (("softmax", 4), ("mamba1_scan/step.toml", 6))
_SAID = 2000  # characters of the end of what a command wrote on stderr


def run_step(*arguments: str, seconds: float = 900.0) -> dict[str, Any]:
    """The command without folders of this computer, how it ended, what it printed as JSON, and what it said.

    A command that takes longer than `seconds` is ended; its exit code is then None.
    """
    command = [sys.executable, "-m", "cu2mlx", *arguments]
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return {
            "command": _plain(" ".join(arguments)),
            "exit_code": None,
            "result": None,
            "said": "it took too long",
        }
    try:
        result = json.loads(ran.stdout)
    except json.JSONDecodeError:
        result = None
    return {
        "command": _plain(" ".join(arguments)),
        "exit_code": ran.returncode,
        "result": json.loads(_plain(json.dumps(result))),
        "said": _plain(ran.stderr[-_SAID:]),
    }


def _plain(text: str) -> str:
    """Without the folders of this computer, which are nobody's business."""
    from cu2mlx import seeds

    places = {"seeds": Path(str(seeds.__file__)).parent, "tmp": Path(tempfile.gettempdir()), "~": Path.home()}
    for name, folder in places.items():
        text = re.sub(rf"{re.escape(str(folder))}(?![\w-])", name, text)
    return text
