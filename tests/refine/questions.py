"""A question to ask proposers in tests."""

from functools import cache
from pathlib import Path

from cu2mlx import seeds
from cu2mlx.refine.propose.protocol import Kind, Question
from cu2mlx.refine.task import Task, load_task
from cu2mlx.refine.world.model import World

SEEDS = Path(seeds.__file__).parent


@cache
def task(name: str = "softmax") -> Task:
    return load_task(SEEDS / name)


def question(kind: Kind = Kind.FIRST, prompt: str = "make it fast", number: int = 0) -> Question:
    seed = task().seed
    return Question(kind, prompt, number, task(), World.start(seed.key), None, seed, {seed.key: None})
