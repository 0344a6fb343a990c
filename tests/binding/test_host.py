"""Host expressions, one line for each spelling: C++ left, the emitted function's Python right."""

import pytest

from cu2mlx.transpiler.binding.host import HostSyntaxError, parse
from cu2mlx.transpiler.binding.resolve import (
    ArrayName,
    Resolver,
    Scope,
    UnresolvedError,
    Value,
    call,
    key,
    name,
)
from cu2mlx.transpiler.model.launches import HostFunction

_SCOPE = Scope(
    values={
        key(parse("n")): Value(call("int", name("n"))),
        key(parse("BLOCK")): Value(name("BLOCK")),
        key(parse("alpha")): Value(call("float", name("alpha")), is_float=True),
        key(parse("rows * cols")): Value(call("int", name("total"))),
    },
    arrays={key(parse("x")): ArrayName("x"), key(parse("out")): ArrayName("out_shape", True)},
    types={"scalar_t": "T"},
    locals=(
        ("m", "n"),
        ("threads", "256"),
        ("block", "dim3(32, 8)"),
        ("tiles", "(m, 2)"),
        ("sizes", "x.sizes()"),
        ("list", "{4, n}"),
        ("cells", "rows * cols"),
        ("loop", "loop + 1"),
        ("step", "2"),
        ("step", "step * n"),
    ),
    functions={
        "round_up": HostFunction("round_up", ("a", "b"), "(a + b - 1) / b * b"),
        "GET_BLOCKS": HostFunction("GET_BLOCKS", ("N",), "round_up(N, 512) / 512"),
    },
)

_PAIRS = [
    # constants and C's integer division
    ("256", "256"),
    ("0x100u", "256"),
    ("010", "8"),
    ("1'024UL", "1024"),
    ("1 << 10", "1024"),
    ("(n + 255) / 256", "(int(n) + 255) // 256"),
    ("(n + threads - 1) / threads", "(int(n) + 256 - 1) // 256"),
    ("n / 4 * 4", "int(n) // 4 * 4"),
    ("n % 32", "int(n) % 32"),
    ("n >> 5 & ~1", "int(n) >> 5 & -2"),
    ("n ^ 1 | 2", "int(n) ^ 1 | 2"),
    ("n - (m - 1)", "int(n) - (int(n) - 1)"),
    ("n /* rows */ * 2 // doubled", "int(n) * 2"),
    # floating point
    ("ceil(n / 256.0f)", "math.ceil(int(n) / 256.0)"),
    ("(int)ceil((float)n / threads)", "math.ceil(int(n) / 256)"),
    ("static_cast<unsigned int>(std::ceil(1.0 * n / 256))", "math.ceil(1.0 * int(n) / 256)"),
    ("std::ceil(n / 256)", "int(int(n) // 256)"),
    ("int(n * 0.5)", "int(int(n) * 0.5)"),
    ("ceilf(alpha)", "math.ceil(float(alpha))"),
    ("sqrtf(n)", "int(math.sqrt(int(n)))"),
    # functions
    ("std::min<int>((n + 63) / 64, 65535)", "min((int(n) + 63) // 64, 65535)"),
    ("::max(n, 1)", "max(int(n), 1)"),
    ("std::max({n, m, 4})", "max(int(n), int(n), 4)"),
    ("cdiv(n, 256)", "(int(n) + 255) // 256"),
    ("at::ceil_div(n, (int64_t)BLOCK)", "(int(n) + (BLOCK - 1)) // BLOCK"),
    ("CEIL_DIV(n, 32)", "(int(n) + 31) // 32"),
    ("round_up(n, 8)", "(int(n) + 8 - 1) // 8 * 8"),
    ("GET_BLOCKS(n)", "(int(n) + 512 - 1) // 512 * 512 // 512"),
    # choices
    ("n > 1024 ? 1024 : n", "1024 if int(n) > 1024 else int(n)"),
    ("n != 0 && !(m < 2) || false ? 1 : 2", "1 if int(n) != 0 and (not int(n) < 2) or 0 else 2"),
    # sizes
    ("sizeof(float) * 256", "1024"),
    ("2 * sizeof(float4)", "32"),
    ("sizeof(scalar_t) * BLOCK", "T.size * BLOCK"),
    ("BLOCK * sizeof(half) + sizeof(unsigned long long)", "BLOCK * 2 + 8"),
    # host arrays
    ("x.size(0) * x->size(-1)", "x.shape[0] * x.shape[-1]"),
    ("x.numel() / x.dim()", "x.size // x.ndim"),
    ("x.size()", "x.size"),
    ("x.sizes()[1]", "x.shape[1]"),
    ("sizes[n - 1]", "x.shape[int(n) - 1]"),
    ("out.size(1) + out.numel()", "out_shape[1] + math.prod(out_shape)"),
    # host variables
    ("m", "int(n)"),
    ("block.x * block.y * block.z", "256"),
    ("tiles.y", "2"),
    ("list[1]", "int(n)"),
    ("cells / 2", "int(total) // 2"),
    ("step", "2 * int(n)"),
]


@pytest.mark.parametrize(("host", "python"), _PAIRS)
def test_expression(host: str, python: str) -> None:
    assert Resolver(_SCOPE).integer(host) == python


@pytest.mark.parametrize(
    "host",
    [
        "unknown",
        "n + unknown",
        "unknown.size(0)",
        "f(n)",
        "loop",
        "1 / 0",
        "x.stride(0)",
        "sizeof(Thing)",
        "properties.multiProcessorCount",
        "list[7]",
        "GET_BLOCKS(n, 2)",
        "*pointer",
        '"text"',
        "block.w",
    ],
)
def test_unresolved(host: str) -> None:
    with pytest.raises(UnresolvedError):
        Resolver(_SCOPE).integer(host)


@pytest.mark.parametrize("host", ["[&] { return 1; }()", "n = 2", "n +", "", "(index_t) n", "a ? b"])
def test_not_an_expression(host: str) -> None:
    with pytest.raises(HostSyntaxError, match="cannot read the host expression"):
        parse(host)
