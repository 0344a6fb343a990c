"""Candidates: the same text is the same candidate; what reaches past MSL is refused."""

import pytest

from cu2mlx.refine.candidate import MAXIMUM_TEXT, Candidate, forbidden

BODY = "uint i = thread_position_in_grid.x;\ny[i] = x[i] * 2.0f;"


def test_comments_and_spacing_do_not_count() -> None:
    other = "uint i=thread_position_in_grid . x; // mine\n\n\ty[i] = x[i]*2.0f; /* done */"
    assert Candidate("", BODY).key == Candidate("", other).key
    assert Candidate("", BODY).key != Candidate("", BODY.replace("2.0f", "3.0f")).key
    assert Candidate("", BODY).key != Candidate("", BODY, block=("64",)).key
    assert Candidate("", BODY).key != Candidate("", BODY).with_numbers({"BLOCK": 64}).key


def test_the_same_text_is_compiled_once_whatever_it_is_launched_with() -> None:
    names = {
        each.kernel_name
        for each in (Candidate("", BODY), Candidate("", BODY, ("2",), ("64",), (("BLOCK", 64),)))
    }
    assert len(names) == 1 and names != {Candidate("", BODY + "y[1] = 0;").kernel_name}


def test_json_round_trip() -> None:
    candidate = Candidate("h", BODY, ("n", "2"), ("64",), (("A", 1), ("B", 2)))
    assert Candidate.from_json(candidate.as_json()) == candidate


@pytest.mark.parametrize(
    "text",
    [
        'asm volatile("nop");',
        'extern "C" int system(const char*);',
        "__attribute__((constructor)) void f() {}",
        "[[gnu::constructor]] void f() {}",
        "[[using gnu: constructor]] void f() {}",
        '#include "/etc/passwd"',
        "#include <unistd.h>",
        '#inc\\\nlude "file"',
        '%:include "file"',
        '#line 7 "other"',
        "__builtin_trap();",
        "#define JOIN(a, b) a##b",
        "engine::stop();",
        "x" * (MAXIMUM_TEXT + 1),
    ],
)
def test_forbidden(text: str) -> None:
    assert list(forbidden(text))


def test_plain_msl_is_allowed() -> None:
    text = '#include <metal_stdlib>\n#define N 4\n// extern "C" asm\n#pragma unroll\nfor (;;) {} [[unroll]]'
    assert not list(forbidden(text))
