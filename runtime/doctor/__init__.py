"""What this computer can do: `examine` answers in a second or two, `full_report` runs every seed."""

from cu2mlx.runtime.doctor.facts import Finding, Need, examine, versions
from cu2mlx.runtime.doctor.report import full_report

__all__ = ["Finding", "Need", "examine", "full_report", "versions"]
