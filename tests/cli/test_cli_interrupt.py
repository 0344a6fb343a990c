"""Ctrl-C in any verb."""

import pytest
from click.testing import CliRunner

from cu2mlx.cli import main, query


def test_an_interrupted_verb_has_an_exit_code_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(**_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(query.query, "callback", interrupt)
    ran = CliRunner().invoke(main, ["query", "sinf"])
    assert ran.exit_code == 130 and ran.stderr == "interrupted\n"
