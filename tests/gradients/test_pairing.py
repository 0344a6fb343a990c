"""What the parameters of a backward kernel are taken for, and what is left to the user to say."""

from pathlib import Path
from typing import Any

import pytest

from cu2mlx.transpiler.binding.gradient import Gradient, GradientError, GradientRequest, Problem
from cu2mlx.transpiler.binding.gradient_match import match
from cu2mlx.transpiler.binding.gradient_names import is_gradient_name, shared_stem
from cu2mlx.transpiler.binding.gradient_table import gradient_request
from cu2mlx.transpiler.binding.module import emit_module
from cu2mlx.transpiler.pipeline import translate
from cu2mlx.transpiler.source import SourceFile

FORWARD = "const float* x, const float* w, const int* idx, float* y, float* saved, int n"


def kernels(forward: str, backward: str, host: str = "") -> list[Any]:
    """Interfaces of two kernels that read each const pointer and write (or, `+`, add to) each other one."""
    text = "\n".join(_kernel(*each) for each in (("op_fwd", forward), ("op_bwd", backward))) + host
    found = translate(SourceFile("op.cu", text)).kernels
    assert all(kernel.interface is not None for kernel in found), [k.diagnostics for k in found]
    return [kernel.interface for kernel in found]


def _kernel(name: str, parameters: str) -> str:
    pointers = [p.rpartition("*") for p in parameters.split(", ") if "*" in p]
    names = {n.strip(" +"): (kind, "+" in n) for kind, _, n in pointers}
    total = " + ".join(f"{n}[i]" for n, (kind, _) in names.items() if kind.startswith("const"))
    body = "".join(
        f" atomicAdd(&{n}[i], {total});" if added else f" {n}[i] = {total};"
        for n, (kind, added) in names.items()
        if not kind.startswith("const")
    )
    return f"__global__ void {name}({parameters.replace('+', '')}) {{ int i = threadIdx.x;{body} }}"


def matched(forward: Any, *backward: Any, **asked: Any) -> Gradient | list[Problem]:
    names = tuple(kernel.name for kernel in backward)
    return match(forward, backward, GradientRequest(forward.name, names, **asked))


def paired(forward: str, backward: str, host: str = "", **asked: Any) -> dict[str, str]:
    """Backward parameter → what it is."""
    made = matched(*kernels(forward, backward, host), **asked)
    assert isinstance(made, Gradient), made
    return {use.parameter.name: describe(use) for use in made.uses}


def describe(use: Any) -> str:
    said = [use.value] if use.value else []
    said += [f"cotangent of {use.cotangent_of.name}"] if use.cotangent_of else []
    said += [f"gradient of {use.gradient_of.name}"] if use.gradient_of else []
    return ", ".join(said) or "scratch"


def problems(forward: str, backward: str, host: str = "", **asked: Any) -> list[tuple[str, str | None]]:
    made = matched(*kernels(forward, backward, host), **asked)
    assert not isinstance(made, Gradient)
    return [(problem.code, problem.parameter) for problem in made]


@pytest.mark.parametrize(
    ("name", "of"),
    [
        ("dx", "x"),
        ("d_x", "x"),
        ("grad_x", "x"),
        ("gradX", "x"),
        ("v_x", "x"),
        ("_gk", "_k"),
        ("x_grad", "x"),
    ],
)
def test_gradient_names(name: str, of: str) -> None:
    assert is_gradient_name(name, of)
    assert not is_gradient_name(of, name)
    assert not is_gradient_name(f"{name}2", of)


def test_function_names() -> None:
    assert shared_stem("layer_norm_forward", "layer_norm_backward") == "layer_norm"
    assert shared_stem("roi_forward_cuda", "roi_backward_cuda") == "roi"
    assert shared_stem("gelu", "d_gelu") == "gelu_with_gradient"
    assert shared_stem("gelu", "gelu_backward") == "gelu_with_gradient"


def test_names_that_say_everything() -> None:
    assert paired(
        FORWARD, "const float* dy, const float* saved, const int* idx, float* dx, float* dw+, int n"
    ) == {
        "dy": "cotangent of y",
        "saved": "saved",
        "idx": "idx",
        "dx": "gradient of x",
        "dw": "gradient of w",
        "n": "n",
    }


