"""CUDA kernels of our own, each with its task description and float64 reference (data, not code)."""

if not __name__.startswith("cu2mlx."):
    raise ImportError(
        "import cu2mlx.seeds: this folder is a room of the cu2mlx package, not a package of its own"
    )
