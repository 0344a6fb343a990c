"""What prompts say of a task's arguments, cases and launches."""

import pytest
from questions import task

from cu2mlx.refine.evaluate.verdict import Timing
from cu2mlx.refine.propose import describe

TIMING = Timing("a device", 3e-5, 9e-5, 0.01, 2.9, 3.1, (("small", 1e-5, 5e-5), ("large", 2e-5, 4e-5)))


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("softmax", ["`const device T* x` [rows, cols]", "`const constant int& cols`", "`device T* y` [rows, cols], output"]),
        ("rms_norm", ["`const device scalar_t* residual_in` [num_tokens, hidden_size]", "`const constant float& epsilon`"]),
        ("attention_decode", ["`const device int* lengths` [batch]", "`device uint* partial_delta` [batch, num_heads,"]),
    ],
)  # fmt: skip
def test_arguments_as_the_body_sees_them(name: str, lines: list[str]) -> None:
    told = list(describe.arguments(task(name)))
    assert len(told) == task(name).binding.buffers
    for line in lines:
        assert any(each.startswith(line) for each in told), line


def test_a_case_says_what_a_candidate_cannot_choose() -> None:
    decode = task("attention_decode")
    told = describe.case(decode, decode.spec.case("half, head of 80"))
    assert told == (
        "half, head of 80 (batch = 1, num_heads = 4, num_kv_heads = 4, max_len = 37, min_len = 37, T = half, D = 80)"
    )


def test_what_any_kernel_has_to_do() -> None:
    decode = task("attention_decode")
    assert describe.needs(decode, decode.timed[0]) == "134 MB, 2.7e+08 multiply-adds"
    softmax = task()
    assert describe.needs(softmax, softmax.spec.case("multiple of the block")) == "65.5 kB"


def test_the_launch_as_a_launch_block() -> None:
    softmax = task()
    assert describe.launch(softmax, softmax.seed) == {"grid": '["rows"]', "block": '["BLOCK"]', "BLOCK": 256}
    assert describe.launch(softmax, softmax.seed.with_numbers({"BLOCK": 64}))["BLOCK"] == 64
    gemv = task("int4_gemv")
    assert describe.launch(gemv, gemv.seed) == {"grid": '["ceildiv(rows, 4)"]', "block": "[32, 4]"}


def test_times_of_each_case() -> None:
    assert list(describe.times(TIMING)) == [
        "small: 10.0 µs, the baseline translation 50.0 µs (5.00×)",
        "large: 20.0 µs, the baseline translation 40.0 µs (2.00×)",
    ]
    assert list(describe.baseline_times(TIMING)) == ["small 50.0 µs", "large 40.0 µs"]
    assert Timing.from_json(TIMING.as_json()) == TIMING
    assert "cases" not in Timing("d", 1.0, 1.0, 0.0, 1.0, 1.0).as_json()
