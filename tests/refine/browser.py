"""Headless Chromium, driven over its DevTools pipe: what a page says, asks the network for and looks like."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run", "--disable-dev-shm-usage", "--remote-debugging-pipe",
)  # fmt: skip
SECONDS = 60.0


def chromium() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name)) is not None), None)


class Page:
    """One tab. `messages`: what its console said; `requests`: addresses it asked for."""

    def __init__(self, to: int, answers: int) -> None:
        self.messages: list[str] = []
        self.requests: list[str] = []
        self._to, self._from = to, answers
        self._pending = b""
        self._number = 0
        self._session: str | None = None
        self._loaded = False
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.requests.clear()

    def call(self, method: str, **parameters: object) -> dict[str, Any]:
        """One command of the protocol, and its result."""
        self._number += 1
        message: dict[str, object] = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while (answer := self._next()).get("id") != self._number:
            self._note(answer)
        assert "error" not in answer, answer
        result: dict[str, Any] = answer["result"]
        return result

    def open(self, file: Path) -> None:
        self._loaded = False
        self.call("Page.navigate", url=file.as_uri())
        while not self._loaded:
            self._note(self._next())

    def value(self, expression: str) -> Any:
        """Of a JavaScript expression; for looking only, the page has no script."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)["result"]
        return result.get("value")

    def press(self, key: str, text: str = "") -> None:
        code = {"Tab": 9, "Enter": 13}[key]
        for kind in ("keyDown", "keyUp"):
            self.call(
                "Input.dispatchKeyEvent",
                type=kind, key=key, code=key, windowsVirtualKeyCode=code, text=text if kind == "keyDown" else "",
            )  # fmt: skip

    def prefer(self, scheme: str) -> None:
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.call("Emulation.setEmulatedMedia", features=[feature])

    def resize(self, width: int, height: int) -> None:
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def picture(self) -> bytes:
        """The view as PNG."""
        return base64.b64decode(self.call("Page.captureScreenshot")["data"])

    def _note(self, event: dict[str, Any]) -> None:
        method, parameters = event.get("method"), event.get("params", {})
        if method == "Page.loadEventFired":
            self._loaded = True
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        elif method in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"):
            self.messages.append(json.dumps(parameters))

    def _next(self) -> dict[str, Any]:
        end = time.monotonic() + SECONDS
        while b"\0" not in self._pending:
            assert select.select([self._from], [], [], max(0.0, end - time.monotonic()))[0], (
                "no answer in time"
            )
            data = os.read(self._from, 1 << 20)
            assert data, "Chromium has ended"
            self._pending += data
        line, self._pending = self._pending.split(b"\0", 1)
        event: dict[str, Any] = json.loads(line)
        return event


@contextmanager
def browser(path: str) -> Iterator[Page]:
    """A page of a fresh Chromium, which ends with the block. It reads commands from descriptor 3, answers on 4."""
    command_end, our_end = os.pipe()
    answer_end, their_end = os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        script = f'exec "$@" --user-data-dir={profile} 3<&{command_end} 4>&{their_end}'
        process = subprocess.Popen(
            ["bash", "-c", script, "chromium", path, *FLAGS],
            pass_fds=(command_end, their_end), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(command_end)
        os.close(their_end)
        try:
            yield Page(our_end, answer_end)
        finally:
            process.kill()
            process.wait()
            os.close(our_end)
            os.close(answer_end)
