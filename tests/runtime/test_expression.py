"""The expression language of spec files."""

import pytest

from cu2mlx.runtime.spec.expression import ExpressionError, Names, evaluate, evaluate_int, parse

NAMES = Names({"n": 1000, "m": 7, "scale": 0.5}, {"x": (3, 5, 7), "e": (0, 4)})


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("(n + 256 - 1) / 256", 4),
        ("-7 / 2", -3),
        ("-7 // 2", -4),
        ("-7 % 3", -1),
        ("7.0 / 2", 3.5),
        ("ceildiv(n, 256) * 256", 1024),
        ("min(n, 5, m)", 5),
        ("max(1, m - 7)", 1),
        ("n > 500 ? 1 : 2", 1),
        ("n > 500 && m == 8 ? 1 : 2", 2),
        ("n <= 5 || !(m < 7)", 1),
        ("m > 0 ? 1 : n / 0", 1),
        ("1 << 4 >> 2", 4),
        ("0x20 + 1", 33),
        ("1e-3 * 2", 0.002),
        ("size(x)", 105),
        ("size(e)", 0),
        ("dim(x, 1) + dim(x, -1)", 12),
        ("1 / sqrt(64)", 0.125),
        ("2 - 3 - 4", -5),
        ("n", 1000),
        ("-m * scale", -3.5),
        ("int(2.7)", 2),
    ],
)
def test_value(text: str, value: float) -> None:
    result = evaluate(parse(text), NAMES)
    assert result == value
    assert type(result) is type(value)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("q + 1", "unknown name `q`; known here: m, n, scale"),
        ("x * 2", "size(x)"),
        ("ceil(n)", "unknown function `ceil`"),
        ("min(n)", "2 to 8 arguments"),
        ("n / (m - 7)", "division by zero"),
        ("size(n)", "no buffer"),
        ("dim(x, 3)", "3 axes"),
        ("size(n + 1)", "size(buffer)"),
        ("sqrt(0 - 1)", "sqrt"),
        ("scale << 1", "cannot shift"),
    ],
)
def test_no_value(text: str, complaint: str) -> None:
    with pytest.raises(ExpressionError) as error:
        evaluate(parse(text), NAMES)
    assert complaint in str(error.value)


@pytest.mark.parametrize("text", ["", "n +", "(n", "n n", "a.b", "n = 3", "__import__('os')"])
def test_unreadable(text: str) -> None:
    with pytest.raises(ExpressionError, match="cannot read"):
        parse(text)


def test_whole_numbers_are_not_rounded() -> None:
    with pytest.raises(ExpressionError, match="whole number"):
        evaluate_int(parse("n * scale"), NAMES)
