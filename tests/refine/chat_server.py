"""A chat-completions endpoint on 127.0.0.1 that answers what a test tells it to."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Answer:
    """`body` is sent as it is when it is text; `delay` in seconds; `is_cut`: the connection ends in the middle; `drip`:
    seconds between bytes, for twenty of them."""

    body: Any
    status: int = 200
    delay: float = 0.0
    headers: dict[str, str] = field(default_factory=dict)
    is_cut: bool = False
    drip: float = 0.0


def completion(text: str | None, finish: str = "stop", refusal: str | None = None) -> dict[str, Any]:
    message = {"role": "assistant", "content": text, "refusal": refusal}
    return {
        "id": "1", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [{"index": 0, "finish_reason": finish, "message": message}],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 500, "total_tokens": 1500},
    }  # fmt: skip


@dataclass
class Server:
    url: str
    requests: list[dict[str, Any]]


@contextmanager
def serve(*answers: Answer) -> Iterator[Server]:
    """Gives the answers in turn, the last one for ever."""
    left = list(answers)
    requests: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["content-length"])
            requests.append(
                {
                    "path": self.path,
                    "key": self.headers["authorization"],
                    **json.loads(self.rfile.read(length)),
                }
            )
            answer = left.pop(0) if len(left) > 1 else left[0]
            time.sleep(answer.delay)
            data = (answer.body if isinstance(answer.body, str) else json.dumps(answer.body)).encode()
            try:
                self.send_response(answer.status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(data)))
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                for number in range(20 if answer.drip else 0):
                    self.wfile.write(data[number : number + 1])
                    time.sleep(answer.drip)
                if not answer.drip:
                    self.wfile.write(data[: len(data) // 2] if answer.is_cut else data)
            except (BrokenPipeError, ConnectionResetError):
                pass  # the client has given up waiting

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield Server(f"http://127.0.0.1:{server.server_address[1]}/v1", requests)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
