"""Parts of the report: units, the curve's geometry, the whiskers, the difference."""

import pytest
from reports import shapes

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate.verdict import Status, Timing, Verdict
from cu2mlx.refine.measure import ShapeResult
from cu2mlx.refine.report import units
from cu2mlx.refine.report.curve import curve
from cu2mlx.refine.report.difference import difference
from cu2mlx.refine.report.shapes import table


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (units.seconds(54.3e-6), "54.3 µs"),
        (units.seconds(1.25e-3), "1.25 ms"),
        (units.seconds(3.2e-9), "3.20 ns"),
        (units.seconds(240), "4 min"),
        (units.seconds(0), "0 s"),
        (units.bytes_(134_238_208), "134 MB"),
        (units.bytes_(4.1e12), "4.10 TB"),
        (units.bytes_(12), "12 bytes"),
        (units.ratio(1.256), "1.26×"),
        (units.ratio(0.0213), "0.021×"),
        (units.ratio(15.53), "15.5×"),
        (units.ratio(1028.35), "1028×"),
        (units.percent(0.614), "61 %"),
        (units.percent(0.0042), "0.42 %"),
    ],
)
def test_units(text: str, expected: str) -> None:
    assert text == expected


def timed(speed: float) -> Verdict:
    return Verdict(Status.PASSED, "timing", "", Timing("d", 1 / speed, 1.0, 0.01, speed, speed))


def test_the_curve_steps_up_at_better_promoted_candidates_only() -> None:
    found = curve(
        [timed(1), Verdict(Status.WRONG, "correctness"), timed(2), timed(1.5), timed(3), timed(9)],
        {0, 2, 3, 4},
    )
    assert found is not None
    assert [mark.speed for mark in found.marks] == [1, None, 2, 1.5, 3, 9]
    heights = [mark.y for mark in found.marks]
    assert heights[4] < heights[2] < heights[3] < heights[0] < heights[1] == found.foot
    assert heights[5] < heights[4]
    assert found.path.count("V") == 2 and found.path.endswith(f"H{found.right}")
    assert found.baseline == heights[0]
    assert {tick.label for tick in found.up} >= {"0×", "5×", "10×"}


def test_ticks_are_round_numbers() -> None:
    for top in (0.011, 0.97, 1.04, 7.3, 42.0, 999.0):
        found = curve([timed(top)], {0})
        assert found is not None and 3 <= len(found.up) <= 8, top
        digits = [tick.label.strip("×").replace(".", "").strip("0") for tick in found.up]
        assert all(len(each) <= 2 for each in digits), digits


def test_no_curve_without_times() -> None:
    assert curve([Verdict(Status.PASSED, "correctness")], ()) is None


def test_whiskers() -> None:
    found = table([ShapeResult.from_json(each) for each in shapes()])
    assert found is not None
    naive, original, attention = found.shapes[0].whiskers
    assert (naive.outcome, original.outcome, attention.outcome) == ("faster", "even", "slower")
    assert attention.right < found.one < naive.left and original.left < found.one < original.right
    assert attention.left > 0 and naive.right < found.width
    assert "1×" in {label for _, label in found.ticks} and len(found.ticks) <= 6
    assert table([]) is None


def test_difference() -> None:
    text = "".join(f"line{n};\n" for n in range(30))
    first, second = difference(
        Candidate("", text),
        Candidate("", text.replace("line2;", "float a = 1.0f; // one").replace("line25;\n", "")),
    )
    changed = [(line.kind, line.old, line.new) for line in first if line.kind != "same"]
    assert changed == [("remove", 4, None), ("add", None, 4)]
    (added,) = (line for line in first if line.kind == "add")
    assert added.words[0] == ("keyword", "float") and ("comment", "// one") in added.words
    assert ("literal", "1.0f") in added.words
    assert "".join(text for _, text in added.words) == "float a = 1.0f; // one"
    assert [line.kind for line in second].count("remove") == 1
    assert difference(Candidate("", text), Candidate("", text)) == ()
