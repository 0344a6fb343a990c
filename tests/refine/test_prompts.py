"""What prompts say: the hardware at hand, what the translator knows, what was learnt."""

from dataclasses import replace

import pytest
from questions import task
from test_audit import findings  # noqa: F401  (a fixture)

from cu2mlx.refine.audit.run import FOLDER, Finding
from cu2mlx.refine.evaluate.verdict import Status, Verdict
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
    seen = {Prompts(task(), name).world(WORLD, task().seed, 8) for name in HARDWARE}
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
        Kind.DEBUG, WORLD, WORLD.node("n1"), seed, verdict, ["3× fault (correctness): race on scratch"]
    )
    for part in (
        "tile: keep a tile (predicted 1.50× over the baseline)", "# Apple M3 and M4 families", "# From CUDA to Metal",
        "written by an expert", "__global__", "What must hold, and what checks it", "off by one", "(shortened)",
        "3× fault (correctness): race on scratch", "→ n1 [open] tile", seed.body, "Tunables: `BLOCK`",
    ):  # fmt: skip
        assert part in prompt, part
    assert len(prompt) < 25_000
    held_out = [case.name for case in task().held_out]
    assert held_out and not any(f"{name} (" in prompt for name in held_out)


def test_predictions_stand_beside_measurements() -> None:
    tree = WORLD.solved("n1", "key", 1.2)
    prompt = Prompts(task()).edit(tree, tree.node("n1"), "correct, 1.20×", 3)
    assert "predicted 1.50×, measured 1.20×" in prompt and "What has failed" not in prompt


def test_requirements_of_tunables_are_told() -> None:
    decode = task("attention_decode")
    prompt = Prompts(decode).world(WORLD, decode.seed, 8)
    texts = [each.text for each in decode.space.requirements]
    assert texts and all(f"`{text}`" in prompt for text in texts)
    alone = replace(decode, space=replace(decode.space, requirements=()))
    assert "must satisfy" not in Prompts(alone).world(WORLD, decode.seed, 8)
