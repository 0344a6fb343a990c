"""What prompts say: the hardware at hand, what the translator knows, what was learnt."""

from dataclasses import replace

import pytest
from questions import task
from test_audit import findings  # noqa: F401  (a fixture)

from cu2mlx.refine.audit.run import FOLDER, Finding
from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate.verdict import Status, Timing, Verdict
from cu2mlx.refine.propose.assertions import assertions
from cu2mlx.refine.propose.hardware import HARDWARE, document_for, hardware_here
from cu2mlx.refine.propose.prompts import Prompts
from cu2mlx.refine.propose.protocol import Kind
from cu2mlx.refine.task import load_task
from cu2mlx.refine.world.model import Action, World

WORLD = World.start("seed").inserted("root", [(Action("tile", "keep a tile", 0.5, 2, 1.5), 5, 0.5)])


@pytest.mark.parametrize(
    ("device", "document"),
    [
        ("Apple M1", "apple-m1-m2"),
        ("Apple M2 Ultra", "apple-m1-m2"),
        ("Apple M3 Pro", "apple-m3-m4"),
        ("Apple M4 Max", "apple-m3-m4"),
        ("Apple M5", "apple-m5"),
        ("Apple M7", "apple-m5"),
        ("NVIDIA H200", "h200"),
        ("NVIDIA GeForce RTX 4090", "nvidia"),
        ("Radeon", None),
    ],
)
def test_the_document_of_a_device(device: str, document: str | None) -> None:
    assert document_for(device) == document


def test_every_document_exists_and_this_machine_has_one() -> None:
    assert hardware_here() in HARDWARE
    seen = {Prompts(task(), name).world(WORLD, task().seed, None, 8) for name in HARDWARE}
    assert len(seen) == len(HARDWARE)
    with pytest.raises(ValueError, match="no document for 'abacus'"):
        Prompts(task(), "abacus")


def told(name: str) -> str:
    return "\n".join(f"{each.holds} | {each.check}" for each in assertions(task(name)))


def test_assertions_come_from_the_translation() -> None:
    softmax = told("softmax")
    assert "The baseline has 2 barriers." in softmax and "`x`: only read" in softmax
    assert "`y`: starts as garbage" in softmax and "32768 bytes" in softmax
    saxpy = told("saxpy")
    assert "The baseline has no barrier" in saxpy and "element i begins as `y_in[i]`" in saxpy
    sums = told("block_sum")
    assert "is only added to, atomically" in sums and "summed by atomics: their order is open" in sums
    counts = told("histogram")
    assert "`bins` (uint32): every bit as in the reference" in counts
    norm = told("rms_norm")
    assert "`residual_in` ^ `residual_delta`" in norm
    assert "`out` (float32)" in norm and "`out` (float16)" in norm and "`out` (bfloat16)" in norm


BROKEN_BY = {  # the check that an assertion names → candidates of the audit that break it, and what finds them
    "limits": {"threadgroup_memory": Status.REFUSED, "too_many_threads": Status.REFUSED},
    "types, and the bytes afterwards": {"mutated_input": Status.CHEAT},
    "outputs filled with NaN, then with other garbage": {"left_over": Status.WRONG, "no_op": Status.WRONG},
    "races and divergent barriers in checked mode": {
        "no_barrier": Status.FAULT, "divergent_barrier": Status.FAULT,
    },
    "against the reference, on fresh data": {"half_precision": Status.WRONG, "memoised": Status.WRONG},
}  # fmt: skip


def test_every_assertion_is_checked_on_candidates(findings: dict[str, Finding]) -> None:  # noqa: F811
    """Of the audit's kernel: for each check there are candidates that break it, and it finds them."""
    checks = {each.check for each in assertions(load_task(FOLDER))}
    assert checks == set(BROKEN_BY)
    for candidates in BROKEN_BY.values():
        for name, status in candidates.items():
            assert findings[name].verdict.status is status, name


