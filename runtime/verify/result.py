"""What verify finds: one result per case, seed and target; one per kernel."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from cu2mlx.runtime.compare import Comparison, OutputComparison


class Verdict(StrEnum):
    """From best to worst: a kernel has the worst verdict of its cases."""

    SAME = "same"
    SKIPPED = "skipped"  # this case means nothing for the translation; the message says why
    CANNOT_RUN = "cannot run here"  # no executor, or the machine cannot run the original
    UNUSABLE = "unusable"  # the original itself fails on these inputs, or they do not fit the kernel
    REFUSED = "refused"  # there is no translation
    DIFFERS = "differs"
    FAILS = "translation fails"  # does not compile, crashes, hangs
    FAULT = "fault"  # checked mode found something


ORDER: Mapping[Verdict, int] = {verdict: place for place, verdict in enumerate(Verdict)}

OK, DIFFERENT, NOT_USABLE, NOT_HERE = 0, 1, 2, 3
EXIT: Mapping[Verdict, int] = {
    Verdict.SAME: OK,
    Verdict.SKIPPED: NOT_USABLE,
    Verdict.CANNOT_RUN: NOT_HERE,
    Verdict.UNUSABLE: NOT_USABLE,
    Verdict.REFUSED: NOT_USABLE,
    Verdict.DIFFERS: DIFFERENT,
    Verdict.FAILS: DIFFERENT,
    Verdict.FAULT: DIFFERENT,
}


@dataclass(frozen=True, slots=True)
class LocatedFault:
    """A finding of checked mode. `side`: "original" or "translation"; lines are 1-based, None where unknown."""

    side: str
    kind: str
    message: str
    msl_line: int | None
    cuda_line: int | None


@dataclass(frozen=True, slots=True)
class CaseResult:
    """One run of both sides. `seconds`: original, translation (compiling not counted). `wrote`: the original
    changed an output."""

    case: str
    seed: int
    target: str
    verdict: Verdict
    message: str = ""
    comparison: Comparison | None = None
    faults: tuple[LocatedFault, ...] = ()
    seconds: tuple[float, float] = (0.0, 0.0)
    wrote: bool = False

    def as_json(self) -> dict[str, Any]:
        outputs = self.comparison.outputs if self.comparison is not None else ()
        return {
            "case": self.case,
            "seed": self.seed,
            "on": self.target,
            "verdict": str(self.verdict),
            "message": self.message,
            "outputs": [_output(each) for each in outputs],
            "faults": [
                {
                    "side": f.side,
                    "kind": f.kind,
                    "message": f.message,
                    "msl_line": f.msl_line,
                    "cuda_line": f.cuda_line,
                }
                for f in self.faults
            ],
            "seconds": {"original": self.seconds[0], "translation": self.seconds[1]},
        }


@dataclass(frozen=True, slots=True)
class KernelResult:
    """All cases of one kernel. `spec` is where its inputs are described; `diagnostics` why it was refused."""

    kernel: str
    spec: str
    cases: tuple[CaseResult, ...]
    diagnostics: tuple[str, ...] = field(default=())

    @property
    def verdict(self) -> Verdict:
        """The worst of the cases; skipped ones count only where there is nothing else. Inputs on which the
        original never writes anything prove nothing."""
        if self.diagnostics:
            return Verdict.REFUSED
        found = [c.verdict for c in self.cases if c.verdict is not Verdict.SKIPPED]
        worst = max(found, key=ORDER.__getitem__, default=Verdict.SKIPPED)
        return Verdict.UNUSABLE if worst is Verdict.SAME and self.wrote_nothing else worst

    @property
    def wrote_nothing(self) -> bool:
        return not any(case.wrote for case in self.cases)

    @property
    def same(self) -> bool:
        return self.verdict is Verdict.SAME

    @property
    def bitwise(self) -> bool:
        """Whether every output of every case agreed to the bit."""
        outputs = [o for c in self.cases if c.comparison is not None for o in c.comparison.outputs]
        return self.same and all(o.max_abs == 0.0 and not o.mismatches for o in outputs)

    def as_json(self) -> dict[str, Any]:
        return {
            "kernel": self.kernel,
            "spec": self.spec,
            "verdict": str(self.verdict),
            "diagnostics": list(self.diagnostics),
            "cases": [case.as_json() for case in self.cases],
        }


def _output(each: OutputComparison) -> dict[str, Any]:
    return {
        "name": each.name,
        "dtype": each.dtype,
        "same": each.same,
        "count": each.count,
        "mismatches": each.mismatches,
        "max_abs": each.max_abs,
        "max_rel": each.max_rel,
        "max_ulp": each.max_ulp,
        "first_bad": None if each.first_bad is None else list(each.first_bad),
        "allowed": {
            "rtol": each.tolerance.rtol,
            "atol": each.tolerance.atol,
            "scale": each.tolerance.scale,
            "mismatches": each.tolerance.mismatches,
            "why": each.tolerance.why,
        },
    }
