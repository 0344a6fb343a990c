"""The HTML report: whole, self-contained, safe against what a model writes."""

import re
from html.parser import HTMLParser
from pathlib import Path

from reports import finished, shapes, written

from cu2mlx.refine.parts import Measured
from cu2mlx.refine.report.page import page
from cu2mlx.refine.settings import Settings

VOID = {"meta", "br", "col"}


class Balance(HTMLParser):
    """Collects tags that are never closed, ids and the places that links lead to."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.ids: list[str] = []
        self.targets: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.ids += [value or "" for name, value in attrs if name == "id"]
        self.targets += [value or "" for name, value in attrs if name == "href"]

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


def parsed(text: str) -> Balance:
    found = Balance()
    found.feed(text)
    return found


def test_it_is_whole(tmp_path: Path) -> None:
    for is_timed in (True, False):
        folder = tmp_path / str(is_timed)
        folder.mkdir()
        found = parsed(written(folder, is_timed=is_timed))
        assert not found.wrong and not found.open
        assert len(found.ids) == len(set(found.ids))
        assert {target.removeprefix("#") for target in found.targets} <= set(found.ids)


def test_a_timed_run(tmp_path: Path) -> None:
    text = written(tmp_path)
    assert "<strong>1.56×</strong>" in text and "measured <b>1.56×</b>" in text and "predicted 1.50×" in text
    assert "wrong on a shape that was not shown" in text and "off by one" in text and "unreadable" in text
    assert "a made-up device" in text and "prefers-color-scheme: dark" in text


def test_candidates_name_the_decision_that_they_solve(tmp_path: Path) -> None:
    world = finished(tmp_path).world
    solved = [node.name for node in world.nodes if node.solution and node.action is not None]
    (tmp_path / "page").mkdir()
    rows = written(tmp_path / "page").partition('id="candidates"')[2]
    assert solved and all(f'<span class="soft">{name}</span>' in rows for name in solved)


def test_it_needs_nothing_else(tmp_path: Path) -> None:
    """No script, and no address besides places in itself."""
    text = written(tmp_path)
    assert all(target.startswith("#") for target in parsed(text).targets)
    assert not re.search(r"src=|url\(|@import|https?:|<script|<link|<iframe", text)


def test_shapes_name_every_baseline(tmp_path: Path) -> None:
    text = written(tmp_path)
    for expected in (
        "long cache", "naive translation", "CUDA original", "12.6×", "0.75× to 0.77×", "61 % of what memory allows (4.10 TB/s here)", "0.92 % of what exponentials allow (2.1e+12/s here)",
        "peak memory 140 MB", "Not measured: mx.fast.scaled_dot_product_attention: MLX has no GPU back end here",
    ):  # fmt: skip
        assert expected in text, expected


def test_memory_that_was_freed_is_no_peak(tmp_path: Path) -> None:
    """MLX may give back more than a call takes; the number says nothing then."""
    measured = shapes()
    for shape in measured:
        shape["peak_bytes"] = shape["rows"][1]["peak_bytes"] = -5
    run = finished(tmp_path)
    text = page(run, Settings("softmax"), "over", Measured(tuple(measured)))
    assert "-5" not in text and "peak memory" not in text and "Peak memory</dt>" not in text


def test_costs(tmp_path: Path) -> None:
    run = finished(tmp_path)
    text = page(run, Settings("softmax"), "over", None)
    assert f"{0.5 * run.session.account.questions:.2f} USD" in text and '<th scope="row">script</th>' in text


def test_an_untimed_run_says_so(tmp_path: Path) -> None:
    text = written(tmp_path, is_timed=False)
    assert "Not timed." in text and 'id="curve"' not in text and "<strong>1" not in text


def test_what_a_model_writes_is_text(tmp_path: Path) -> None:
    title = "<script>alert(1)</script>"
    story = [f'insert under root {{ title: "{title}" description: "&<b>" score: 1 difficulty: 1 gain: 2 }}']
    text = page(finished(tmp_path, story), Settings("softmax"), "<img src=x>", None)
    assert "<script" not in text and "<img" not in text
    assert "&lt;script&gt;" in text and "&amp;&lt;b&gt;" in text
