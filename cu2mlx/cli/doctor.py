"""cu2mlx doctor: what this machine can do, and what to install."""

import importlib.resources
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import click

from cu2mlx.cli.options import JSON
from cu2mlx.cli.output import CANNOT_RUN, DIFFERS, OK, Stop, print_json, write_whole


@click.command()
@JSON
@click.option(
    "--report", "report", type=click.Path(path_type=Path), metavar="FILE",
    help="Translate, check and verify every seed, bench and search a few; write one JSON file. Takes minutes.",
)  # fmt: skip
def doctor(as_json: bool, report: Path | None) -> None:
    """What this machine can do: versions, back ends, compilers, GPU, and what to install.

    Ends with 0 when translate, check and the CPU machine work, with 1 otherwise. With --report, with 1 too when
    a seed is not translated, not well-typed or not the same as the original, or a bench or a search fails;
    with 2 when FILE cannot be written.
    """
    from cu2mlx.runtime.doctor import Finding, Need, examine, versions

    def line(finding: Finding) -> str:
        mark = "ok" if finding.works else "missing" if finding.need is Need.OPTIONAL else "FAILS"
        text = f"{finding.name:<10}{mark:<9}{finding.detail}"
        return text if finding.works else f"{text}\n{'':<19}to have it: {finding.install}"

    if report is not None:
        sys.exit(OK if _report(report) else DIFFERS)
    found: list[Finding] = []
    if not as_json:
        for name, version in versions().items():
            click.echo(f"{name:<19}{version}")
    for finding in examine():
        found.append(finding)
        if not as_json:
            click.echo(line(finding))
    if as_json:
        print_json({
            "versions": versions(),
            "findings": [
                {"name": f.name, "need": str(f.need), "works": f.works, "detail": f.detail, "install": f.install}
                for f in found
            ],
        })  # fmt: skip
    sys.exit(OK if all(f.works for f in found if f.need is Need.REQUIRED) else DIFFERS)


def _report(path: Path) -> bool:
    """Write the report, anew after each part of it, since a GPU that fails may end the process. Is all right?"""
    from cu2mlx.cli.steps import BENCHES, SEARCHES, run_step
    from cu2mlx.runtime.doctor.report import full_report, timing_report

    def say(text: str) -> None:
        click.echo(text, err=True)

    def step(*arguments: str) -> dict[str, Any]:
        result = run_step(*arguments)
        say(f"{result['command']}: exit code {result['exit_code']}")
        return result

    def save() -> None:
        write_whole(path, json.dumps(record, indent=1) + "\n")

    record: dict[str, Any] = {}
    try:
        save()  # at once: what cannot be written shows before the minutes that follow
    except OSError as error:
        raise Stop(f"cannot write: {error.strerror}", path=str(path), code="CU1007") from None
    specs = _seed_specs()
    folder = specs[0].parents[1]
    record = full_report(specs, say)
    save()
    record["bench"] = [step("bench", str(folder / task), "--json") for task in BENCHES]
    save()
    with tempfile.TemporaryDirectory() as runs:
        record["search"] = [
            step("optimize", str(folder / task), "--rounds", str(rounds), "--json", "-o", f"{runs}/{number}")
            for number, (task, rounds) in enumerate(SEARCHES)
        ]
    save()
    record["timing"] = timing_report(specs, say)
    save()
    click.echo(f"wrote {path}: please attach it to an issue of the project")
    same = all(
        k["translated"] and not k["check"] and k["verified"]["verdict"] == "same" for k in record["kernels"]
    )
    ended = (OK, CANNOT_RUN)  # bench cannot run without a GPU
    return same and all(each["exit_code"] in ended for each in (*record["bench"], *record["search"]))


def _seed_specs() -> list[Path]:
    """The specs of the seeds, which travel with the package."""
    folder = Path(str(importlib.resources.files("cu2mlx.seeds")))
    return sorted(folder.glob("*/*.toml"))
