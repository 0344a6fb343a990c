"""One protocol for all proposers: a question goes in, a text comes out."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.task import Task
from cu2mlx.refine.world.model import Node, World

COMMAND = "command:"  # what the names of programs begin with that are asked as a model


class Kind(StrEnum):
    """What is asked for; each has its prompt in refine/prompts."""

    WORLD = "world"  # the first decisions
    FIRST = "first"  # a candidate for an action
    DEBUG = "debug"  # the same after one that failed
    IMPROVE = "improve"  # the same after one that passed
    EDIT = "edit"  # what a cycle taught


@dataclass(frozen=True, slots=True)
class Question:
    """`prompt` says it all in words; the rest is the same for a proposer that computes instead of reading.

    `base` is the candidate to start from. `results`: the score of every candidate so far by its key, None for
    what failed or was not timed. `number` counts questions: the only source of randomness allowed, so that a run
    can be resumed. `usd_left`: what the answer may cost at most, None without a budget.
    """

    kind: Kind
    prompt: str
    number: int
    task: Task
    world: World
    node: Node | None
    base: Candidate
    results: Mapping[str, float | None]
    usd_left: float | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """`is_cut_off`: the model stopped at its token limit; `refusal`: it declined, in its words; `is_finished`:
    it has nothing more to try for this action."""

    text: str
    model: str = ""
    is_cut_off: bool = False
    refusal: str = ""
    is_finished: bool = False
    tokens_in: int = 0
    tokens_out: int = 0
    usd: float = 0.0

    def as_json(self) -> dict[str, Any]:
        return {
            "text": self.text,
            "model": self.model,
            "is_cut_off": self.is_cut_off,
            "refusal": self.refusal,
            "is_finished": self.is_finished,
            "tokens_in": self.tokens_in,
            "tokens_out": self.tokens_out,
            "usd": self.usd,
        }


class ProposerError(Exception):
    """No answer can be had (no key, no network, no budget); the run stops and can be resumed."""


class Proposer(Protocol):
    name: str

    def ask(self, question: Question) -> Reply:
        """Raises ProposerError where no answer can be had."""
        ...
