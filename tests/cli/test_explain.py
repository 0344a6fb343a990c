"""cu2mlx explain: pages by code and name, suggestions."""

import pytest
from click.testing import CliRunner, Result

from cu2mlx.cli import main
from cu2mlx.transpiler.diagnostics import CATALOGUE


def explain(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["explain", *arguments])


@pytest.mark.parametrize("name", ["CU3205", "cu3205", "3205", "clock"])
def test_page(name: str) -> None:
    result = explain(name)
    assert result.exit_code == 0
    assert result.stdout.startswith("# CU3205: clock\n\nerror, to be fixed in minutes")
    assert "## How to fix" in result.stdout
    assert "clock64()" in result.stdout


def test_message_and_effort_are_readable() -> None:
    pages = {code: explain(code).stdout for code in CATALOGUE}
    assert pages["CU3101"].splitlines()[2] == "error, to be fixed in minutes: <name>: Metal has no double"
    assert (
        pages["CU4205"].splitlines()[2].startswith("note: data decide which elements of <name> are written")
    )
    assert not [code for code, text in pages.items() if "{" in text.splitlines()[2] or "in none" in text]


def test_pages_of_unusable_files_show_what_is_printed() -> None:
    for code in ("CU1001", "CU1002", "CU1003", "CU1004", "CU1005", "CU1007"):
        assert f"\n  = help: {CATALOGUE[code].hint}\n" in explain(code).stdout


def test_list() -> None:
    lines = explain().stdout.splitlines()
    assert [line.split()[0] for line in lines] == sorted(CATALOGUE)


def test_unknown_code_names_close_ones() -> None:
    result = explain("CU3250")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "there is no diagnostic CU3250; did you mean CU3502 (inline-ptx), CU3205 (clock)" in result.stderr
    assert "CU3707 (virtual)" in explain("virtul").stderr


def test_nothing_close() -> None:
    result = explain("zzz")
    assert result.exit_code == 2
    assert "`cu2mlx explain` lists all codes" in result.stderr
