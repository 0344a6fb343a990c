"""The search with everything around it made up: what it asks, what it keeps, how it ends, goes on, replays."""

from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from questions import task

from cu2mlx.refine.budget import Account, Options
from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate.verdict import Status, Timing, Verdict
from cu2mlx.refine.journal import Journal, JournalError, read
from cu2mlx.refine.loop import Search
from cu2mlx.refine.parts import Observer
from cu2mlx.refine.propose.prompts import Prompts
from cu2mlx.refine.propose.protocol import Kind, Proposer, ProposerError, Question, Reply
from cu2mlx.refine.propose.replay import ReplayProposer
from cu2mlx.refine.propose.rules import RulesProposer
from cu2mlx.refine.session import Session
from cu2mlx.refine.world.model import State

INSERT = 'insert under {} {{ title: "{}" description: "d" score: {} difficulty: 2 gain: 1.5 }}'


@dataclass
class Machine:
    """Times by what a candidate says of itself: `// us=N`; a candidate that says `bad` is wrong."""

    is_timed: bool = True
    asked: list[str] = field(default_factory=list)

    def evaluate(self, candidate: Candidate) -> Verdict:
        assert candidate.key not in self.asked, "run twice"
        self.asked.append(candidate.key)
        if "bad" in candidate.body:
            return Verdict(Status.WRONG, "correctness", "off by one")
        block = dict(candidate.numbers).get("BLOCK", 256)
        cost = float(candidate.body.count("us += 1;") or 10) * {256: 1.0, 512: 0.8}.get(block, 1.3)
        timing = (
            Timing("a made-up device", cost * 1e-6, 10e-6, 0.01, 9.9 / cost, 10.1 / cost)
            if self.is_timed
            else None
        )
        return Verdict(Status.PASSED, "timing", "", timing)

    def confirm(self, candidate: Candidate) -> Verdict:
        """A kernel that says `lucky` was fast by chance."""
        self.asked.remove(candidate.key)
        again = replace(candidate, body=candidate.body.replace("lucky;", "us += 1;" * 10))
        return self.evaluate(again)

    def promote(self, candidate: Candidate) -> Verdict:
        if "special" in candidate.body:
            return Verdict(Status.WRONG, "held-out", "wrong on a shape that was not shown")
        return Verdict(Status.PASSED, "held-out")


@dataclass
class Notes:
    """Writes down what a search tells."""

    lines: list[str] = field(default_factory=list)
    activities: list[str] = field(default_factory=list)

    def happened(self, line: str) -> None:
        self.lines.append(line)

    def trying(self, what: str) -> None:
        self.activities.append(what)


def still() -> float:
    return 0.0


def kernel(us: int, mark: str = "") -> str:
    return f"```metal\n{mark}{'us += 1;' * us}\n```"


@dataclass
class Script:
    """Answers in turn; the prompts it was shown are kept."""

    answers: list[str]
    prompts: list[tuple[Kind, str]] = field(default_factory=list)
    name: str = "script"

    def ask(self, question: Question) -> Reply:
        self.prompts.append((question.kind, question.prompt))
        if not self.answers:
            raise ProposerError("the script is over")
        return Reply(self.answers.pop(0), self.name, usd=0.5)


def search(
    path: Path, proposer: Proposer, *, machine: Machine | None = None, options: Options | None = None,
    journal: Journal | None = None, observer: Observer | None = None,
) -> Search:  # fmt: skip
    """The clock of its journal stands still, so that two runs have the same bytes."""
    journal = journal or Journal(path, clock=still)
    session = Session(
        task(), proposer, machine or Machine(), journal, Account(options or Options()), observer or Notes()
    )
    return Search(session, Prompts(task()))


