"""Any program as the model: the prompt on its standard input, the answer on its standard output."""

import contextlib
import os
import shlex
import signal
import subprocess

from cu2mlx.refine.propose.protocol import ProposerError, Question, Reply
from cu2mlx.refine.propose.reply import MAXIMUM_REPLY


class CommandProposer:
    """`command` is split as a shell would, but no shell runs it."""

    def __init__(self, command: str, *, seconds: float = 600.0) -> None:
        self.name = f"command:{command}"
        self._command = shlex.split(command)
        self._seconds = seconds
        if not self._command:
            raise ProposerError("command: is empty; say command:PROGRAM")

    def ask(self, question: Question) -> Reply:
        """Raises ProposerError where the program cannot be run, fails, or is over its time."""
        try:
            process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise ProposerError(f"{self._command[0]}: cannot be run: {error.strerror}") from None
        try:
            output, errors = process.communicate(question.prompt.encode(), timeout=self._seconds)
        except subprocess.TimeoutExpired:
            raise ProposerError(f"{self._command[0]}: no answer within {self._seconds:g} s") from None
        finally:
            _end(process)
        if process.returncode != 0:
            tail = errors.decode(errors="replace").strip()[-500:]
            raise ProposerError(f"{self._command[0]}: exit code {process.returncode}: {tail}")
        return Reply(output[: 4 * MAXIMUM_REPLY].decode(errors="replace"), self.name)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Kill what is left of the program and of what it started (its session)."""
    with contextlib.suppress(ProcessLookupError):  # all of it has ended
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
