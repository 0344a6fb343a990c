"""Replies as models really write them."""

import pytest

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.propose.protocol import Reply
from cu2mlx.refine.propose.reply import (
    MAXIMUM_REPLY,
    SEPARATOR,
    ReplyError,
    is_finished,
    read_candidate,
    read_edits,
    without_library,
)

BASE = Candidate("// header\n", "y[0] = 1;\n", (), ("BLOCK",), (("BLOCK", 64),))
CODE = f"struct S {{}};\n{SEPARATOR}\ny[0] = 2;\n"


def candidate(text: str) -> Candidate:
    return read_candidate(Reply(text), BASE)


@pytest.mark.parametrize(
    "text",
    [
        f"Here it is:\n```metal\n{CODE}```\nFaster.",
        f"```MSL\n{CODE}\n```",
        f"```c++\n{CODE}```",
        f"```\n{CODE}```",
        f"~~~cpp\n{CODE}~~~",
        f"````metal\n{CODE}````",
        f"First a sketch:\n```python\nprint(1)\n```\nthen\n```metal\n{CODE}```",
        f"```cpp\nint unrelated;\n```\n```metal\n{CODE}```",
        f"  ```metal title=kernel\n{CODE}  ```",
    ],
)
def test_fences(text: str) -> None:
    found = candidate(text)
    assert (found.header, found.body) == ("struct S {};\n", "y[0] = 2;\n")
    assert (found.block, found.numbers) == (("BLOCK",), (("BLOCK", 64),))


def test_a_body_alone_keeps_the_header() -> None:
    assert candidate("```metal\ny[0] = 3;\n```") == Candidate(
        "// header\n", "y[0] = 3;\n", (), ("BLOCK",), (("BLOCK", 64),)
    )


def test_launch_numbers() -> None:
    found = candidate('```metal\ny[0] = 3;\n```\n```launch\ngrid = ["rows", 2]\nblock = 128\nBLOCK = 32\n```')
    assert (found.grid, found.block, found.numbers) == (("rows", "2"), ("128",), (("BLOCK", 32),))
    alone = candidate("```toml\nBLOCK = 256\n```")
    assert (alone.body, alone.block, alone.numbers) == (BASE.body, ("BLOCK",), (("BLOCK", 256),))


def test_the_support_library_need_not_be_written_again() -> None:
    library = "namespace cu {\n\ninline int one() {\n    return 1;\n}\n\n}  // namespace cu\n\n"
    base = Candidate(f"{library}struct S {{}};\n", "y[0] = cu::one();\n")
    shown = without_library(base.header)
    assert "inline int one" not in shown and shown.endswith("struct S {};\n")
    for header in (shown, "struct S {};\n"):
        again = read_candidate(Reply(f"```metal\n{header}{SEPARATOR}\n{base.body}```"), base)
        assert again == base
    unused = read_candidate(Reply(f"```metal\n{SEPARATOR}\ny[0] = 1;\n```"), base)
    assert unused.header == ""
    own = read_candidate(Reply(f"```metal\n{base.header}{SEPARATOR}\n{base.body}```"), base)
    assert own.header == base.header


def test_nothing_is_left_to_try() -> None:
    assert is_finished(Reply("", is_finished=True))
    assert is_finished(Reply("It is at the limit.\n```finished\nbound by memory\n```"))
    assert not is_finished(Reply(f"```metal\n{CODE}```\n```finished\n```"))
    assert not is_finished(Reply("finished")) and not is_finished(Reply(""))


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (Reply(""), "the reply is empty"),
        (Reply("I would tile it."), "no fenced code block"),
        (Reply("```metal\ny[0] = 2;\n"), "not closed"),
        (Reply("```metal\ny[0] = 2;\n```", is_cut_off=True), "cut off at the token limit"),
        (Reply("", refusal="I cannot help with that"), "the model declined: I cannot help"),
        (Reply("x" * (MAXIMUM_REPLY + 1)), "the limit is"),
        (Reply("```launch\nBLOCK = \n```"), "not TOML"),
        (Reply("```launch\nBLOCK = 1.5\n```"), "must be a whole number"),
        (Reply('```launch\nBLOCK = "__import__"\n```'), "must be a whole number"),
        (Reply("```launch\ngrid = [1, 2, 3, 4]\n```"), "one to three"),
        (Reply("```launch\ngrid = [true]\n```"), "one to three"),
    ],
)
def test_mistakes(reply: Reply, message: str) -> None:
    with pytest.raises(ReplyError, match=message):
        read_candidate(reply, BASE)


def test_a_reply_of_nothing_but_fences_is_read_in_linear_time() -> None:
    with pytest.raises(ReplyError):
        candidate("```metal\n" * 20_000)


def test_edits() -> None:
    assert read_edits(Reply("delete n1")) == "delete n1"
    assert read_edits(Reply("Well:\n```edits\ndelete n1\n```")) == "delete n1\n"
    with pytest.raises(ReplyError, match="not closed"):
        read_edits(Reply("```edits\ndelete n1"))
