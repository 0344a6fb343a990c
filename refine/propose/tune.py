"""The local search over declared tunables: from the best point so far to its neighbours, one number at a time."""

from collections.abc import Iterator, Mapping

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.task import Task


def next_point(task: Task, base: Candidate, results: Mapping[str, float | None]) -> Candidate | None:
    """The next candidate with `base`'s text to try, None when the best one's neighbours are all known.

    `results`: scores by candidate key, None for what failed or was not timed. Depends on nothing else, so a
    resumed search goes on where it was. Among points of one text the best score wins; without scores the base
    stays the centre.
    """
    best = _best(task, base, results)
    return next((each for each in _neighbours(task, best) if each.key not in results), None)


def _best(task: Task, base: Candidate, results: Mapping[str, float | None]) -> Candidate:
    """The best known point reachable from the base by improving steps."""
    best = base
    while True:
        known = [(results.get(each.key), each) for each in _neighbours(task, best)]
        scored = [(score, each) for score, each in known if score is not None]
        top = max(scored, key=lambda pair: pair[0], default=None)
        mine = results.get(best.key)
        if top is None or (mine is not None and top[0] <= mine):
            return best
        if mine is None and best is not base:
            return best
        best = top[1]


def _neighbours(task: Task, candidate: Candidate) -> Iterator[Candidate]:
    """One step down and up in each tunable; a number that the candidate leaves open may take any value."""
    numbers = dict(candidate.numbers)
    for tunable in task.tunables:
        values = tunable.values
        if tunable.name not in numbers:
            yield from (candidate.with_numbers({tunable.name: value}) for value in values)
            continue
        place = values.index(numbers[tunable.name]) if numbers[tunable.name] in values else 0
        for step in (-1, 1):
            if 0 <= place + step < len(values):
                yield candidate.with_numbers({tunable.name: values[place + step]})
