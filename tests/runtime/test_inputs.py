"""Input generation: every initialiser, element type, structs and null pointers."""

import numpy as np
import pytest

from cu2mlx.runtime.dtypes import STORAGE, decode, encode
from cu2mlx.runtime.inputs import GENERATORS, NULL_POINTER, RAW, Inputs, make_inputs
from cu2mlx.runtime.protocol import Value
from cu2mlx.runtime.spec import SpecError, parse_spec
from cu2mlx.runtime.spec.model import INITIALISERS


def inputs_of(args: str, *, sizes: str = "n = 64", seed: int = 0) -> Inputs:
    text = f'kernel = "k"\ngrid = 1\nblock = 1\n{args}\n[[cases]]\nname = "c"\n{sizes}\n'
    spec = parse_spec(text)
    return make_inputs(spec, spec.cases[0], seed)


def buffer(init: str, dtype: str = "int32", shape: str = '["n"]') -> np.ndarray:
    made = inputs_of(f'[args.x]\ndtype = "{dtype}"\nshape = {shape}\ninit = {init}\noutput = true')
    return made.buffers["x"]


def test_every_declared_initialiser_has_a_generator() -> None:
    assert set(INITIALISERS) == set(GENERATORS) | set(RAW) | {"columns"}


def test_initialisers() -> None:
    assert np.array_equal(np.sort(buffer('"permutation"')), np.arange(64))
    offsets = buffer('{kind = "offsets", total = "n * 3"}')
    assert offsets[0] == 0 and offsets[-1] == 192 and (np.diff(offsets) >= 0).all()
    drawn = buffer('{kind = "integers", low = -2, high = 3}')
    assert set(drawn.tolist()) == {-2, -1, 0, 1, 2}
    assert (np.diff(buffer('{kind = "sorted", high = 9}')) >= 0).all()
    assert set(buffer('{kind = "choice", values = [4, 9]}').tolist()) == {4, 9}
    assert buffer('{kind = "arange", start = 5, step = 2}')[:3].tolist() == [5, 7, 9]
    assert buffer('{kind = "values", values = [3, 1]}', shape="[2]").tolist() == [3, 1]
    assert buffer('{kind = "constant", value = 7}').tolist() == [7] * 64
    assert abs(buffer('{kind = "normal", mean = 50, std = 0.1}', "float32").mean() - 50) < 0.1
    uniform = buffer('{kind = "uniform", low = 2, high = 3}', "float64")
    assert uniform.min() >= 2 and uniform.max() < 3
    boxes = buffer(
        '{kind = "columns", columns = [{kind = "zeros"}, {kind = "constant", value = 2}]}', shape='["n", 2]'
    )
    assert boxes.shape == (64, 2) and boxes[:, 1].tolist() == [2] * 64


@pytest.mark.parametrize("dtype", STORAGE)
def test_every_type_can_be_filled(dtype: str) -> None:
    for init in ('"bits"', '"poison"', '"zeros"', '"ones"', '{kind = "integers", high = 2}'):
        made = buffer(init, dtype, '[3, "n"]')
        assert made.dtype == np.dtype(STORAGE[dtype]) and made.shape == (3, 64)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_poison_is_nan(dtype: str) -> None:
    assert np.isnan(decode(buffer('"poison"', dtype), dtype)).all()


def test_bfloat16_rounds_to_nearest_even() -> None:
    values = np.array(
        [1.0, 1.00390625, 1.01171875, -2.5, 3.0e38, np.inf, -np.inf, np.nan, 3.4e38, 1e-40, 0.0, -0.0]
    )
    stored = encode(values, "bfloat16")
    assert stored[:4].tolist() == [0x3F80, 0x3F80, 0x3F82, 0xC020]
    back = decode(stored, "bfloat16")
    assert back[5] == np.inf and back[6] == -np.inf and np.isnan(back[7]) and back[8] == np.inf
    assert stored[-1] == 0x8000
    assert np.array_equal(encode(back, "bfloat16"), stored)


def test_same_seed_same_data() -> None:
    args = '[args.x]\ndtype = "float32"\nshape = ["n"]\noutput = true\ninit = "normal"'
    first, again, other = (inputs_of(args, seed=seed).buffers["x"] for seed in (1, 1, 2))
    assert np.array_equal(first, again) and not np.array_equal(first, other)


def test_scalars_become_bytes_and_null_pointers_too() -> None:
    made = inputs_of(
        """
        [args.n]
        dtype = "int64"
        [args.a]
        dtype = "bfloat16"
        value = 1.5
        [args.p]
        dtype = "float32"
        shape = ["n"]
        null = 1
        [args.box]
        dtype = "int32"
        value = [1, 2, 3]
        [args.y]
        dtype = "int32"
        shape = ["n"]
        output = true
        """
    )
    n, a, p, box, y = made.arguments
    assert n == Value((64).to_bytes(8, "little"))
    assert a == Value(bytes([0xC0, 0x3F]))
    assert p == NULL_POINTER and "p" not in made.buffers
    assert box == Value(np.array([1, 2, 3], np.int32).tobytes())
    assert y is made.buffers["y"]
    numbers = made.numbers()
    assert numbers["p"] is None and numbers["a"] == 1.5 and numbers["n"] == 64


def test_structs_have_c_layout() -> None:
    made = inputs_of(
        """
        [args.blocks]
        dtype = "struct"
        shape = ["n"]
        output = true
        fields = [
            {name = "d", dtype = "float16", init = {kind = "constant", value = 2}},
            {name = "qs", dtype = "uint8", shape = [3], init = "ones"},
            {name = "sum", dtype = "float32", init = "zeros"},
        ]
        """,
        sizes="n = 2",
    )
    raw = made.buffers["blocks"]
    assert raw.dtype == np.uint8 and raw.shape == (2, 12)  # 2 + 3 + 3 of padding + 4
    assert raw[1].tolist() == [0, 0x40, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
    assert made.numbers()["blocks"]["qs"].tolist() == [[1, 1, 1], [1, 1, 1]]


def test_a_copy_is_independent() -> None:
    made = inputs_of('[args.x]\ndtype = "float32"\nshape = ["n"]\noutput = true\n[args.n]\ndtype = "int32"')
    copy = made.copy()
    copy.buffers["x"][:] = 0
    assert copy.arguments[0] is copy.buffers["x"] and copy.arguments[1] == made.arguments[1]
    assert np.isnan(made.buffers["x"]).all()


def test_empty_buffers() -> None:
    for kind in ('"normal"', '"bits"', '{kind = "integers", high = 0}', '{kind = "offsets", total = 5}'):
        made = inputs_of(
            f'[args.x]\ndtype = "int32"\nshape = ["n"]\noutput = true\ninit = {kind}', sizes="n = 0"
        )
        assert made.buffers["x"].shape == (0,)


@pytest.mark.parametrize(
    ("init", "complaint"),
    [
        ('{kind = "integers", low = 3, high = 3}', "above low"),
        ('{kind = "values", values = [1]}', "1 values for 64"),
        ('{kind = "columns", columns = ["x"]}', "list of tables"),
        ('{kind = "columns", columns = [{kind = "ones"}]}', "last extent"),
        ('{kind = "constant", value = "q"}', "unknown name `q`"),
    ],
)
def test_impossible_initialisers(init: str, complaint: str) -> None:
    with pytest.raises(SpecError) as error:
        buffer(init)
    assert complaint in str(error.value) and "args.x" in error.value.key
