"""Any program as the model: the prompt on its standard input, the answer on its standard output."""

import contextlib
import os
import selectors
import shlex
import shutil
import signal
import subprocess
import tempfile
import time

from cu2mlx.refine.propose.protocol import COMMAND, ProposerError, Question, Reply
from cu2mlx.refine.propose.reply import MAXIMUM_REPLY

MAXIMUM_OUTPUT = 4 * MAXIMUM_REPLY  # bytes of an answer, and of what a program complains


class CommandProposer:
    """`command` is split as a shell would, but no shell runs it. `seconds`: for one answer."""

    def __init__(self, command: str, *, seconds: float = 600.0) -> None:
        self.name = f"{COMMAND}{command}"
        self._command = shlex.split(command)
        self._seconds = seconds
        if not self._command:
            raise ProposerError(f"{COMMAND} is empty; say {COMMAND}PROGRAM")
        if shutil.which(self._command[0]) is None:
            raise ProposerError(f"{self._command[0]}: no such program")

    def ask(self, question: Question) -> Reply:
        """Raises ProposerError where the program cannot be run, fails, says too much, or is over its time."""
        program = self._command[0]
        with tempfile.TemporaryFile() as prompt:
            prompt.write(question.prompt.encode())
            prompt.seek(0)
            try:
                process = subprocess.Popen(
                    self._command,
                    stdin=prompt,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    start_new_session=True,
                )
            except OSError as error:
                raise ProposerError(f"{program}: cannot be run: {error.strerror}") from None
        deadline = time.monotonic() + self._seconds
        try:
            output, errors = _outputs(process, deadline)
            process.wait(max(0.0, deadline - time.monotonic()))
        except (TimeoutError, subprocess.TimeoutExpired):
            raise ProposerError(f"{program}: no answer within {self._seconds:g} s") from None
        except OverflowError:
            raise ProposerError(f"{program}: an answer of over {MAXIMUM_OUTPUT} bytes") from None
        finally:
            _end(process)
        if process.returncode != 0:
            said = errors.decode(errors="replace").strip()[-500:] or "nothing on standard error"
            raise ProposerError(f"{program}: exit code {process.returncode}: {said}")
        return Reply(output.decode(errors="replace"), self.name)


def _outputs(process: "subprocess.Popen[bytes]", deadline: float) -> tuple[bytes, bytes]:
    """All of standard output and standard error. Raises TimeoutError, and OverflowError past MAXIMUM_OUTPUT."""
    assert process.stdout is not None and process.stderr is not None
    texts = {process.stdout: bytearray(), process.stderr: bytearray()}
    with selectors.DefaultSelector() as selector:
        for stream, text in texts.items():
            selector.register(stream, selectors.EVENT_READ, text)
        while selector.get_map():
            ready = selector.select(max(0.0, deadline - time.monotonic()))
            if not ready:
                raise TimeoutError
            for key, _ in ready:
                data = os.read(key.fd, 65536)
                key.data.extend(data)
                if not data:
                    selector.unregister(key.fileobj)
                if len(key.data) > MAXIMUM_OUTPUT:
                    raise OverflowError
    return bytes(texts[process.stdout]), bytes(texts[process.stderr])


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Kill what is left of the program and of what it started (its session)."""
    with contextlib.suppress(ProcessLookupError):  # all of it has ended
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            stream.close()
