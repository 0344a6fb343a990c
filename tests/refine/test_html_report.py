"""The HTML report: whole, self-contained, safe against what a model writes."""

import re
from html.parser import HTMLParser
from pathlib import Path

from test_loop import STORY, Machine, Script, search

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.loop import Search
from cu2mlx.refine.report.page import difference, page, steps
from cu2mlx.refine.session import Options

VOID = {"meta", "line", "path", "br"}


class Balance(HTMLParser):
    """Collects tags that are never closed, and all attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


def finished(path: Path, story: list[str], *, is_timed: bool = True) -> Search:
    options = Options(rounds=99, stagnation=3)
    run = search(path / "j", Script(story), machine=Machine(is_timed=is_timed), options=options)
    run.run()
    return run


def test_a_timed_run(tmp_path: Path) -> None:
    text = page(finished(tmp_path, list(STORY)), "the script is over")
    parsed = Balance()
    parsed.feed(text)
    assert not parsed.wrong and not parsed.open
    assert "1.56× baseline" in text and "measured 1.56×" in text and "predicted 1.50×" in text
    assert "wrong on a shape that was not shown" in text and "off by one" in text
    assert "a made-up device" in text and "<svg" in text and "prefers-color-scheme: dark" in text
    assert not re.search(r"(src|href)=|url\(|@import|https?://|<script", text)


def test_an_untimed_run_says_so(tmp_path: Path) -> None:
    text = page(finished(tmp_path, list(STORY), is_timed=False), "over")
    assert "Not timed." in text and "<svg" not in text and "× baseline" not in text


def test_what_a_model_writes_is_text(tmp_path: Path) -> None:
    title = "<script>alert(1)</script>"
    story = [f'insert under root {{ title: "{title}" description: "&<b>" score: 1 difficulty: 1 gain: 2 }}']
    text = page(finished(tmp_path, story), "<img src=x>")
    assert (
        "<script" not in text and "<img" not in text and "&lt;script&gt;" in text and "&amp;&lt;b&gt;" in text
    )


def test_difference_and_steps() -> None:
    lines = list(difference(Candidate("", "a;\nb;\n"), Candidate("", "a;\nc;\n")))
    assert ("remove", "-b;") in lines and ("add", "+c;") in lines and ("same", " a;") in lines
    assert steps([]) == ""
