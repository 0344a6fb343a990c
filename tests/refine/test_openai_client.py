"""The real openai client against a local server."""

import time
from dataclasses import replace

import pytest
from chat_server import Answer, completion, serve
from questions import question

from cu2mlx.refine.propose.protocol import Kind, ProposerError
from cu2mlx.refine.propose.reply import ReplyError, read_candidate

pytest.importorskip("openai")

from cu2mlx.refine.propose.openai_client import Model, OpenAIProposer

GOOD = completion("```metal\ny[0] = 2;\n```")
AT_ONCE = {"retry-after-ms": "1"}


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "test-key")
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


def proposer(url: str, *, seconds: float = 10.0, longest: float = 60.0, retries: int = 2) -> OpenAIProposer:
    model = Model("m", usd_in=2.0, usd_out=8.0)
    return OpenAIProposer([model], url, seconds=seconds, longest=longest, retries=retries)


def test_success_and_accounting() -> None:
    with serve(Answer(GOOD)) as server:
        reply = proposer(server.url).ask(question(prompt="be fast"))
    assert read_candidate(reply, question().base).body == "y[0] = 2;\n"
    assert (reply.tokens_in, reply.tokens_out) == (1000, 500)
    assert reply.usd == pytest.approx(1000 * 2e-6 + 500 * 8e-6)
    (request,) = server.requests
    assert request["path"] == "/v1/chat/completions" and request["key"] == "Bearer test-key"
    assert request["model"] == "m" and request["messages"] == [{"role": "user", "content": "be fast"}]
    assert not request.get("stream")


@pytest.mark.parametrize("status", [429, 500, 503])
def test_retries(status: int) -> None:
    bad = Answer({"error": {"message": "slow down"}}, status, headers=AT_ONCE)
    with serve(bad, bad, Answer(GOOD)) as server:
        assert proposer(server.url).ask(question()).text
    assert len(server.requests) == 3


def test_retry_after_is_obeyed() -> None:
    """The header of HTTP itself, in whole seconds; without it the SDK would be back after half a second."""
    with serve(Answer({"error": {}}, 429, headers={"retry-after": "1"}), Answer(GOOD)) as server:
        start = time.monotonic()
        assert proposer(server.url).ask(question()).text
        assert 1.0 <= time.monotonic() - start < 5
    assert len(server.requests) == 2


def test_an_answer_may_cost_no_more_than_is_left() -> None:
    """10,000 characters are at most 4,000 tokens, 0.008 USD of the 0.016; the rest pays for 1,000 at 8 USD a million."""
    asked = replace(question(prompt="x" * 10_000), usd_left=0.016)
    with serve(Answer(GOOD)) as server:
        proposer(server.url).ask(asked)
        with pytest.raises(ProposerError, match="do not pay for another answer"):
            proposer(server.url).ask(replace(asked, usd_left=0.0119))
        proposer(server.url).ask(replace(asked, usd_left=100.0))
    assert [request["max_completion_tokens"] for request in server.requests] == [1000, 16_000]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (Answer({"error": {"message": "slow down"}}, 429, headers=AT_ONCE), "429"),
        (Answer({"error": {"message": "broken"}}, 500, headers=AT_ONCE), "500"),
        (Answer({"error": {"message": "no"}}, 401), "OPENAI_API_KEY was not accepted"),
        (Answer({"error": {"message": "no such model"}}, 404), "no such model"),
        (Answer('{"choices": [{"mess'), "m: "),
        (Answer("<html>gateway</html>"), "m: "),
        (Answer({"choices": [{}]}), "no choices with a message"),
        (Answer({"choices": [{"message": None}]}), "no choices with a message"),
        (Answer({"choices": [{"message": {"content": [{"type": "text", "text": "x"}]}}]}), "no choices with"),
        (Answer({"choices": "all"}), "no choices with a message"),
        (Answer(GOOD, is_cut=True), "m: "),
        (Answer({"hello": "world"}), "no choices"),
        (Answer({"choices": []}), "no choices"),
        (Answer(GOOD, delay=0.5), "no answer in time"),
    ],
)
def test_no_answer(answer: Answer, message: str) -> None:
    with serve(answer) as server, pytest.raises(ProposerError, match=message):
        proposer(server.url, seconds=0.2, retries=1).ask(question())


def test_a_server_that_sends_a_byte_now_and_then() -> None:
    """Each byte is in time, the answer never is."""
    start = time.monotonic()
    with serve(Answer(GOOD, drip=0.1)) as server, pytest.raises(ProposerError, match="no answer in time"):
        proposer(server.url, seconds=5.0, longest=0.5, retries=0).ask(question())
    assert time.monotonic() - start < 5


def test_a_server_that_says_the_least() -> None:
    """It counts no tokens, so they are estimated, from above: 10 and 5 characters are at most 4 and 2 tokens."""
    with serve(Answer({"choices": [{"message": {"content": "hello"}}]})) as server:
        reply = proposer(server.url).ask(question(prompt="0123456789"))
    assert (reply.text, reply.refusal, reply.is_cut_off) == ("hello", "", False)
    assert (reply.tokens_in, reply.tokens_out) == (4, 2) and reply.usd == pytest.approx(24e-6)


def test_nobody_there() -> None:
    with pytest.raises(ProposerError, match=r"127.0.0.1:9.* cannot be reached"):
        proposer("http://127.0.0.1:9/v1", retries=0).ask(question())


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (completion("```metal\ny[0", finish="length"), "cut off"),
        (completion(None, refusal="I will not"), "the model declined: I will not"),
        (completion(None, finish="content_filter"), "content filter"),
        (completion(None), "empty"),
        (completion("```metal\n" + "x" * 2_000_000), "the limit is"),
        (completion("no code here"), "no fenced code block"),
    ],
)
def test_unusable_replies_are_feedback(body: object, message: str) -> None:
    with serve(Answer(body)) as server:
        reply = proposer(server.url).ask(question())
    with pytest.raises(ReplyError, match=message):
        read_candidate(reply, question().base)


def test_wrong_fences() -> None:
    with serve(Answer(completion("~~~c++\ny[0] = 2;\n~~~"))) as server:
        reply = proposer(server.url).ask(question())
    assert read_candidate(reply, question().base).body == "y[0] = 2;\n"


def test_models_are_drawn_by_weight_and_number() -> None:
    models = [Model.parse("a@3:1:1"), Model.parse("b@1:1:1")]
    with serve(Answer(GOOD)) as server:
        client = OpenAIProposer(models, server.url, seed=7)
        first = [client.ask(question(Kind.FIRST, number=n)).model for n in range(40)]
        again = [client.ask(question(Kind.FIRST, number=n)).model for n in range(40)]
    assert first == again
    assert 20 < first.count("a") < 40


def test_bad_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ProposerError, match="no model is named"):
        OpenAIProposer([])
    with pytest.raises(ProposerError, match="needs the models' prices"):
        OpenAIProposer([Model("m")], budget_usd=1.0)
    for text in ("@2", "m@x", "m@0", "m:1:-2"):
        with pytest.raises(ProposerError, match="model"):
            Model.parse(text)
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(ProposerError, match="OPENAI_API_KEY is not set"):
        OpenAIProposer([Model("m")])
