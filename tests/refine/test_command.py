"""A program as the model."""

import shlex
import sys
import time

import pytest
from questions import question

from cu2mlx.refine.propose.command import CommandProposer
from cu2mlx.refine.propose.protocol import ProposerError


def python(code: str) -> str:
    return shlex.join([sys.executable, "-c", code])


def test_prompt_in_answer_out() -> None:
    command = python("import sys; print(sys.stdin.read().upper())")
    assert CommandProposer(command).ask(question(prompt="größer")).text == "GRÖSSER\n"


def test_a_program_that_does_not_read() -> None:
    assert CommandProposer(python("print(1)")).ask(question(prompt="x" * 1_000_000)).text == "1\n"


def test_failures() -> None:
    with pytest.raises(ProposerError, match="exit code 3: out of luck"):
        CommandProposer(python("import sys; sys.exit(print('out of luck', file=sys.stderr) or 3)")).ask(
            question()
        )
    with pytest.raises(ProposerError, match="cannot be run"):
        CommandProposer("./no-such-program").ask(question())
    with pytest.raises(ProposerError, match="is empty"):
        CommandProposer(" ")


def test_time_out_ends_the_program_and_its_children() -> None:
    child = python("import time; time.sleep(60)")
    command = python(f"import subprocess; subprocess.run({shlex.split(child)!r})")
    start = time.monotonic()
    with pytest.raises(ProposerError, match=r"no answer within 0\.5 s"):
        CommandProposer(command, seconds=0.5).ask(question())
    assert time.monotonic() - start < 10
