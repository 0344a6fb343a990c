"""Spec files: reading, resolving, complaining, and the skeleton for a user."""

from pathlib import Path

import pytest

from cu2mlx.runtime.protocol import Launch
from cu2mlx.runtime.spec import (
    ResolvedBuffer,
    ResolvedScalar,
    SkeletonParameter,
    SpecError,
    load_reference,
    load_spec,
    parse_spec,
    resolve,
    skeleton,
)

GOOD = """
kernel = "scale_rows"
operation = "arithmetic"
grid = ["ceildiv(n, BLOCK)", "rows"]
block = ["BLOCK"]
shared = "BLOCK * 4"

[template]
T = "__half"
BLOCK = 128
FAST = true

[defines]
UNROLL = 4

[let]
n = "cols * 2"

[args.x]
dtype = "T"
shape = ["rows", "n"]

[args.y]
dtype = "float32"
shape = ["size(x)"]
output = true

[args.bias]
dtype = "float32"
shape = ["n"]
null = "has_bias == 0"

[args.n]
dtype = "int32"

[args.corner]
dtype = "float32"
value = [1, "0.5 * rows", 3]

[[cases]]
name = "half"
rows = 3
cols = 100
has_bias = 1

[[cases]]
name = "float"
rows = 1
cols = 1
has_bias = 0
template = { T = "float", BLOCK = 32, FAST = false }

[tolerance.y]
rtol = 1e-3
why = "sums in half"
"""


def test_a_case_is_worked_out() -> None:
    spec = parse_spec(GOOD)
    half = resolve(spec, spec.case("half"))
    assert half.entry == "scale_rows<__half, 128, true>"
    assert half.launch == Launch((2, 3, 1), (128, 1, 1), 512)
    x, y, bias, n, corner = half.arguments
    assert isinstance(x, ResolvedBuffer) and (x.dtype, x.shape) == ("float16", (3, 200))
    assert isinstance(y, ResolvedBuffer) and y.shape == (600,)
    assert isinstance(bias, ResolvedBuffer) and not bias.null
    assert isinstance(n, ResolvedScalar) and n.values == (200,)
    assert isinstance(corner, ResolvedScalar) and corner.values == (1, 1.5, 3)
    assert dict(half.case.defines) == {"UNROLL": "4"}


def test_a_case_overrides_template_values() -> None:
    spec = parse_spec(GOOD)
    other = resolve(spec, spec.case("float"))
    assert other.entry == "scale_rows<float, 32, false>"
    x, _, bias, *_ = other.arguments
    assert isinstance(x, ResolvedBuffer) and x.dtype == "float32"
    assert isinstance(bias, ResolvedBuffer) and bias.null


@pytest.mark.parametrize(
    ("old", "new", "key", "complaint"),
    [
        ('kernel = "scale_rows"', "", "kernel", "is missing"),
        ("operation =", "operaton =", "operaton", "did you mean 'operation'"),
        ('"BLOCK * 4"', '"BLOCK *"', "shared", "cannot read the expression"),
        ('"BLOCK * 4"', '"BLOK * 4"', "shared", "unknown name `BLOK`"),
        ('["BLOCK"]', "[1, 2, 3, 4]", "block", "one to three"),
        ('["BLOCK"]', "[0]", "block", "must be at least 1"),
        ('dtype = "T"', 'dtype = "flot32"', "args.x.dtype", "did you mean 'float32'"),
        ('dtype = "T"', 'dtype = "BLOCK"', "args.x.dtype", "not a type"),
        ('T = "__half"', 'T = "quad"', "args.x.dtype", "no element type for 'quad'"),
        ("output = true", "output = 1", "args.y.output", "true or false"),
        ("output = true", "", "args", "output = true"),
        ("output = true", 'output = true\ninit = "noraml"', "args.y.init", "did you mean 'normal'"),
        ("output = true", 'output = true\ninit = {kind = "integers"}', "args.y.init.high", "is missing"),
        ("output = true", 'output = true\ninit = {kind = "ones", low = 1}', "args.y.init.low", "unknown key"),
        ("output = true", "output = true\nshap = 3", "args.y.shap", "did you mean 'shape'"),
        ('why = "sums in half"', "", "tolerance.y.why", "mandatory"),
        ("[tolerance.y]", "[tolerance.z]", "tolerance.z", "is no output"),
        ('name = "float"', 'name = "half"', "cases", "two cases"),
        ("FAST = false", "SLOW = 1", "cases[1].template.SLOW", "not declared"),
        ("cols = 1\n", 'cols = "q"\n', "cases[1].cols", "a size is a number"),
        ('shape = ["rows", "n"]', 'shape = ["rows - 5", "n"]', "args.x.shape", "is -2 here"),
        ('["rows", "n"]', '["rows / 2.0", "n"]', "args.x.shape", "whole number"),
        ('shape = ["rows", "n"]', 'init = "zeros"', "args.x.shape", "is missing"),
        ("[defines]", '[records]\nview = "View"\n[defines]', "records.view", "has no members"),
        ('"arithmetic"', '"addition"', "operation", "known: exact, arithmetic"),
        ("rtol = 1e-3", 'operation = "sum"', "tolerance.y.operation", "unknown operation 'sum'"),
        ("rtol = 1e-3", 'accumulate = "int32"', "tolerance.y.accumulate", "is a floating-point type"),
        ("rtol = 1e-3", 'rtol = "small"', "tolerance.y.rtol", "must be a number"),
        ("[[cases]]", "[cases]", "", "not TOML"),
    ],
)
def test_mistakes_name_the_file_the_key_and_the_way_out(old: str, new: str, key: str, complaint: str) -> None:
    assert old in GOOD
    with pytest.raises(SpecError) as error:
        spec = parse_spec(GOOD.replace(old, new), "my.toml")
        for case in spec.cases:
            resolve(spec, case)
    assert error.value.path == "my.toml"
    assert error.value.key == key
    assert complaint in str(error.value)


