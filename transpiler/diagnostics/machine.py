"""Diagnostics for machines: plain JSON values, and SARIF 2.1.0 for code-scanning tools."""

from collections.abc import Iterable
from typing import Any

from cu2mlx.transpiler.diagnostics.catalogue import CATALOGUE
from cu2mlx.transpiler.diagnostics.model import Diagnostic, Severity

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}


def as_json(diagnostic: Diagnostic) -> dict[str, Any]:
    """One diagnostic as the command line's JSON has it; line and column are 1-based."""
    return {
        "code": diagnostic.code.code,
        "severity": str(diagnostic.severity),
        "file": diagnostic.span.file.path,
        "line": diagnostic.span.line,
        "column": diagnostic.span.column,
        "message": diagnostic.message,
        "hint": diagnostic.hint,
        "effort": str(diagnostic.code.effort),
        "kernel": diagnostic.kernel,
    }


def as_sarif(diagnostics: Iterable[Diagnostic], version: str) -> dict[str, Any]:
    """A SARIF log of one run, with the rules of the codes that occur."""
    listed = list(diagnostics)
    codes = sorted({d.code.code for d in listed})
    rules = [
        {
            "id": code,
            "name": CATALOGUE[code].slug,
            "shortDescription": {"text": CATALOGUE[code].message},
            "help": {"text": CATALOGUE[code].hint},
        }
        for code in codes
    ]
    results = [
        {
            "ruleId": d.code.code,
            "ruleIndex": codes.index(d.code.code),
            "level": _LEVELS[d.severity],
            "message": {"text": f"{d.message}. {d.hint}".rstrip(". ")},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": d.span.file.path},
                        "region": {"startLine": d.span.line, "startColumn": d.span.column},
                    }
                }
            ],
        }
        for d in listed
    ]
    driver = {"name": "cu2mlx", "version": version, "rules": rules}
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": results}],
    }
