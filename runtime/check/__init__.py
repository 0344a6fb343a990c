"""Types MSL text without Apple's compiler: libclang, our own `metal_stdlib`, and a lint."""

from cu2mlx.runtime.check.checker import check_msl
from cu2mlx.runtime.check.finding import Finding

__all__ = ["Finding", "check_msl"]
