"""The search that makes a translated kernel fast."""

if not __name__.startswith("cu2mlx."):
    raise ImportError(
        "import cu2mlx.refine: this folder is a room of the cu2mlx package, not a package of its own"
    )
