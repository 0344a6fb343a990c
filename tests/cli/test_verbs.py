"""The front door: verbs that are none."""

import pytest
from click.testing import CliRunner

from cu2mlx.cli import main


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["transalte", "k.cu"], "no verb 'transalte'; did you mean cu2mlx translate?"),
        (["k.cu"], "no verb 'k.cu'; did you mean cu2mlx translate k.cu?"),
        (["zzz"], "no verb 'zzz'; there are translate, check, "),
        (["--zzz"], "No such option"),
    ],
)
def test_verbs_that_are_none(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2 and message in result.stderr
