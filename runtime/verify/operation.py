"""What kind of arithmetic a kernel does, read from its text: tolerances hang on it."""

import re

_TRANSCENDENTAL = re.compile(
    r"\b_*(exp|exp2|exp10|expm1|log|log2|log10|log1p|pow|sin|cos|tan|sincos|tanh|sinh|cosh|asin|acos|atan|"
    r"atan2|erf|erfc|erfinv|rsqrt|cbrt|hypot|tgamma|lgamma)f?\s*\("
)
_SUM = re.compile(r"\+=|atomicAdd|__shfl|__reduce")
_STEP = re.compile(r"(\bfor\s*\([^;{]*;[^;{]*;)[^)]*")  # what a loop adds to its counter is no sum
_ASSIGNMENT = re.compile(r"\b(\w+)(?:\[[^\]\n]*\])?\s*([+*]?)=(?!=)([^;=]*)")


def operation_of(text: str) -> str:
    """A row of runtime/spec/operations.py: "arithmetic", "reduction", "transcendental" or "recurrence"."""
    text = _STEP.sub(r"\1", text)
    transcendental = _TRANSCENDENTAL.search(text) is not None
    carried = _is_carried(text)
    if carried and transcendental:
        return "recurrence"
    if carried or _SUM.search(text):
        return "reduction"
    return "transcendental" if transcendental else "arithmetic"


def _is_carried(text: str) -> bool:
    """Whether a value is multiplied and kept, as the state of a scan is: `h = a * h + b`; `l *= a; l += b`."""
    found = _ASSIGNMENT.findall(text)
    scaled, added = ({name for name, operator, _ in found if operator == sign} for sign in "*+")
    kept = [value for name, operator, value in found if not operator and re.search(rf"\b{name}\b", value)]
    return not scaled.isdisjoint(added) or any("*" in value or "fma" in value for value in kept)