STORY = [
    INSERT.format("root", "tile", 0.9) + INSERT.format("root", "vectorise", 0.5),
    kernel(5, "bad;"),  # first
    "no code",  # debug
    kernel(8),  # debug: passes
    kernel(9),  # improve: slower
    kernel(9, ";"),
    kernel(9, ";;"),  # stale three times: the cycle ends
    "delete n1",  # refused
    INSERT.format("n1", "unroll", 0.8),
    kernel(4, "special;"),  # n3, first: fast, but only for the shapes shown
    kernel(4, "special;;"),
    kernel(4, "special;;;"),
    kernel(4, "special;;;;"),
    "",  # nothing to revise
]


def test_a_story(tmp_path: Path) -> None:
    script, notes = Script(list(STORY)), Notes()
    run = search(tmp_path / "j", script, options=Options(rounds=99, stagnation=3), observer=notes)
    assert run.run() == (True, "the script is over")
    kinds = [str(kind) for kind, _ in script.prompts]
    assert kinds[:9] == ["world", "first", "debug", "debug", "improve", "improve", "improve", "edit", "edit"]
    first, unreadable, failed = script.prompts[1][1], script.prompts[3][1], script.prompts[2][1]
    assert "tile: d (predicted 1.50× over the baseline translation)" in first and "__global__" in first
    assert "off by one" in failed and "bad;" in failed
    assert "no fenced code block" in unreadable
    assert "n1 cannot be deleted" in script.prompts[8][1]
    one, three = run.world.node("n1"), run.world.node("n3")
    # 8 µs at BLOCK = 256; the tuner has found 512, worth 0.8 of that
    assert one.state is State.SOLVED and one.measured == pytest.approx(10 / 6.4)
    assert dict(run.best.numbers) == {"BLOCK": 512} and run.best.key == one.solution
    assert any(what.endswith("asking script (first): n1 tile") for what in notes.activities)
    assert "n1 tile: passed, score 125.0" in notes.lines
    assert three.state is State.FAILED and three.lessons == ("wrong on a shape that was not shown",)


def test_a_lucky_measurement_does_not_win(tmp_path: Path) -> None:
    story = [
        INSERT.format("root", "tile", 0.9),
        kernel(3, "lucky;"),
        *[kernel(9, ";" * n) for n in range(1, 4)],
    ]
    run = search(tmp_path / "j", Script(story), options=Options(rounds=99, stagnation=3))
    run.run()
    node = run.world.node("n1")
    assert run.best == task().seed
    assert node.state is State.SOLVED and node.measured is not None and node.measured < 1


def test_held_out_cases_are_in_no_prompt(tmp_path: Path) -> None:
    script = Script(list(STORY))
    search(tmp_path / "j", script, options=Options(rounds=99, stagnation=3)).run()
    names = [case.name for case in task().held_out]
    assert names and not any(f"{name} (" in prompt for name in names for _, prompt in script.prompts)
    assert all(f"{case.name} (" in script.prompts[1][1] for case in task().shown)


def test_without_times_nothing_is_ranked(tmp_path: Path) -> None:
    run = search(tmp_path / "j", RulesProposer(), machine=Machine(is_timed=False))
    assert run.run() == (True, "nothing is left to try")
    assert run.best == task().seed
    assert any(node.state is State.SOLVED and node.measured is None for node in run.world.nodes[1:])


def test_rules_find_the_best_block(tmp_path: Path) -> None:
    run = search(tmp_path / "j", RulesProposer())
    run.run()
    assert dict(run.best.numbers) == {"BLOCK": 512}


def test_a_point_that_fails_the_held_out_cases_does_not_cost_the_idea(tmp_path: Path) -> None:
    """512 threads are fastest and wrong on a shape that was not shown; 256 stay the best."""

    class Picky(Machine):
        def promote(self, candidate: Candidate) -> Verdict:
            is_large = dict(candidate.numbers).get("BLOCK") == 512
            return Verdict(Status.WRONG if is_large else Status.PASSED, "held-out", "")

    script = Script([INSERT.format("root", "tile", 0.9), kernel(8), "no more"])
    run = search(tmp_path / "j", script, machine=Picky(), options=Options(rounds=99, stagnation=1))
    run.run()
    node = run.world.node("n1")
    assert node.state is State.SOLVED and node.measured == pytest.approx(10 / 8)
    assert run.best.body == "us += 1;" * 8 + "\n" and dict(run.best.numbers).get("BLOCK", 256) == 256


