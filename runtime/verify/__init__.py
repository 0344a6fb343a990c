"""Original and translation on the same data: `verify_kernel` and its typed results. See docs/verify.md."""

from cu2mlx.runtime.verify.kernel import emitted_kernel, translation_of, verify_kernel
from cu2mlx.runtime.verify.result import CaseResult, KernelResult, LocatedFault, Verdict
from cu2mlx.runtime.verify.targets import TARGETS, Target

__all__ = [
    "TARGETS",
    "CaseResult",
    "KernelResult",
    "LocatedFault",
    "Target",
    "Verdict",
    "emitted_kernel",
    "translation_of",
    "verify_kernel",
]