def test_the_only_output_may_have_another_name() -> None:
    found = paired("const float* x, float* result", "const float* grad_out, float* grad_x")
    assert found["grad_out"] == "cotangent of result"
    two = problems("const float* x, float* a, float* b", "const float* grad_out, float* grad_x")
    assert two == [("CU5101", "grad_out")]


def test_what_names_leave_open() -> None:
    backward = "const float* upstream, const float* saved, float* result, float* dw, int m"
    assert problems(FORWARD, backward) == [("CU5101", "upstream"), ("CU5102", "result"), ("CU5101", "m")]
    asked = {"upstream": "cotangent of y", "result": "gradient of x", "m": "n // 2"}
    assert paired(FORWARD, backward, parameters=asked)["m"] == "n // 2"


def test_a_written_buffer_named_like_an_input_is_no_gradient() -> None:
    assert problems("const float* x, float* y", "const float* x, float* y") == [("CU5102", "y")]


def test_a_buffer_changed_in_place_is_not_decided_by_name() -> None:
    forward, backward = "const float* x, float* y", "float* dy, const float* x"
    text = (
        _kernel("op_fwd", forward)
        + "__global__ void op_bwd(float* dy, const float* x) { dy[threadIdx.x] *= x[threadIdx.x]; }"
    )
    both = [kernel.interface for kernel in translate(SourceFile("op.cu", text)).kernels]
    assert both[0] is not None and both[1] is not None
    refused = match(both[0], both[1:], GradientRequest("op_fwd", ("op_bwd",)))
    assert isinstance(refused, list) and refused[0].code == "CU5102", backward
    asked = {"dy": "cotangent of y, gradient of x"}
    made = match(both[0], both[1:], GradientRequest("op_fwd", ("op_bwd",), parameters=asked))
    assert isinstance(made, Gradient) and describe(made.uses[0]) == asked["dy"]


def test_an_array_without_a_gradient_has_to_be_a_constant() -> None:
    backward = "const float* dy, float* dx"
    assert problems(FORWARD, backward) == [("CU5103", "w")]  # idx holds integers
    assert paired(FORWARD, backward, constants=frozenset({"w"}))


def test_a_backward_kernel_without_cotangent() -> None:
    assert problems("const float* x, float* y", "const float* x, float* dx") == [("CU5104", None)]


def test_two_gradients_of_one_array() -> None:
    assert problems("const float* x, float* y", "const float* dy, float* dx, float* grad_x") == [
        ("CU5102", "dx"),
        ("CU5102", "grad_x"),
    ]


def test_two_functions_of_one_name() -> None:
    both = kernels("const float* x, float* y", "const float* dy, float* dx")
    made = matched(*both)
    assert isinstance(made, Gradient)
    with pytest.raises(GradientError, match="'op' is a function's name already"):
        emit_module(both, "op.cu", [made, made])


def test_later_kernels_read_what_earlier_ones_wrote() -> None:
    text = _kernel("op_fwd", "const float* x, float* y")
    text += _kernel("op_bwd", "const float* dy, float* part") + _kernel(
        "op_bwd_x", "const float* part, float* dx"
    )
    forward, *backward = (kernel.interface for kernel in translate(SourceFile("op.cu", text)).kernels)
    made = matched(forward, *backward)
    assert isinstance(made, Gradient)
    assert [describe(use) for use in made.uses] == ["cotangent of y", "scratch", "part", "gradient of x"]
    alone = matched(forward, backward[0])
    assert isinstance(alone, list) and alone[0].code == "CU5102"
    turned = matched(forward, *reversed(backward))  # nobody has written `part` yet
    assert isinstance(turned, list) and (turned[0].code, turned[0].parameter) == ("CU5101", "part")


def host(forward: str, backward: str) -> str:
    return (
        f"\nvoid f(float* x, float* y, int m) {{ int n = {forward}; op_fwd<<<1, 32>>>(x, y, n); }}"
        f"\nvoid b(float* dy, float* dx, int m) {{ int n = {backward}; op_bwd<<<1, 32>>>(dy, dx, n); }}"
    )


