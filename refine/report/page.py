"""Builds report.html from a run's search: tree, curve, candidates, the difference to the baseline, costs."""

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate.verdict import Verdict
from cu2mlx.refine.loop import Search
from cu2mlx.refine.propose.reply import SEPARATOR
from cu2mlx.refine.world.model import Node, World

if TYPE_CHECKING:
    from jinja2 import Template

WIDTH, HEIGHT, MARGIN = 640, 220, 36  # of the curve, in SVG units


@dataclass(frozen=True, slots=True)
class Row:
    """One candidate. `number` counts evaluations, the baseline is 0."""

    number: int
    key: str
    verdict: Verdict
    candidate: Candidate
    is_best: bool


@dataclass(frozen=True, slots=True)
class Branch:
    node: Node
    children: "tuple[Branch, ...]"


@dataclass(frozen=True, slots=True)
class Point:
    """A timed candidate in the curve: its place in SVG units."""

    x: float
    y: float
    number: int
    score: float


def page(search: Search, reason: str) -> str:
    """The whole file as text."""
    session = search.session
    rows = [
        Row(number, key, verdict, session.candidates[key], key == search.best.key)
        for number, (key, verdict) in enumerate(session.verdicts.items())
    ]
    points = curve(rows)
    return _template().render(
        task=session.task,
        reason=reason,
        session=session,
        summary=search.world.summary,
        questions=search.world.questions,
        rows=rows,
        best=next((row for row in rows if row.is_best), None),
        is_timed=any(row.verdict.score is not None for row in rows),
        root=branch(search.world, search.world.nodes[0]),
        points=points,
        path=steps(points),
        top=max((point.score for point in points), default=0.0),
        width=WIDTH,
        height=HEIGHT,
        margin=MARGIN,
        difference=list(difference(session.task.seed, search.best)),
    )


def branch(world: World, node: Node) -> Branch:
    return Branch(node, tuple(branch(world, child) for child in world.children(node.id)))


def curve(rows: Sequence[Row]) -> list[Point]:
    """Timed candidates, scaled into the picture; the score axis starts at 0."""
    scored = [(row.number, row.verdict.score) for row in rows if row.verdict.score is not None]
    if not scored:
        return []
    last, top = max(1, len(rows) - 1), max(score for _, score in scored)
    return [
        Point(
            round(MARGIN + number / last * (WIDTH - 2 * MARGIN), 1),
            round(HEIGHT - MARGIN - score / top * (HEIGHT - 2 * MARGIN), 1),
            number,
            score,
        )
        for number, score in scored
    ]


def steps(points: Sequence[Point]) -> str:
    """The best so far as an SVG path: it steps up at each better candidate and goes on to the right edge."""
    path, best = "", 0.0
    for point in points:
        if point.score > best:
            path += f"H{point.x} V{point.y} " if path else f"M{point.x} {point.y} "
            best = point.score
    return f"{path}H{WIDTH - MARGIN}" if path else ""


def difference(seed: Candidate, best: Candidate) -> Iterator[tuple[str, str]]:
    """Lines of the unified difference with their kind: add, remove, place or same."""
    old, new = (f"{each.header}{SEPARATOR}\n{each.body}".splitlines() for each in (seed, best))
    kinds = {"+": "add", "-": "remove", "@": "place"}
    lines = difflib.unified_diff(old, new, "baseline", "best", lineterm="")
    for number, line in enumerate(lines):
        if number >= 2:  # after the two lines of file names
            yield kinds.get(line[:1], "same"), line


@cache
def _template() -> "Template":
    import jinja2

    loader = jinja2.FileSystemLoader(Path(__file__).parent)
    environment = jinja2.Environment(loader=loader, autoescape=True, undefined=jinja2.StrictUndefined)
    return environment.get_template("page.html.jinja")
