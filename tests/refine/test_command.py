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
    with pytest.raises(ProposerError, match="no such program"):
        CommandProposer("./no-such-program")
    with pytest.raises(ProposerError, match="is empty"):
        CommandProposer(" ")


def test_a_program_that_never_stops_talking() -> None:
    start = time.monotonic()
    for stream in ("stdout", "stderr"):
        code = f"import sys\nwhile True: sys.{stream}.write('x' * 60_000)"
        with pytest.raises(ProposerError, match="an answer of over"):
            CommandProposer(python(code), seconds=60).ask(question())
    assert time.monotonic() - start < 30


def test_much_on_both_outputs_is_no_deadlock() -> None:
    code = "import sys; sys.stderr.write('e' * 500_000); sys.stdout.write('o' * 500_000)"
    assert CommandProposer(python(code)).ask(question()).text == "o" * 500_000


def test_a_child_that_keeps_the_outputs_open_is_over_its_time() -> None:
    code = f"import subprocess, sys; print('answer', flush=True); subprocess.Popen({[sys.executable, '-c', 'import time; time.sleep(60)']!r})"
    with pytest.raises(ProposerError, match="no answer within"):
        CommandProposer(python(code), seconds=1).ask(question())


def test_time_out_ends_the_program_and_its_children() -> None:
    child = python("import time; time.sleep(60)")
    command = python(f"import subprocess; subprocess.run({shlex.split(child)!r})")
    start = time.monotonic()
    with pytest.raises(ProposerError, match=r"no answer within 0\.5 s"):
        CommandProposer(command, seconds=0.5).ask(question())
    assert time.monotonic() - start < 10
