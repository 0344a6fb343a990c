"""A TOML table that knows its file and key, hands out typed values, complains about unknown keys."""

import difflib
from collections.abc import Mapping

from cu2mlx.runtime.spec.expression import Expression, ExpressionError, parse
from cu2mlx.runtime.spec.model import SpecError

NEEDED = object()


class Table:
    """Each accessor marks its key as known; `done` then reports what is left, most likely a misspelling."""

    def __init__(self, data: Mapping[str, object], path: str, place: str = "") -> None:
        self._data, self._path, self._place = data, path, place
        self._known: set[str] = set()

    def error(self, key: str, message: str) -> SpecError:
        return SpecError(self._path, ".".join(part for part in (self._place, key) if part), message)

    def has(self, key: str) -> bool:
        return key in self._data

    def names(self) -> tuple[str, ...]:
        return tuple(self._data)

    def rest(self) -> dict[str, object]:
        """Everything not asked for before, for tables with free keys."""
        left = {key: value for key, value in self._data.items() if key not in self._known}
        self._known.update(left)
        return left

    def done(self) -> None:
        for key in self._data:
            if key not in self._known:
                near = difflib.get_close_matches(key, self._known, n=1)
                hint = (
                    f"did you mean {near[0]!r}?" if near else f"known keys: {', '.join(sorted(self._known))}"
                )
                raise self.error(key, f"unknown key; {hint}")

    def get(self, key: str, default: object = NEEDED) -> object:
        self._known.add(key)
        if key in self._data:
            return self._data[key]
        if default is NEEDED:
            raise self.error(key, "is missing; add it")
        return default

    def string(self, key: str, default: object = NEEDED) -> str:
        value = self.get(key, default)
        if not isinstance(value, str):
            raise self.error(key, f"must be text, not {value!r}")
        return value

    def optional_string(self, key: str) -> str | None:
        self._known.add(key)
        return self.string(key) if key in self._data else None

    def optional_number(self, key: str) -> float | None:
        value = self.get(key, None)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.error(key, f"must be a number, not {value!r}")
        return float(value)

    def flag(self, key: str) -> bool:
        value = self.get(key, False)
        if not isinstance(value, bool):
            raise self.error(key, f"must be true or false, not {value!r}")
        return value

    def list(self, key: str, default: object = NEEDED) -> list[object]:
        value = self.get(key, default)
        if not isinstance(value, list):
            raise self.error(key, f"must be a list, not {value!r}")
        return value

    def strings(self, key: str) -> tuple[str, ...]:
        values = self.list(key, [])
        if not all(isinstance(value, str) for value in values):
            raise self.error(key, "must be a list of texts")
        return tuple(str(value) for value in values)

    def table(self, key: str) -> "Table":
        value = self.get(key, {})
        if not isinstance(value, dict):
            raise self.error(key, f"must be a table, not {value!r}")
        return Table(value, self._path, f"{self._place}.{key}" if self._place else key)

    def tables(self, key: str) -> tuple["Table", ...]:
        values = self.list(key, [])
        places = [f"{self._place}.{key}[{index}]".lstrip(".") for index in range(len(values))]
        found: list[Table] = []
        for value, place in zip(values, places, strict=True):
            if not isinstance(value, dict):
                raise self.error(key, f"must be a list of tables; {value!r} is none")
            found.append(Table(value, self._path, place))
        return tuple(found)

    def expression(self, key: str, default: object = NEEDED) -> Expression:
        return self.read_expression(key, self.get(key, default))

    def expressions(self, key: str) -> tuple[Expression, ...]:
        """A list of numbers and expressions; a single one stands for a list of one."""
        value = self.get(key)
        return tuple(
            self.read_expression(key, each) for each in (value if isinstance(value, list) else [value])
        )

    def read_expression(self, key: str, value: object) -> Expression:
        if isinstance(value, bool):
            value = int(value)
        if not isinstance(value, int | float | str):
            raise self.error(key, f"must be a number or an expression in quotes, not {value!r}")
        try:
            return parse(value if isinstance(value, str) else repr(value))
        except ExpressionError as error:
            raise self.error(key, str(error)) from None
