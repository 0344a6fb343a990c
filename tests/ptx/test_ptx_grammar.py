"""The grammar of inline PTX: what is read, and that the rest is an error that quotes the place."""

import pytest

from cu2mlx.transpiler.syntax.ptx import (
    Instruction,
    Label,
    Memory,
    Name,
    Number,
    Pair,
    PtxSyntaxError,
    Registers,
    Vector,
    parse_ptx,
)


def test_load_under_a_predicate() -> None:
    assert parse_ptx("{ .reg .pred p;\n @!p ld.global.L1::no_allocate.v2.u32 {%0, %1}, [%[a]+16]; }") == (
        Registers("pred", ("p",)),
        Instruction(
            ("ld", "global", "L1::no_allocate", "v2", "u32"),
            (Vector((Name("%0"), Name("%1"))), Memory(Name("%[a]"), Number("16"))),
            Name("p", negated=True),
        ),
    )


def test_special_registers_with_one_or_two_percent_signs() -> None:
    one, two = parse_ptx("mov.u32 %0, %%laneid;"), parse_ptx("mov.u32 %0, %laneid;")
    assert one == two == (Instruction(("mov", "u32"), (Name("%0"), Name("%laneid"))),)
    assert parse_ptx("mov.u32 %0, %%tid.x;")[0] == Instruction(("mov", "u32"), (Name("%0"), Name("%tid.x")))


def test_many_registers_and_two_results() -> None:
    registers, comparison = parse_ptx(".reg .b32 t<2>, %%r; setp.lt.and.f32 p|q, t0, 0f3F800000, !r;")
    assert registers == Registers("b32", ("t0", "t1", "%r"))
    assert comparison == Instruction(
        ("setp", "lt", "and", "f32"),
        (Pair(Name("p"), Name("q")), Name("t0"), Number("0f3F800000"), Name("r", negated=True)),
    )


def test_comments_labels_blocks_in_blocks() -> None:
    text = "{ // a block\n { bar.sync 0; /* all */ } DONE: @p bra DONE; ret; }"
    assert parse_ptx(text) == (
        Instruction(("bar", "sync"), (Number("0"),)),
        Label("DONE"),
        Instruction(("bra",), (Name("DONE"),), Name("p")),
        Instruction(("ret",), ()),
    )


@pytest.mark.parametrize("text", ["mov.u32 %0 %1;", "ld.u32 %0, [%1;", "add.u32 (%0), 1;", "{ bar.sync 0;"])
def test_what_cannot_be_read_is_quoted(text: str) -> None:
    with pytest.raises(PtxSyntaxError, match="cannot read the PTX at: "):
        parse_ptx(text)