def test_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="cannot be read"):
        load_spec(tmp_path / "none.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SpecError, match="UTF-8"):
        load_spec(tmp_path / "binary.toml")


def test_a_spec_needs_cases() -> None:
    with pytest.raises(SpecError, match="cases: there is none"):
        parse_spec(GOOD.split("[[cases]]")[0])


def test_skeleton_is_a_spec() -> None:
    text = skeleton(
        "k",
        [
            SkeletonParameter("x", "float32", buffer=True, shape=("rows", "16")),
            SkeletonParameter("index", "int32", buffer=True),
            SkeletonParameter("y", "float32", buffer=True, output=True, initial=False),
            SkeletonParameter("n", "int32", buffer=False),
            SkeletonParameter("rows", "int32", buffer=False, value="n // 4"),
            SkeletonParameter("a", "float32", buffer=False),
        ],
        template=[("T", "float"), ("D", 64), ("FAST", True)],
        grid=("ceildiv(n, 128)", "2"),
    )
    assert text.count("FILL") == 7  # the first line, block, index twice, y, a, the first case
    spec = parse_spec(text.replace('["rows", 16]', '["n // 4", 16]'))
    assert [case.name for case in spec.cases] == ["multiple", "ragged", "tiny", "empty"]
    for case in spec.cases:
        resolved = resolve(spec, case)
        assert resolved.entry == "k<float, 64, true>"
        assert resolved.launch.grid[1:] == (2, 1)


def test_a_skeleton_names_the_sizes_it_asks_for() -> None:
    rows, cols = (SkeletonParameter(name, "int32", buffer=False) for name in ("rows", "cols"))
    text = skeleton("k", [SkeletonParameter("x", "float32", buffer=True, output=True, lanes=2), rows, cols])
    assert 'shape = ["rows * cols", 2]  # FILL' in text
    spec = parse_spec(text)
    assert [dict(case.sizes) for case in spec.cases[:2]] == [{"rows": 8, "cols": 8}, {"rows": 5, "cols": 5}]
    assert resolve(spec, spec.cases[1]).arguments[0].shape == (25, 2)


def test_a_reference_is_a_function_beside_the_spec(tmp_path: Path) -> None:
    path = tmp_path / "task.toml"
    (tmp_path / "twice.py").write_text("def double(x, **_):\n    return {'y': 2 * x}\n", encoding="utf-8")

    def load(reference: str) -> object:
        path.write_text(f'reference = "{reference}"\n{GOOD}', encoding="utf-8")
        return load_reference(load_spec(path))

    found = load("twice.py:double")
    assert callable(found) and found(x=4) == {"y": 8}
    for reference, complaint in (("gone.py", "is no Python file"), ("twice.py", "no function reference()")):
        with pytest.raises(SpecError, match="reference") as error:
            load(reference)
        assert complaint in str(error.value)
    assert load_reference(parse_spec(GOOD)) is None


def test_an_unknown_case_lists_those_there_are() -> None:
    with pytest.raises(KeyError, match="half, float"):
        parse_spec(GOOD).case("double")
