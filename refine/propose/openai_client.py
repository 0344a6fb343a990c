"""Models behind an OpenAI-compatible endpoint, through the openai SDK."""

import math
import os
import random
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cu2mlx.refine.propose.protocol import ProposerError, Question, Reply

if TYPE_CHECKING:
    from openai import OpenAI
    from openai.types.chat import ChatCompletion

KEY = "OPENAI_API_KEY"
LEAST_CHARACTERS = 2.5  # of a prompt per token; source text has 3 to 4
LEAST_TOKENS = 500  # an answer of fewer holds no kernel


@dataclass(frozen=True, slots=True)
class Model:
    """`weight`: its share of the questions. Prices in USD per million tokens, 0 where unknown."""

    name: str
    weight: float = 1.0
    usd_in: float = 0.0
    usd_out: float = 0.0

    @staticmethod
    def parse(text: str) -> "Model":
        """`NAME[@WEIGHT][:USD_IN:USD_OUT]`, such as `big-model@3:2.5:10`. Raises ProposerError."""
        head, *prices = text.rsplit(":", 2) if text.count(":") >= 2 else [text]
        name, _, weight = head.partition("@")
        try:
            model = Model(name, float(weight or 1), *map(float, prices))
        except ValueError:
            raise ProposerError(
                f"model {text!r}: write NAME, NAME@WEIGHT or NAME@WEIGHT:USD_IN:USD_OUT"
            ) from None
        if not name or model.weight <= 0 or min(model.usd_in, model.usd_out) < 0:
            raise ProposerError(f"model {text!r}: needs a name, a weight above 0 and no negative price")
        return model


class OpenAIProposer:
    """Asks one of `models`, drawn by weight from the question's number alone, so that a resumed run draws the
    same. The key comes from the environment; `retries` of the SDK cover rate limits, 5xx and lost connections.
    `seconds` is for one read of one attempt, `longest` for a question with all its attempts.
    """

    name = "openai"

    def __init__(
        self,
        models: Sequence[Model],
        base_url: str | None = None,
        *,
        seed: int = 0,
        seconds: float = 300.0,
        longest: float = 1800.0,
        retries: int = 4,
        maximum_tokens: int = 16_000,
        budget_usd: float | None = None,
    ) -> None:
        if not models:
            raise ProposerError("no model is named; say --model NAME")
        if budget_usd is not None and any(each.usd_in == 0 and each.usd_out == 0 for each in models):
            raise ProposerError(
                "a budget in USD needs the models' prices: --model NAME@WEIGHT:USD_IN:USD_OUT (per million tokens)"
            )
        self._models = tuple(models)
        self._seed = seed
        self._longest = longest
        self._maximum_tokens = maximum_tokens
        self._client = _client(base_url, seconds, retries)

    def ask(self, question: Question) -> Reply:
        """Raises ProposerError where no answer can be had, or none that the budget pays for."""
        import openai

        draw = random.Random(f"{self._seed}:{question.number}")
        model = draw.choices(self._models, [each.weight for each in self._models])[0]
        tokens = self._affordable(model, question)
        try:
            answer = self._answer(model.name, question.prompt, tokens).result(timeout=self._longest)
        except (TimeoutError, openai.APITimeoutError):
            raise ProposerError(f"{model.name}: no answer in time") from None
        except openai.APIConnectionError:
            raise ProposerError(f"{model.name}: {self._client.base_url} cannot be reached") from None
        except openai.AuthenticationError:
            raise ProposerError(f"{model.name}: the key in {KEY} was not accepted") from None
        except (openai.OpenAIError, ValueError) as error:  # ValueError: a body that is not JSON
            raise ProposerError(f"{model.name}: {error}") from None
        return _reply(answer, model, question.prompt)

    def _answer(self, model: str, prompt: str, tokens: int) -> "Future[ChatCompletion]":
        """Asked in a thread of its own, which is left behind when its time is up: the SDK's time-out is for each
        read, and a server that sends a byte now and then keeps to it for ever."""
        import openai

        future: Future[ChatCompletion] = Future()

        def ask() -> None:
            try:
                answer = self._client.chat.completions.create(
                    model=model, messages=[{"role": "user", "content": prompt}], max_completion_tokens=tokens
                )
            except (openai.OpenAIError, ValueError) as error:
                future.set_exception(error)
            else:
                future.set_result(answer)

        threading.Thread(target=ask, daemon=True).start()
        return future

    def _affordable(self, model: Model, question: Question) -> int:
        """How many tokens the answer may have, so that the budget is not overdrawn."""
        if question.usd_left is None or model.usd_out == 0:
            return self._maximum_tokens
        asking = len(question.prompt) / LEAST_CHARACTERS * model.usd_in / 1e6
        tokens = int((question.usd_left - asking) / model.usd_out * 1e6)
        if tokens < LEAST_TOKENS:
            raise ProposerError(
                f"{model.name}: the {question.usd_left:.4f} USD that are left do not pay for another answer"
            )
        return min(tokens, self._maximum_tokens)


def _client(base_url: str | None, seconds: float, retries: int) -> "OpenAI":
    try:
        import openai
    except ImportError:
        raise ProposerError("the openai package is missing: pip install 'cu2mlx[llm]'") from None
    key = os.environ.get(KEY)
    if not key:
        raise ProposerError(f"{KEY} is not set; put the endpoint's key there (any text for a local server)")
    return openai.OpenAI(api_key=key, base_url=base_url, timeout=seconds, max_retries=retries)


def _reply(answer: "ChatCompletion", model: Model, prompt: str) -> Reply:
    """Servers differ from the SDK's types, so each part is looked at before it is used. Tokens that a server does
    not count are estimated from above: a budget must hold there too."""
    choices = getattr(answer, "choices", None)
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = getattr(choice, "message", None)
    content = getattr(message, "content", None)
    if message is None or not isinstance(content, str | None):
        raise ProposerError(
            f"{model.name}: the answer has no choices with a message; is this an OpenAI-compatible endpoint?"
        )
    finish = getattr(choice, "finish_reason", None)
    usage = getattr(answer, "usage", None)
    tokens_in = _counted(usage, "prompt_tokens", prompt)
    tokens_out = _counted(usage, "completion_tokens", content or "")
    return Reply(
        text=content or "",
        model=model.name,
        is_cut_off=finish == "length",
        refusal=getattr(message, "refusal", None)
        or ("the content filter stopped it" if finish == "content_filter" else ""),
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        usd=(tokens_in * model.usd_in + tokens_out * model.usd_out) / 1e6,
    )


def _counted(usage: object, name: str, text: str) -> int:
    count = getattr(usage, name, None)
    return count if type(count) is int else math.ceil(len(text) / LEAST_CHARACTERS)
