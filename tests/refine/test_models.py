"""A whole search with models: cu2mlx optimize through the real openai client, against a local server."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from chat_server import Answer, completion, serve
from click.testing import CliRunner, Result
from questions import SEEDS, task

from cu2mlx.cli import main
from cu2mlx.refine.propose.reply import SEPARATOR
from cu2mlx.runtime.cpu.executor import CpuExecutor

pytest.importorskip("openai")
pytestmark = pytest.mark.skipif(
    CpuExecutor().unavailable() is not None, reason="no C++ compiler for the CPU machine"
)
SAXPY = str(SEEDS / "saxpy")

NODE = '```edits\ninsert under root { title: "fma" description: "use fma" score: 0.9 difficulty: 1 gain: 1.1 }\n```'
AT_ONCE = {"retry-after-ms": "1"}


def kernel(change: Callable[[str], str]) -> str:
    seed = task("saxpy").seed
    return f"Here you are:\n```metal\n{seed.header}{SEPARATOR}\n{change(seed.body)}\n```\n"


RIGHT = kernel(lambda body: body.replace("a * x[i] + y_in[i]", "fma(a, x[i], y_in[i])"))
WRONG = kernel(lambda body: body.replace("a * x[i]", "a + x[i]"))
UNTYPED = kernel(lambda body: body + "undeclared += 1;\n")


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "test-key")
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


def optimize(run: Path, url: str, *options: str) -> Result:
    arguments = ["optimize", SAXPY, "-o", str(run), "--base-url", url, *options]
    return CliRunner().invoke(main, arguments)


def result(run: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((run / "result.json").read_text())
    return found


def test_a_search_mends_what_models_get_wrong(tmp_path: Path) -> None:
    """Rate limits, a server error, a refusal, a reply that was cut off, no code, ill-typed, wrong, and then right."""
    answers = [
        Answer({"error": {"message": "slow down"}}, 429, headers=AT_ONCE),
        Answer(completion("I would use fma.")),  # no edits: fed back
        Answer(completion(NODE)),
        Answer({"error": {"message": "oops"}}, 500, headers=AT_ONCE),
        Answer(completion(None, refusal="I will not")),
        Answer(completion(RIGHT[:200], finish="length")),
        Answer(completion("It cannot be made faster.")),
        Answer(completion(UNTYPED)),
        Answer(completion(WRONG)),
        Answer(completion(RIGHT)),
    ]  # fmt: skip
    with serve(*answers) as server:
        models = ["--model", "big@3:2:8", "--model", "small@1:1:4"]
        done = optimize(tmp_path / "run", server.url, *models, "--stagnation", "8", "--rounds", "6")
    assert done.exit_code == 0, done.output
    found = result(tmp_path / "run")
    assert found["ended"] == "all 6 rounds are spent"
    assert found["failed"] == {"unreadable": 3, "ill-typed": 1, "wrong": 1}
    assert found["world"]["nodes"][1]["state"] == "solved"
    prompts = [request["messages"][0]["content"] for request in server.requests]
    assert "cannot read the edits at line 1" in prompts[2]
    feedback = ["I will not", "cut off", "no fenced code block", "undeclared", "DIFFERS"]
    for prompt, told in zip(prompts[5:], feedback, strict=True):
        assert told in prompt, told
    costs = found["costs"]
    assert (
        set(costs) <= {"big", "small"}
        and sum(each["questions"] for each in costs.values()) == found["questions"]
    )
    for name, price in (("big", 0.006), ("small", 0.003)):
        if name in costs:
            assert costs[name]["usd"] == pytest.approx(price * costs[name]["questions"])


@pytest.mark.parametrize(
    ("options", "ended", "questions"),
    [
        (["--budget-usd", "0.02"], "m: the 0.00", 3),
        (["--budget-tokens", "3000"], "the budget of 3000 tokens is spent", 2),
    ],
)
def test_budgets_hold(tmp_path: Path, options: list[str], ended: str, questions: int) -> None:
    """Each answer costs 0.006 USD and 1,500 tokens."""
    with serve(Answer(completion(NODE)), Answer(completion(WRONG))) as server:
        done = optimize(tmp_path / "run", server.url, "--model", "m@1:2:8", *options)
    assert done.exit_code == 0, done.output
    found = result(tmp_path / "run")
    assert found["ended"].startswith(ended) and found["questions"] <= questions + 1
    assert found["costs"]["m"]["usd"] <= 0.02


def test_a_server_that_is_gone_ends_the_run_and_resume_goes_on(tmp_path: Path) -> None:
    run = tmp_path / "run"
    with serve(
        Answer(completion(NODE)), Answer({"error": {"message": "down"}}, 503, headers=AT_ONCE)
    ) as server:
        done = optimize(run, server.url, "--model", "m")
    assert done.exit_code == 2 and "m: " in result(run)["ended"] and result(run)["rounds"] == 0
    with serve(Answer(completion(WRONG)), Answer(completion("no code"))) as server:
        settings = json.loads((run / "run.json").read_text())
        (run / "run.json").write_text(json.dumps({**settings, "base_url": server.url}))
        again = CliRunner().invoke(main, ["optimize", "--resume", str(run), "--rounds", "2"])
    assert again.exit_code == 0, again.output
    assert result(run)["ended"] == "all 2 rounds are spent"
    assert result(run)["failed"] == {"wrong": 1, "unreadable": 1}
