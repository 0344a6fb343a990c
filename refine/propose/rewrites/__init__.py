"""Rewrites of MSL text that keep its meaning up to rounding, one rule a file."""

from cu2mlx.refine.propose.rewrites.collectives import COLLECTIVES
from cu2mlx.refine.propose.rewrites.exponentials import EXPONENTIALS
from cu2mlx.refine.propose.rewrites.fast_math import FAST_MATH
from cu2mlx.refine.propose.rewrites.loads_ahead import LOADS_AHEAD
from cu2mlx.refine.propose.rewrites.online_softmax import ONLINE_SOFTMAX
from cu2mlx.refine.propose.rewrites.prefix_sums import PREFIX_SUMS
from cu2mlx.refine.propose.rewrites.reciprocals import RECIPROCALS
from cu2mlx.refine.propose.rewrites.register_tiling import REGISTER_TILING
from cu2mlx.refine.propose.rewrites.remainders import REMAINDERS
from cu2mlx.refine.propose.rewrites.rescaling import RESCALING
from cu2mlx.refine.propose.rewrites.rewrite import Parameter, Rewrite
from cu2mlx.refine.propose.rewrites.staging import STAGING
from cu2mlx.refine.propose.rewrites.tree_reduction import TREE_REDUCTION
from cu2mlx.refine.propose.rewrites.unrolling import UNROLLING
from cu2mlx.refine.propose.rewrites.vector_loads import VECTOR_LOADS

__all__ = ["REWRITES", "Parameter", "Rewrite"]

REWRITES: tuple[Rewrite, ...] = (
    COLLECTIVES,
    PREFIX_SUMS,
    TREE_REDUCTION,
    ONLINE_SOFTMAX,
    LOADS_AHEAD,
    RESCALING,
    REGISTER_TILING,
    STAGING,
    VECTOR_LOADS,
    EXPONENTIALS,
    FAST_MATH,
    RECIPROCALS,
    REMAINDERS,
    UNROLLING,
)
