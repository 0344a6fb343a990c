"""The report as a browser shows it: offline, silent, with the keyboard, light and dark, wide and narrow."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Page, browser, chromium
from reports import written

PATH = chromium()
pytestmark = pytest.mark.skipif(PATH is None, reason="no Chromium here: apt-get install chromium")

FOCUS = "document.activeElement.textContent.trim().slice(0, 40)"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    file = folder / "report.html"
    file.write_text(written(folder), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def page(report: Path) -> Iterator[Page]:
    assert PATH is not None
    with browser(PATH) as found:
        found.resize(1200, 900)
        found.open(report)
        yield found


def test_it_asks_for_nothing_and_complains_of_nothing(page: Page, report: Path) -> None:
    assert page.requests == [report.as_uri()]
    assert page.messages == []


def test_the_browser_would_have_complained(page: Page, report: Path, tmp_path: Path) -> None:
    """That the test above can fail: a page with an error and a picture from elsewhere."""
    bad = tmp_path / "bad.html"
    bad.write_text("<img src='missing.png'><script>throw new Error('no')</script>")
    page.open(bad)
    assert len(page.requests) > 2 and any("no" in message for message in page.messages)
    page.requests.clear()
    page.messages.clear()
    page.open(report)


def test_everything_can_be_reached_with_the_keyboard(page: Page, report: Path) -> None:
    page.open(report)
    page.press("Tab")
    assert page.value(FOCUS) == "Skip to the results"
    assert (
        page.value("document.activeElement.getBoundingClientRect().left") >= 0
    )  # it shows when it has the focus
    seen = []
    for _ in range(200):
        page.press("Tab")
        if page.value("document.activeElement === document.body"):
            break
        seen.append(page.value("document.activeElement.tagName"))
    reachable = "document.querySelectorAll('nav a, summary, [tabindex=\"0\"]').length"
    hidden = "document.querySelectorAll('details:not([open]) details > summary').length"
    assert len(seen) >= page.value(reachable) - page.value(hidden)
    assert set(seen) == {"A", "SUMMARY", "DIV"}


def test_a_link_leads_to_its_section_and_enter_opens_a_decision(page: Page, report: Path) -> None:
    page.open(report)
    while page.value(FOCUS) != "Decisions":
        page.press("Tab")
    before = page.value("scrollY")
    page.press("Enter", "\r")
    assert page.value("location.hash") == "#decisions" and page.value("scrollY") >= before
    is_open = "document.activeElement.parentElement.open"
    while page.value("document.activeElement.tagName") != "SUMMARY" or page.value(is_open):
        page.press("Tab")
    page.press("Enter", "\r")
    assert page.value(is_open)


def test_light_and_dark(page: Page, report: Path) -> None:
    page.open(report)
    looks = {}
    for scheme in ("light", "dark"):
        page.prefer(scheme)
        colours = [
            page.value(f"getComputedStyle(document.body).{each}") for each in ("color", "backgroundColor")
        ]
        looks[scheme] = (page.picture(), *map(luminance, colours))
    assert looks["light"][0] != looks["dark"][0]
    assert looks["light"][1] < 0.1 < 0.9 < looks["light"][2]
    assert looks["dark"][2] < 0.1 < 0.7 < looks["dark"][1]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_is_easy_to_read(page: Page, report: Path, scheme: str) -> None:
    """Every text has a contrast of 4.5 to what is behind it (WCAG 2.1 AA)."""
    page.open(report)
    page.prefer(scheme)
    found = page.value(TEXTS)
    assert len(found) > 100
    poor = {(text, ink, behind) for text, ink, behind in found if contrast(ink, behind) < 4.5}
    assert not poor


@pytest.mark.parametrize("width", [360, 768, 1600])
def test_no_page_scrolls_sideways(page: Page, report: Path, width: int) -> None:
    page.resize(width, 800)
    page.open(report)
    assert page.value("document.documentElement.scrollWidth") <= width
    page.resize(1200, 900)


TEXTS = """(() => {
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode.textContent.trim(), at = walk.currentNode.parentElement;
    if (!text || !at.checkVisibility() || at.closest('title, desc, style')) continue;
    let behind = at;
    while (behind && getComputedStyle(behind).backgroundColor === 'rgba(0, 0, 0, 0)') behind = behind.parentElement;
    const style = getComputedStyle(at);
    found.push([text.slice(0, 30), at.closest('svg') ? style.fill : style.color,
                getComputedStyle(behind || document.body).backgroundColor]);
  }
  return found;
})()"""


def luminance(colour: str) -> float:
    """WCAG's relative luminance of "rgb(r, g, b)"."""
    parts = [int(each) / 255 for each in colour.removeprefix("rgb(").removesuffix(")").split(",")]
    red, green, blue = (
        each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    bright, dim = sorted((luminance(first), luminance(second)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)
