"""A helper program in a process of its own: it may crash, hang or eat memory without taking us along."""

import contextlib
import os
import select
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence


class Stopped(Exception):
    """The process ended before it answered; `signal` is the name of what killed it, if something did; `why`: what it
    said itself."""

    def __init__(self, code: int, why: str = "") -> None:
        self.signal = signal.Signals(-code).name if code < 0 else None
        super().__init__(self.signal or f"exit status {code}" + (f": {why}" if why else ""))


class Program:
    """A program that answers requests line by line, started when first asked and again after it ended.

    Hold `lock` from a request to the end of its answer where several threads may ask.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
        self.lock = threading.Lock()
        self._command = list(command)
        self._environment = None if environment is None else dict(environment)
        self._process: subprocess.Popen[bytes] | None = None
        self._pending = b""

    def send(self, line: str) -> None:
        """Send one request (without its newline)."""
        if self._process is None or self._process.poll() is not None:
            self.close()
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=self._environment,
                start_new_session=True,  # an interrupt at the terminal is ours to handle
            )
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # receive_line() says how it ended

    def receive_line(self, deadline: float) -> str:
        """The next line of the answer. Raises TimeoutError past `deadline` (time.monotonic()), or Stopped."""
        while b"\n" not in self._pending:
            self._read(deadline)
        line, self._pending = self._pending.split(b"\n", 1)
        return line.decode(errors="replace")

    def receive_bytes(self, count: int, deadline: float) -> bytes:
        """The next `count` bytes of the answer; raises as receive_line does."""
        while len(self._pending) < count:
            self._read(deadline)
        data, self._pending = self._pending[:count], self._pending[count:]
        return data

    def _read(self, deadline: float) -> None:
        assert self._process is not None and self._process.stdout is not None
        output = self._process.stdout
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([output], [], [], left)[0]:
            self.close()
            raise TimeoutError
        data = os.read(output.fileno(), 65536)
        if not data:
            code = self._process.wait()
            self.close()
            raise Stopped(code)
        self._pending += data

    def close(self) -> None:
        """End the process; the next request starts a new one."""
        if self._process is None:
            return
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            with contextlib.suppress(BrokenPipeError):
                stream.close()
        self._process = None
        self._pending = b""
