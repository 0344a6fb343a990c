"""Checks and runs Metal and CUDA source: type-checker, CPU machine, NVIDIA, Apple."""

if not __name__.startswith("cu2mlx."):
    raise ImportError(
        "import cu2mlx.runtime: this folder is a room of the cu2mlx package, not a package of its own"
    )