def test_numbers_that_host_code_makes_differ() -> None:
    forward, backward = "const float* x, float* y, int n", "const float* dy, float* dx, int n"
    assert paired(forward, backward, host("2 * m", "2 * m"))["n"] == "n"
    assert paired(forward, backward, host("y.numel()", "dy.numel()"))["n"] == "n"
    assert problems(forward, backward, host("2 * m", "m")) == [("CU5101", "n")]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"parameters": {"dz": "n"}}, "parameters.dz: op_bwd has dy, x, dx, n"),
        ({"parameters": {"dy": "cotangent of z"}}, "parameters.dy: no 'z' among y"),
        (
            {"parameters": {"dy": "gradient of x"}},
            "'gradient of x' cannot be said of an array that is only read",
        ),
        ({"parameters": {"dx": "n"}}, "parameters.dx: 'n' cannot be: \"scratch\"|what a kernel only writes"),
        ({"parameters": {"dy": "scratch"}}, "is for what a kernel only writes"),
        ({"parameters": {"n": "argument"}}, "n is an argument already"),
        ({"parameters": {"n": "k + 1"}}, "uses k; there are n, x, y"),
        ({"parameters": {"n": "k +"}}, "is no Python expression"),
        ({"constants": frozenset({"z"})}, "constants: z: op_fwd has x"),
    ],
)
def test_requests_that_name_nothing(asked: dict[str, Any], message: str) -> None:
    both = kernels("const float* x, float* y, int n", "const float* dy, const float* x, float* dx, int n")
    with pytest.raises(GradientError, match=message):
        matched(*both, **asked)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"name": "op_bwd"}, "is a function's name already"),
        ({"name": "_op"}, "or no name for one"),
        ({"defaults": {"gird": "1"}}, "defaults.gird: op has grid, block"),
        ({"defaults": {"grid": "block"}}, "defaults.grid: 'block' uses block"),
    ],
)
def test_functions_that_cannot_be_written(asked: dict[str, Any], message: str) -> None:
    both = kernels("const float* x, float* y", "const float* dy, float* dx")
    made = matched(*both, **asked)
    assert isinstance(made, Gradient)
    with pytest.raises(GradientError, match=message):
        emit_module(both, "op.cu", [made])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[gradient]\nforward = 1", "gradient.forward: is a text"),
        ("[gradient]\nforward = 'f'", "gradient.backward: is a text in quotes, and has to be there"),
        (
            "kernel = 'b'\n[gradient]\nforwards = 'f'",
            "gradient.forwards: a .gradient. table has forward, backward",
        ),
        ("kernel = 'b'", r"has no \[gradient\] table"),
        ("[gradient]\nforward = 'f'\nbackward = 'b'\nconstants = 'x'", "is a list of names"),
        ("[gradient]\nforward = 'f'\nbackward = 'b'\ndefaults.grid = 3", "gradient.defaults.grid: is a text"),
        ("[gradient]\nforward = 'f'\nbackward = []", "gradient.backward: is a text"),
        ("[gradient", "is not TOML"),
    ],
)
def test_tables_that_cannot_be_read(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "g.toml").write_text(text)
    with pytest.raises(GradientError, match=message):
        gradient_request("g.toml", tmp_path)


def test_a_table_for_one_of_several_kernels(tmp_path: Path) -> None:
    text = "[gradient]\nforward = 'f'\nbackward = ['b', 'c']\nparameters.n = '1'\nparameters.c.n = '2'\n"
    (tmp_path / "g.toml").write_text(text)
    request = gradient_request("g.toml", tmp_path)
    assert (request.backward, request.parameters) == (("b", "c"), {"n": "1", "c.n": "2"})


def test_requests() -> None:
    assert gradient_request("f = b") == GradientRequest("f", ("b",))
    assert gradient_request("f=b, c") == GradientRequest("f", ("b", "c"))
    for text in ("f", "=b", "f=", "f=b,"):
        with pytest.raises(GradientError, match="FORWARD=BACKWARD"):
            gradient_request(text)
    with pytest.raises(GradientError, match=r"cannot be read: No such file"):
        gradient_request("missing.toml")
