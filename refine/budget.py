"""What a run may spend, and what it has spent."""

from dataclasses import dataclass, field

from cu2mlx.refine.propose.protocol import COMMAND, Reply

ROUNDS, ROUNDS_OF_RULES = 30, 300  # where nobody says: a model's cost money, the rules' cost time alone


@dataclass(frozen=True, slots=True)
class Options:
    """`rounds`: attempts in all, the tuner's included; `stagnation`: attempts of a cycle without a new best one before
    it ends; `seconds`: of asking and evaluating together, without the baseline's own evaluation."""

    rounds: int = ROUNDS
    stagnation: int = 5
    budget_usd: float | None = None
    budget_tokens: int | None = None
    seconds: float | None = None


class OutOfBudget(Exception):
    """Rounds, tokens, money or time are spent."""


@dataclass(slots=True)
class Cost:
    """What was asked of one model, and what that cost."""

    questions: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    usd: float = 0.0


@dataclass(slots=True)
class Account:
    """`costs`: by model."""

    options: Options
    rounds: int = 0
    costs: dict[str, Cost] = field(default_factory=dict)

    @property
    def questions(self) -> int:
        return sum(cost.questions for cost in self.costs.values())

    @property
    def tokens(self) -> int:
        return sum(cost.tokens_in + cost.tokens_out for cost in self.costs.values())

    @property
    def usd(self) -> float:
        return sum(cost.usd for cost in self.costs.values())

    def is_known(self, model: str) -> bool:
        """Whether what a model cost says anything: tokens, or a program's answers, for nothing mean that nobody gave
        their price."""
        cost = self.costs[model]
        is_free = cost.tokens_in + cost.tokens_out == 0 and not model.startswith(COMMAND)
        return cost.usd > 0 or is_free

    @property
    def price(self) -> str:
        """For a person: 1.25 USD, unknown, or 1.25 USD and more."""
        if all(map(self.is_known, self.costs)):
            return f"{self.usd:.2f} USD"
        return f"{self.usd:.2f} USD and more" if self.usd else "unknown"

    @property
    def usd_left(self) -> float | None:
        """None without a budget."""
        return None if self.options.budget_usd is None else self.options.budget_usd - self.usd

    def pay(self, reply: Reply) -> None:
        cost = self.costs.setdefault(reply.model, Cost())
        cost.questions += 1
        cost.tokens_in += reply.tokens_in
        cost.tokens_out += reply.tokens_out
        cost.usd += reply.usd

    def check(self, seconds: float) -> None:
        """Raises OutOfBudget. `seconds`: the journal's, not this machine's clock: a replay stops where the run did."""
        options = self.options
        if self.rounds >= options.rounds:
            all_ = "the one round is" if options.rounds == 1 else f"all {options.rounds} rounds are"
            raise OutOfBudget(f"{all_} spent")
        if options.budget_usd is not None and self.usd >= options.budget_usd:
            raise OutOfBudget(f"the budget of {options.budget_usd:g} USD is spent")
        if options.budget_tokens is not None and self.tokens >= options.budget_tokens:
            raise OutOfBudget(f"the budget of {options.budget_tokens} tokens is spent")
        if options.seconds is not None and seconds >= options.seconds:
            raise OutOfBudget(f"the {options.seconds:g} seconds are over")
