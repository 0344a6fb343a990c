"""cu2mlx: CUDA kernels to MLX operations."""

import os

__version__ = "0.1.0"

# The rooms (transpiler, runtime, refine, grammars, seeds) are links in this folder. A copy made by a tool
# that drops links still imports: the rooms are then found beside this package.
if not os.path.isdir(os.path.join(os.path.dirname(__file__), "transpiler")):  # noqa: PTH112, PTH118, PTH120
    __path__.append(os.path.dirname(os.path.dirname(__file__)))  # noqa: PTH120
