"""Spec files: what to run a kernel with. See docs/spec-files.md."""

from cu2mlx.runtime.spec.cuda import cuda_kernel
from cu2mlx.runtime.spec.load import load_spec, parse_spec
from cu2mlx.runtime.spec.model import Buffer, Case, Scalar, Spec, SpecError, ToleranceOverride
from cu2mlx.runtime.spec.reference import load_reference
from cu2mlx.runtime.spec.resolve import Resolved, ResolvedBuffer, ResolvedScalar, resolve
from cu2mlx.runtime.spec.skeleton import SkeletonParameter, skeleton

__all__ = [
    "Buffer",
    "Case",
    "Resolved",
    "ResolvedBuffer",
    "ResolvedScalar",
    "Scalar",
    "SkeletonParameter",
    "Spec",
    "SpecError",
    "ToleranceOverride",
    "cuda_kernel",
    "load_reference",
    "load_spec",
    "parse_spec",
    "resolve",
    "skeleton",
]
