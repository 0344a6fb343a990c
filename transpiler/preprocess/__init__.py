"""What comes before the parser: headers spliced in, macros that hide CUDA expanded, the rest kept."""

from cu2mlx.transpiler.preprocess.condition import evaluate_condition
from cu2mlx.transpiler.preprocess.preprocess import preprocess
from cu2mlx.transpiler.preprocess.unit import Include, Macro, Unit

__all__ = ["Include", "Macro", "Unit", "evaluate_condition", "preprocess"]
