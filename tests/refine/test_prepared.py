"""Replies that were written before: which one a prompt gets, and that each is a correct kernel of its task."""

import sys
from pathlib import Path

import pytest
from questions import task

from cu2mlx.refine.evaluate.cascade import evaluate
from cu2mlx.refine.evaluate.trial import Bench
from cu2mlx.refine.evaluate.verdict import Status, Verdict
from cu2mlx.refine.propose.command import CommandProposer
from cu2mlx.refine.propose.prompts import Prompts
from cu2mlx.refine.propose.protocol import Kind, ProposerError, Question, Reply
from cu2mlx.refine.propose.reply import is_finished, read_candidate, read_edits
from cu2mlx.refine.world.edit import FIRST_NODES, apply, parse
from cu2mlx.refine.world.model import Action, World
from cu2mlx.runtime.cpu.executor import CpuExecutor

BENCH = Path(__file__).parents[2] / "bench"
KERNELS = sorted((BENCH / "prepared").glob("*/*-[0-9].md"))
ACTIONS = [(Action(title, "keep a tile", 0.5, 2, 1.5), 5.0, 0.5) for title in ("Tile", "Tile of 16, padded")]
WORLD = World.start("seed").inserted("root", ACTIONS)
WRONG = Verdict(Status.WRONG, "correctness", "off by one\n1. this is no number of an answer")


def answer(folder: Path, prompt: str) -> Reply:
    """Of the program, as a search asks it."""
    proposer = CommandProposer(f"{sys.executable} {BENCH / 'device' / 'prepared.py'} {folder}")
    seed = task().seed
    return proposer.ask(Question(Kind.FIRST, prompt, 0, task(), WORLD, None, seed, {}))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("world", "tile-1", "tile-2", "tile-edit"):
        (tmp_path / f"{name}.md").write_text(f"reply {name}")
    return tmp_path


def test_each_question_has_its_reply(folder: Path) -> None:
    prompts, seed = Prompts(task()), task().seed
    node = WORLD.node("n1")
    assert answer(folder, prompts.world(World.start("seed"), seed, None, 8)).text.strip() == "reply world"
    first = prompts.attempt(Kind.FIRST, WORLD, node, seed)
    assert answer(folder, first).text.strip() == "reply tile-1"
    second = prompts.attempt(Kind.DEBUG, WORLD, node, seed, [(seed, WRONG)])
    assert answer(folder, second).text.strip() == "reply tile-2"
    third = prompts.attempt(Kind.IMPROVE, WORLD, node, seed, [(seed, WRONG), (seed, WRONG)])
    assert is_finished(answer(folder, third))
    assert answer(folder, prompts.edit(WORLD, node, seed, "wrong", 3)).text.strip() == "reply tile-edit"


def test_where_nothing_was_prepared_the_run_stops(folder: Path) -> None:
    prompts, seed = Prompts(task()), task().seed
    node = WORLD.node("n2")
    with pytest.raises(ProposerError, match=r"no reply was prepared: .*tile-of-16-padded-1\.md is missing"):
        answer(folder, prompts.attempt(Kind.FIRST, WORLD, node, seed))
    assert is_finished(answer(folder, prompts.edit(WORLD, node, seed, "wrong", 3)))


@pytest.mark.parametrize("name", sorted({each.parent.name for each in KERNELS}))
def test_worlds(name: str) -> None:
    """They can be applied, and every kernel belongs to one of their actions."""
    world = World.start(task(name).seed.key)
    text = (BENCH / "prepared" / name / "world.md").read_text()
    world = apply(world, parse(read_edits(Reply(text))), limit=FIRST_NODES)
    titles = {each.action.title.replace(" ", "-") for each in world.nodes if each.action is not None}
    assert {each.stem[:-2] for each in KERNELS if each.parent.name == name} <= titles


@pytest.mark.parametrize("file", KERNELS, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_kernels_are_correct(file: Path) -> None:
    of = task(file.parent.name)
    candidate = read_candidate(Reply(file.read_text()), of.seed)
    verdict = evaluate(Bench(of, CpuExecutor()), candidate)
    assert verdict.passed, verdict.message
