"""Lark grammars and their one loader."""

if not __name__.startswith("cu2mlx."):
    raise ImportError(
        "import cu2mlx.grammars: this folder is a room of the cu2mlx package, not a package of its own"
    )
