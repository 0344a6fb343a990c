"""cu2mlx doctor: what this machine can do, and what to install."""

import importlib.resources
import json
import sys
from pathlib import Path

import click

from cu2mlx.cli.output import DIFFERS, OK, print_json, write_whole


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@click.option(
    "--report", "report", type=click.Path(path_type=Path), metavar="FILE",
    help="Translate, check, verify and (on a Mac) time every seed; write one JSON file. Takes minutes.",
)  # fmt: skip
def doctor(as_json: bool, report: Path | None) -> None:
    """What this machine can do: versions, back ends, compilers, GPU, and what to install.

    Ends with 0 when translate, check and the CPU machine work, with 1 otherwise. With --report, with 1 too when
    a seed is not translated, not well-typed or not the same as the original.
    """
    from cu2mlx.runtime.doctor import Finding, Need, examine, full_report, versions

    def line(finding: Finding) -> str:
        mark = "ok" if finding.works else "missing" if finding.need is Need.OPTIONAL else "FAILS"
        text = f"{finding.name:<10}{mark:<9}{finding.detail}"
        return text if finding.works else f"{text}\n{'':<19}to have it: {finding.install}"

    if report is not None:
        record = full_report(_seed_specs(), lambda text: click.echo(text, err=True))
        write_whole(report, json.dumps(record, indent=1) + "\n")
        click.echo(f"wrote {report}: please attach it to an issue of the project")
        right = all(
            k["translated"] and not k["check"] and k["verified"]["verdict"] == "same"
            for k in record["kernels"]
        )
        sys.exit(OK if right else DIFFERS)
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


def _seed_specs() -> list[Path]:
    """The specs of the seeds, which travel with the package."""
    folder = Path(str(importlib.resources.files("cu2mlx.seeds")))
    return sorted(folder.glob("*/*.toml"))