def test_an_attempt_is_told_all() -> None:
    seed = task().seed
    verdict = Verdict(Status.WRONG, "correctness", "off by one\n" + "x" * 10_000)
    prompt = Prompts(task(), "apple-m3-m4").attempt(
        Kind.DEBUG, WORLD, WORLD.node("n1"), seed, [(seed, verdict)], ["3× fault (correctness): race on scratch"]
    )  # fmt: skip
    for part in (
        "tile: keep a tile (predicted 1.50× over the baseline translation)", "# Apple M3 and M4 families",
        "# From CUDA to Metal", "__global__", "What must hold, and what checks it", "off by one", "(shortened)",
        "3× fault (correctness): race on scratch", "→ n1 [open] tile", seed.body, "varies afterwards: `BLOCK` in [32",
        "- `const device T* x` [rows, cols]", 'grid = ["rows"]\nblock = ["BLOCK"]\nBLOCK = 256\n', "# Your last candidate",
    ):  # fmt: skip
        assert part in prompt, part
    assert len(prompt) < 15_000
    held_out = [case.name for case in task().held_out]
    assert held_out and not any(f"{name} (" in prompt for name in held_out)


def changed(body: str) -> Candidate:
    return replace(task().seed, body=task().seed.body + body)


FAST = Verdict(
    Status.PASSED, "timing", "", Timing("a GPU", 1e-5, 2e-5, 0.01, 1.9, 2.1, (("rows", 1e-5, 2e-5),))
)
WRONG = Verdict(Status.WRONG, "correctness", "off by one")


def test_what_is_to_be_improved_is_the_best_and_the_last_one_is_a_difference() -> None:
    best, last = changed("// best\nint a;\n"), changed("// last\nint b;\n")
    tried = [(best, FAST), (last, WRONG)]
    prompt = Prompts(task()).attempt(Kind.IMPROVE, WORLD, WORLD.node("n1"), best, tried)
    assert "# Your best candidate for this action" in prompt and best.body in prompt
    assert "1. passed (timing), score 200.0\n   - rows: 10.0 µs, the baseline translation 20.0 µs" in prompt
    assert "2. wrong (correctness): off by one" in prompt
    assert "-int a;\n" in prompt and "+int b;\n" in prompt
    alone = Prompts(task()).attempt(Kind.IMPROVE, WORLD, WORLD.node("n1"), best, tried[:1])
    assert "```diff" not in alone


def test_a_reply_that_could_not_be_read_is_no_candidate() -> None:
    seed = task().seed
    tried = [(seed, Verdict(Status.UNREADABLE, "reply", "the reply has no fenced code block"))]
    prompt = Prompts(task()).attempt(Kind.DEBUG, WORLD, WORLD.node("n1"), seed, tried)
    assert (
        "# The kernel to start from" in prompt and "1. unreadable (reply): the reply has no fenced" in prompt
    )


def test_predictions_stand_beside_measurements() -> None:
    tree = WORLD.solved("n1", "key", 1.2)
    prompt = Prompts(task()).edit(tree, tree.node("n1"), task().seed, "correct, 1.20×", 3)
    assert "predicted 1.50×, measured 1.20×" in prompt and "What has failed" not in prompt
    assert task().seed.body in prompt and "__global__" not in prompt
    failed = WORLD.failed("n1", "wrong:\n  off by one")
    prompt = Prompts(task()).edit(failed, failed.node("n1"), task().seed, "wrong", 3)
    assert task().seed.body not in prompt and "tried in vain: wrong: off by one\n" in prompt


def test_refused_edits_are_shown_with_what_was_wrong() -> None:
    prompt = Prompts(task()).world(WORLD, task().seed, None, 8, "there is no node n9", "delete n9")
    assert "```\ndelete n9\n```\nNothing of it was applied: there is no node n9" in prompt
    assert "update n3" not in prompt  # there is nothing yet to update


def test_the_first_prompt_says_how_long_the_baseline_takes() -> None:
    prompt = Prompts(task()).world(WORLD, task().seed, FAST, 8)
    assert "It takes on a GPU: rows 20.0 µs." in prompt
    assert "It takes" not in Prompts(task()).world(WORLD, task().seed, WRONG, 8)


def test_requirements_of_tunables_and_timed_cases_are_told() -> None:
    decode = task("attention_decode")
    prompt = Prompts(decode).world(WORLD, decode.seed, None, 8)
    texts = [each.text for each in decode.space.requirements]
    assert texts and all(f"`{text}`" in prompt for text in texts)
    assert "- 32k keys, half (batch = 1, " in prompt and "): 134 MB, 2.7e+08 multiply-adds\n" in prompt
    alone = replace(decode, space=replace(decode.space, requirements=()))
    assert (
        len(decode.seed.header) > len(prompt) / 2 and "namespace cu {" not in prompt and "cu::inout" in prompt
    )
    assert "must satisfy" not in Prompts(alone).world(WORLD, decode.seed, None, 8)
