"""The rows' signatures, read by pycparser as well: two readers of one text that share nothing."""

import re

import pytest
from pycparser import c_ast, c_generator, c_parser

from cu2mlx.transpiler.tables import all_rows
from cu2mlx.transpiler.tables.signature import function_name, parameters, result_type

KEYWORDS = {"void", "_Bool", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "const"}


def as_c(signature: str) -> str:
    """CUDA's signature as C can say it: references are pointers, names are plain words, nothing has a default."""
    text = re.sub(r"<[^<>]*>", "", signature)
    text = re.sub(r"\s*=\s*[^,)]+", "", text)
    return re.sub(r"\bbool\b", "_Bool", text).replace("::", "__").replace("&", "*")


def signatures() -> list[str]:
    """Those that C can say: not operators, constructors, and functions of anything at all."""
    found = [as_c(row.signature) for row in all_rows() if "operator" not in row.signature]
    return [
        each for each in found if result_type(each) not in ("", function_name(each)) and "(...)" not in each
    ]


def ours(signature: str) -> list[tuple[str, str]]:
    return [(each.type, each.name) for each in parameters(signature)]


def theirs(signature: str) -> list[tuple[str, str]]:
    """Types and names of the parameters by pycparser, which has to know beforehand which names are types."""
    values = {name for _, name in ours(signature)} | {function_name(signature)}
    types = sorted(set(re.findall(r"[A-Za-z_]\w*", signature)) - KEYWORDS - values)
    text = "".join(f"typedef int {name}; " for name in types) + signature + ";"
    function = c_parser.CParser().parse(text).ext[-1].type
    return [parameter(each) for each in function.args.params] if function.args else []


def parameter(node: c_ast.Node) -> tuple[str, str]:
    if isinstance(node, c_ast.EllipsisParam):
        return "...", ""
    name, innermost = node.name, node.type
    while not isinstance(innermost, c_ast.TypeDecl):
        innermost = innermost.type
    innermost.declname = None
    words = str(c_generator.CGenerator().visit(node.type)).split()
    return re.sub(r"\s*\*", "*", " ".join(word for word in words if word != "const")), name


def test_both_readers_agree() -> None:
    read = signatures()
    assert len(read) > 1000
    differing = [(each, ours(each), theirs(each)) for each in read if ours(each) != theirs(each)]
    assert not differing, differing[:5]


@pytest.mark.parametrize("signature", ["float f(float x y)", "float f(float x,)"])
def test_what_is_no_prototype_is_noticed(signature: str) -> None:
    with pytest.raises(c_parser.ParseError):
        theirs(signature)
