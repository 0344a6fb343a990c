"""The autotuner: a search over numbers, with strategies to choose from."""

from cu2mlx.refine.propose.tune.annealing import Annealing
from cu2mlx.refine.propose.tune.chance import Chance
from cu2mlx.refine.propose.tune.descent import Descent
from cu2mlx.refine.propose.tune.strategy import Strategy
from cu2mlx.refine.propose.tune.surrogate import Surrogate
from cu2mlx.refine.propose.tune.tuner import next_point

__all__ = ["BUILT_IN", "STRATEGIES", "next_point"]

BUILT_IN: Strategy = Surrogate()
STRATEGIES: tuple[Strategy, ...] = (BUILT_IN, Descent(), Annealing(), Chance())
