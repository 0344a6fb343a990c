"""Template arguments that are enumerators: the file's own, and CUB's."""

import pytest

from cu2mlx.runtime.verify.enumerators import enumerator, first_enumerator

TEXT = "namespace ns { enum Mode { Fast = 4, Slow }; enum class Kind { A, B }; }"


@pytest.mark.parametrize(
    ("name", "value"),
    [("ns::Slow", 5), ("ns::Kind::B", 1), ("cub::BLOCK_LOAD_TRANSPOSE", 3), ("Unknown", None)],
)
def test_value(name: str, value: int | None) -> None:
    assert enumerator(TEXT, name) == value


@pytest.mark.parametrize(
    ("type_", "named"),
    [
        ("ns::Mode", "ns::Fast"),
        ("ns::Kind", "ns::Kind::A"),
        ("cub::BlockScanAlgorithm", "cub::BLOCK_SCAN_RAKING"),
        ("int", None),
    ],
)
def test_first(type_: str, named: str | None) -> None:
    assert first_enumerator(TEXT, type_) == named
