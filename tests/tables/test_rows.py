"""Every row is well formed: readable signature, placeholders that calls can fill, codes that exist."""

import re
from collections import Counter
from pathlib import Path

import pytest

from cu2mlx.transpiler.diagnostics import CATALOGUE, Severity
from cu2mlx.transpiler.diagnostics.rows_tables import ROWS as CODES
from cu2mlx.transpiler.model.types import canonical
from cu2mlx.transpiler.prelude import requires_metal
from cu2mlx.transpiler.tables import GROUPS, Builtin, all_rows, lookup, suggest
from cu2mlx.transpiler.tables.index import HANDED
from cu2mlx.transpiler.tables.signature import function_name, parameters, result_type
from cu2mlx.transpiler.tables.spell import is_primary, placeholders, spell

ROWS = all_rows()
CONTEXT = {*HANDED, "self", "t0", "space0", "flags", "scratch"}
# What a row may leave out of its spelling, if its caveat says so.
DROPPED = re.compile(r"drop|hint|not checked|nothing to wait for|one barrier|done at once|payload")

# The device functions that 4,596 public kernels call most.
MOST_USED = (Path(__file__).parent / "most_used.txt").read_text().split()


def spellings(row: Builtin) -> list[str]:
    return [text for text in (row.spelling, row.narrowed, row.unused) if text is not None]


def test_inventory_is_as_large_as_promised() -> None:
    general = [row for row in ROWS if not row.double_only]
    supported = [row for row in general if row.spelling is not None or row.unused is not None]
    assert len({row.name for row in ROWS}) >= 650
    assert len(supported) / len(general) >= 0.92


def test_newer_metal_is_noted_where_the_support_library_needs_it() -> None:
    for row in ROWS:
        for text in spellings(row):
            assert requires_metal(re.findall(r"cu::(\w+)", text)) == row.metal, row.signature


def test_no_signature_appears_twice() -> None:
    assert [
        signature for signature, count in Counter(row.signature for row in ROWS).items() if count > 1
    ] == []


@pytest.mark.parametrize("name", MOST_USED)
def test_most_used_names_have_a_row(name: str) -> None:
    assert lookup(name)


@pytest.mark.parametrize("title", GROUPS)
def test_signatures_are_readable(title: str) -> None:
    for row in GROUPS[title]:
        assert function_name(row.signature) == row.name
        assert re.fullmatch(r"[\w:]+", row.name), row.signature
        assert result_type(row.signature), row.signature
        names = [parameter.name for parameter in parameters(row.signature) if parameter.type != "..."]
        assert all(names) and len(set(names)) == len(names), row.signature


@pytest.mark.parametrize("title", GROUPS)
def test_parameter_types_are_spelt_as_the_model_spells_them(title: str) -> None:
    for row in GROUPS[title]:
        for type_ in row.parameter_types:
            base = type_.rstrip("*&")
            assert canonical(base) == base, row.signature


@pytest.mark.parametrize("title", GROUPS)
def test_placeholders_can_be_filled(title: str) -> None:
    for row in GROUPS[title]:
        known = parameters(row.signature)
        for text in spellings(row):
            for key, default in placeholders(text):
                if key.isdigit():
                    assert int(key) < len(known), row
                    assert (default is None) == (known[int(key)].default is None), row
                elif key == "arguments":
                    assert row.parameter_types[-1] == "...", row
                else:
                    assert key in CONTEXT, row


@pytest.mark.parametrize("title", GROUPS)
def test_every_argument_is_used_or_its_loss_is_told(title: str) -> None:
    for row in GROUPS[title]:
        count = len(parameters(row.signature))
        for text in spellings(row):
            used = {int(key) for key, _ in placeholders(text) if key.isdigit()}
            legacy = row.narrowed == "NAN" or "{arguments}" in text
            assert used == set(range(count)) or DROPPED.search(row.caveat) or legacy, row


@pytest.mark.parametrize("title", GROUPS)
def test_spellings_can_stand_in_any_expression(title: str) -> None:
    for row in GROUPS[title]:
        for text in spellings(row):
            arguments = [f"a{position}" for position in range(len(parameters(row.signature)))]
            context = {key: key for key in CONTEXT}
            assert is_primary(spell(row, arguments, spelling=text, **context)), row


@pytest.mark.parametrize("title", GROUPS)
def test_codes_are_in_the_catalogue_and_fit_the_row(title: str) -> None:
    for row in GROUPS[title]:
        if row.spelling is None:
            assert row.code is not None and CATALOGUE[row.code].severity is Severity.ERROR, row
        elif row.code is not None:
            assert CATALOGUE[row.code].severity is not Severity.ERROR, row


def test_every_code_of_the_tables_is_raised_by_something() -> None:
    from cu2mlx.transpiler.tables.types import TYPES

    raised = {row.code for row in ROWS} | {row.code for row in TYPES.values()}
    assert [code.code for code in CODES if code.code not in raised] == []


@pytest.mark.parametrize("title", GROUPS)
def test_accurate_and_fast_forms_are_named(title: str) -> None:
    """A bare `exp(` may mean fast::exp; Metal's choice must never decide."""
    ambiguous = (
        r"(?<![\w:])(?:a?(?:sin|cos|tan)h?|atan2|exp\d*|log\d*|pow|r?sqrt|fmod|divide|(?:sin|cos)pi)\("
    )
    for row in GROUPS[title]:
        for text in spellings(row):
            assert not re.search(ambiguous, text), row


def test_double_functions_narrow_to_their_float_twin() -> None:
    twins = 0
    for row in GROUPS["Single-precision math"]:
        in_float = {other.spelling for other in lookup(f"{row.name}f")}
        if row.double_only and in_float:
            assert in_float == {row.narrowed}, row
            twins += 1
    assert twins > 70


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("std::exp", "exp"),
        ("cuda::std::isnan", "isnan"),
        ("::max", "max"),
        ("cooperative_groups::tiled_partition<32>", "cg::tiled_partition"),
        ("this_thread_block", "cg::this_thread_block"),
        ("cg::thread_block::sync", "thread_block::sync"),
        ("cg::thread_block_tile<32, cg::thread_block>::shfl_xor", "thread_block_tile::shfl_xor"),
        ("nvcuda::wmma::mma_sync", "wmma::mma_sync"),
    ],
)
def test_lookup_reads_names_as_sources_write_them(name: str, found: str) -> None:
    assert {row.name for row in lookup(name)} == {found}


@pytest.mark.parametrize("name", ["my_helper", "ns::max", "std::numeric_limits<float>::max", "sync", ""])
def test_lookup_leaves_other_names_alone(name: str) -> None:
    assert lookup(name) == ()


@pytest.mark.parametrize(
    ("misspelt", "meant"),
    [
        ("__shfl_xor_sinc", "__shfl_xor_sync"),
        ("__float2halff", "__float2half"),
        ("atomicADD", "atomicAdd"),
        ("meta_group_rank", "thread_block_tile::meta_group_rank"),
        ("this_threadblock", "cg::this_thread_block"),
    ],
)
def test_close_misspellings_are_suggested(misspelt: str, meant: str) -> None:
    assert meant in suggest(misspelt)
    assert suggest("qqqqqqqq") == []
