"""Builds report.html from a run's search: one file that needs nothing else, and no script."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate.verdict import Verdict
from cu2mlx.refine.loop import Search
from cu2mlx.refine.measure import ShapeResult
from cu2mlx.refine.parts import Measured
from cu2mlx.refine.report import units
from cu2mlx.refine.report.curve import curve
from cu2mlx.refine.report.difference import difference
from cu2mlx.refine.report.shapes import table
from cu2mlx.refine.settings import Settings
from cu2mlx.refine.world.model import Node, World

if TYPE_CHECKING:
    from jinja2 import Template


@dataclass(frozen=True, slots=True)
class Row:
    """One candidate. `number` counts evaluations, the baseline is 0; `verdict` is the gate's where that failed;
    `decision`: the one that it solves, empty for most."""

    number: int
    key: str
    verdict: Verdict
    candidate: Candidate
    is_promoted: bool
    is_best: bool
    decision: str


@dataclass(frozen=True, slots=True)
class Branch:
    node: Node
    is_best: bool
    children: "tuple[Branch, ...]"


def page(search: Search, settings: Settings, reason: str, measured: Measured | None) -> str:
    """The whole file as text. `measured`: the best against each baseline, where that was measured."""
    session, best = search.session, search.best
    rows = _rows(search)
    return _template().render(
        task=session.task,
        settings=settings,
        reason=reason,
        session=session,
        account=session.account,
        world=search.world,
        rows=rows,
        unreadable=session.archive.unreadable,
        failures=_failures([*(row.verdict for row in rows), *session.archive.unreadable]),
        best=next((row for row in rows if row.is_best), None),
        improved=best.key != session.task.seed.key,
        is_timed=session.archive.is_timed,
        root=branch(search.world, search.world.nodes[0], best.key),
        curve=curve([row.verdict for row in rows], {row.number for row in rows if row.is_promoted}),
        table=table([ShapeResult.from_json(each) for each in measured.shapes]) if measured else None,
        problem=measured.problem if measured else "",
        hunks=difference(session.task.seed, best),
    )


def _rows(search: Search) -> list[Row]:
    archive = search.session.archive
    decisions = {node.solution: node.name for node in search.world.nodes if node.solution}
    rows = []
    for number, key in enumerate(archive.verdicts):
        gate = archive.gates.get(key)
        promoted = gate is not None and gate.passed
        verdict, candidate, is_best = archive.final(key), archive.candidates[key], key == search.best.key
        rows.append(Row(number, key, verdict, candidate, promoted, is_best, decisions.get(key, "")))
    return rows


def _failures(verdicts: Sequence[Verdict]) -> dict[str, list[Verdict]]:
    """By status, the most frequent first."""
    found: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        if not verdict.passed:
            found.setdefault(str(verdict.status), []).append(verdict)
    return dict(sorted(found.items(), key=lambda pair: -len(pair[1])))


def branch(world: World, node: Node, best: str) -> Branch:
    children = tuple(branch(world, child, best) for child in world.children(node.id))
    return Branch(node, node.solution == best, children)


@cache
def _template() -> "Template":
    import jinja2

    loader = jinja2.FileSystemLoader(Path(__file__).parent)
    environment = jinja2.Environment(
        loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {
        "seconds": units.seconds,
        "bytes": units.bytes_,
        "ratio": units.ratio,
        "percent": units.percent,
    }
    return environment.get_template("page.html.jinja")
