"""Diagnostics: model, catalogue of all codes, renderers (text, JSON, SARIF)."""

from cu2mlx.transpiler.diagnostics.catalogue import CATALOGUE, diagnostic
from cu2mlx.transpiler.diagnostics.model import Code, Diagnostic, Effort, Findings, Severity

__all__ = ["CATALOGUE", "Code", "Diagnostic", "Effort", "Findings", "Severity", "diagnostic"]