def test_budgets(tmp_path: Path) -> None:
    run = search(tmp_path / "a", Script(list(STORY)), options=Options(rounds=3))
    assert run.run() == (True, "all 3 rounds are spent") and run.session.account.rounds == 3
    run = search(tmp_path / "b", Script(list(STORY)), options=Options(budget_usd=1.0))
    assert run.run() == (True, "the budget of 1 USD is spent") and run.session.account.usd == 1.0


def test_a_wrong_baseline_ends_it(tmp_path: Path) -> None:
    class Broken(Machine):
        def promote(self, candidate: Candidate) -> Verdict:
            return Verdict(Status.WRONG, "held-out", "differs")

    correct, message = search(tmp_path / "j", Script([]), machine=Broken()).run()
    assert not correct and "the baseline translation does not pass: held-out: differs" in message


@pytest.mark.parametrize("stop", [1, 4, 7, 10])
def test_interrupted_and_resumed_is_the_same_run(tmp_path: Path, stop: int) -> None:
    """Also with a budget in between, as a journal has no record of it."""
    options = Options(rounds=99, stagnation=3)
    whole = search(tmp_path / "whole", Script(list(STORY)), options=options)
    whole.run()
    whole.session.journal.close()

    class Interrupted(Script):
        def ask(self, question: Question) -> Reply:
            if len(self.prompts) == stop:
                raise KeyboardInterrupt
            return Script.ask(self, question)

    first = search(tmp_path / "part", Interrupted(list(STORY)), options=options)
    with pytest.raises(KeyboardInterrupt):
        first.run()
    first.session.journal.close()
    second = search(
        tmp_path / "part", Script(list(STORY[stop:])), options=options,
        journal=Journal.resume(tmp_path / "part", still),
    )  # fmt: skip
    second.run()
    assert (tmp_path / "part").read_bytes() == (tmp_path / "whole").read_bytes()
    assert (second.world, second.best) == (whole.world, whole.best)


def test_replay_needs_neither_model_nor_machine(tmp_path: Path) -> None:
    run = search(tmp_path / "a", RulesProposer())
    run.run()
    journal = Journal(tmp_path / "b", read(tmp_path / "a"), replay_only=True)
    again = search(tmp_path / "b", ReplayProposer(), machine=None, journal=journal)
    assert again.run() == (True, "nothing is left to try")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert again.best == run.best


def test_other_options_are_noticed_on_resume(tmp_path: Path) -> None:
    run = search(tmp_path / "a", Script(list(STORY)), options=Options(rounds=99, stagnation=3))
    run.run()
    run.session.journal.close()
    with pytest.raises(JournalError, match="have changed"):
        search(
            tmp_path / "a", Script([]), options=Options(rounds=99, stagnation=1),
            journal=Journal.resume(tmp_path / "a"),
        ).run()  # fmt: skip


def test_the_baselines_own_time_is_not_of_the_budget(tmp_path: Path) -> None:
    """Ten seconds an event: judging the baseline takes 20, more than the budget."""
    clock = (10.0 * tick for tick in range(1000))
    script, notes, limits = Script(list(STORY)), Notes(), Options(seconds=15)
    journal = Journal(tmp_path / "journal", clock=lambda: next(clock))
    _, reason = search(tmp_path, script, journal=journal, options=limits, observer=notes).run()
    assert reason == "the 15 seconds are over" and len(script.prompts) == 2
    assert notes.lines[0] == "the baseline translation is correct (judged in 20.0 s)"
    again = Journal(tmp_path / "again", read(tmp_path / "journal"), replay_only=True)
    search(tmp_path, ReplayProposer(), journal=again, options=limits).run()
    assert (tmp_path / "again").read_bytes() == (tmp_path / "journal").read_bytes()
