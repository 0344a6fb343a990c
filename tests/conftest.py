"""Fixtures for all tests. `--bless` accepts new golden files; it is refused under CI."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--bless", action="store_true", help="write golden files instead of comparing with them")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--bless") and os.environ.get("CI"):
        raise pytest.UsageError(
            "--bless is for people: review the new golden files as a diff, then commit them"
        )


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Compare a text with a golden file, or write it under --bless."""
    bless = request.config.getoption("--bless")

    def compare(path: Path, text: str) -> None:
        if bless:
            path.write_text(text, encoding="utf-8")
            return
        assert path.exists(), f"{path} does not exist: run pytest --bless and review it"
        assert text == path.read_text(encoding="utf-8")

    return compare
