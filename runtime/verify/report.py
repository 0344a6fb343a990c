"""Results as text for people."""

from collections.abc import Iterator

from cu2mlx.runtime.compare import describe
from cu2mlx.runtime.compare import render as render_comparison
from cu2mlx.runtime.verify.result import CaseResult, KernelResult, LocatedFault, Verdict


def render_kernel(result: KernelResult, path: str) -> str:
    """The kernel's verdict, its outputs over all cases, and every case that is not the same."""
    lines = [f"{result.kernel}: {_headline(result)}"]
    lines += [f"  {path}: {each}" for each in result.diagnostics]
    lines += [f"  {line}" for line in _outputs(result)]
    for case in result.cases:
        if case.verdict is not Verdict.SAME:
            lines += [f"  {line}" for line in _case(case, path)]
    return "\n".join(lines)


def _headline(result: KernelResult) -> str:
    count = sum(case.verdict is Verdict.SAME for case in result.cases)
    if result.verdict is Verdict.SAME:
        how = "bit for bit" if result.bitwise else "within tolerance"
        return f"same, {how} ({count} run{'s' * (count != 1)})"
    if result.verdict is Verdict.UNUSABLE and result.wrote_nothing and not _messages(result):
        return "UNUSABLE: the original writes no output on these inputs, which proves nothing"
    if result.verdict is Verdict.REFUSED:
        return "refused, there is no translation to run"
    if result.verdict is Verdict.CANNOT_RUN and not count:
        return "CANNOT RUN HERE"
    return f"{str(result.verdict).upper()} ({count} of {len(result.cases)} runs the same)"


def _messages(result: KernelResult) -> list[str]:
    return [case.message for case in result.cases if case.message]


def _outputs(result: KernelResult) -> Iterator[str]:
    """One line per output: the worst of all runs."""
    compared = [case.comparison for case in result.cases if case.comparison is not None]
    found = [output for comparison in compared for output in comparison.outputs]
    for name in dict.fromkeys(output.name for output in found):
        rows = [output for output in found if output.name == name]
        wrong, count = sum(row.mismatches for row in rows), sum(row.count for row in rows)
        worst = [max(getattr(row, key) for row in rows) for key in ("max_abs", "max_rel", "max_ulp")]
        dtypes = "/".join(dict.fromkeys(row.dtype for row in rows))
        yield (
            f"{name:<16} {dtypes:<10} {wrong} of {count} elements off, max abs {worst[0]:.3g}, "
            f"rel {worst[1]:.3g}, ulp {worst[2]:.3g}; allowed: {describe(rows[0].tolerance)}"
        )


def _case(case: CaseResult, path: str) -> Iterator[str]:
    which = f"case {case.case!r}, seed {case.seed}, " if case.case else ""  # none ran: there is no such GPU
    yield f"{which}on {case.target}: {case.verdict}"
    if case.message:
        yield from (f"  {line}" for line in case.message.strip().split("\n"))
    yield from (f"  {_fault(fault, path)}" for fault in case.faults)
    if case.comparison is not None and not case.comparison.same:
        yield from (f"  {line}" for line in render_comparison(case.comparison).split("\n"))


def _fault(fault: LocatedFault, path: str) -> str:
    place = f"{path}:{fault.cuda_line}: " if fault.cuda_line is not None else ""
    metal = f" [line {fault.msl_line} of the Metal text]" if fault.msl_line is not None else ""
    return f"{place}{fault.side}: {fault.message}{metal}"
