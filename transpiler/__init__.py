"""CUDA source to Metal source and an MLX module."""

if not __name__.startswith("cu2mlx."):
    raise ImportError(
        "import cu2mlx.transpiler: this folder is a room of the cu2mlx package, not a package of its own"
    )
