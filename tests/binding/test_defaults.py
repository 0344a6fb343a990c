"""What launches tell: configuration, shapes and template values, and when they tell nothing."""

from dataclasses import replace

import pytest
from interfaces import parameter

from cu2mlx.transpiler.binding.defaults import launch_defaults
from cu2mlx.transpiler.binding.interface import KernelInterface, Role, TemplateParameter
from cu2mlx.transpiler.model.launches import Launch

_KERNEL = KernelInterface(
    name="row_sum",
    parameters=(
        parameter("const T* x", Role.IN, "T"),
        parameter("T* y", Role.OUT, "T"),
        parameter("int rows", Role.SCALAR, "int32"),
        parameter("int cols", Role.SCALAR, "int32"),
    ),
    template=(TemplateParameter("T", "type"), TemplateParameter("N", "int")),
    metal_body="",
    metal_header="",
    cuda_body="",
    cuda_header="",
)
_TORCH = Launch(
    kernel="k",
    line=9,
    grid=("input.size(0)",),
    block=("kThreads",),
    shared="kThreads * sizeof(scalar_t)",
    template_arguments=("scalar_t", "kThreads"),
    arguments=("x.data_ptr<scalar_t>()", "y.data_ptr<scalar_t>()", "input.size(0)", "cols"),
    locals=(
        ("kThreads", "128"),
        ("x", "input.contiguous()"),
        ("cols", "x.size(1)"),
        ("y", "torch::zeros({x.size(0), cols / 2}, x.options())"),
    ),
)


def _defaults(*sites: Launch) -> object:
    return launch_defaults(replace(_KERNEL, launches=sites))


def test_torch_launch() -> None:
    found = launch_defaults(replace(_KERNEL, launches=(_TORCH,)))
    assert found.grid == "(int(rows), 1, 1)"
    assert found.block == "(N, 1, 1)"
    assert found.shared == "N * T.size"
    assert found.shapes == {"y": "(x.shape[0], int(cols) // 2)"}
    assert found.template == {"N": "128"}
    assert found.zeroed and not found.grid_needs_block


_SHAPES = [
    ("torch::empty({rows, 4}, opts)", "(int(rows), 4)", False),
    ("at::zeros(x.sizes(), opts)", "x.shape", True),
    ("torch::empty_like(input)", "x.shape", False),
    ("x.new_zeros({rows})", "(int(rows),)", True),
    ("new float[rows * 2]", "(int(rows) * 2 * 4 // T.size,)", False),
    ("std::vector<scalar_t>(rows)", None, False),
    ("cudaMalloc(&y, rows * cols * sizeof(scalar_t))", "(int(rows) * int(cols),)", False),
    ("cudaMallocManaged((void**)&y, sizeof(scalar_t) * rows)", "(int(rows),)", False),
    ("malloc(bytes)", None, False),
    ("make_output(x)", None, False),
]


@pytest.mark.parametrize(("made", "shape", "zeroed"), _SHAPES)
def test_output_shapes(made: str, shape: str | None, zeroed: bool) -> None:
    key = "cudaMalloc@77" if made.startswith("cuda") else "y"
    site = replace(
        _TORCH,
        arguments=("x.data_ptr<scalar_t>()", "y", "rows", "cols"),
        locals=(("x", "input.contiguous()"), (key, made)),
    )
    found = launch_defaults(replace(_KERNEL, launches=(site,)))
    assert found.shapes == ({} if shape is None else {"y": shape})
    assert found.zeroed == zeroed


def test_sizes_in_bytes_lose_the_element_size() -> None:
    kernel = replace(
        _KERNEL,
        parameters=(
            _KERNEL.parameters[0],
            parameter("float* y", Role.OUT, "float32"),
            *_KERNEL.parameters[2:],
        ),
    )
    for size, shape in [
        ("rows * sizeof(float)", "(int(rows),)"),
        ("sizeof(float4) * rows", "(4 * int(rows),)"),
        ("1024 * sizeof(float)", "(1024,)"),
        ("rows", "(int(rows) // 4,)"),
    ]:
        site = replace(
            _TORCH,
            arguments=("x", "y", "rows", "cols"),
            locals=(("cudaMalloc@1", f"cudaMalloc(&y, {size})"),),
        )
        assert launch_defaults(replace(kernel, launches=(site,))).shapes == {"y": shape}


def test_grid_in_terms_of_the_block_variable() -> None:
    site = replace(
        _TORCH,
        grid=("(rows + block.x - 1) / block.x", "cols"),
        block=("block",),
        locals=(("block", "dim3(32, 8)"),),
        arguments=("x", "y", "rows", "cols"),
    )
    found = launch_defaults(replace(_KERNEL, launches=(site,)))
    assert found.grid == "((int(rows) + block[0] - 1) // block[0], int(cols), 1)"
    assert found.block == "(32, 8, 1)"
    assert not found.grid_needs_block


@pytest.mark.parametrize("block", ["min(cols, 32)", "128"])
def test_a_block_that_the_model_took_apart(block: str) -> None:
    """The launch says `block`, its dim3 has the size."""
    site = replace(
        _TORCH,
        grid=("(rows + block.x - 1) / block.x",),
        block=(block,),
        locals=(("block", f"({block})"),),
        arguments=("x", "y", "rows", "cols"),
    )
    assert (
        launch_defaults(replace(_KERNEL, launches=(site,))).grid
        == "((int(rows) + block[0] - 1) // block[0], 1, 1)"
    )


def test_a_grid_that_divides_by_a_number_needs_its_block() -> None:
    site = replace(_TORCH, grid=("(rows + 127) / 128",), block=("128",), arguments=("x", "y", "rows", "cols"))
    assert launch_defaults(replace(_KERNEL, launches=(site,))).grid_needs_block


def test_launches_that_differ_or_do_not_tell_give_no_default() -> None:
    other = replace(_TORCH, block=("64",), template_arguments=("float", "64"))
    found = launch_defaults(replace(_KERNEL, launches=(_TORCH, other)))
    assert (found.grid, found.block) == (None, None)
    assert found.template == {}
    unknown = replace(_TORCH, grid=("properties.multiProcessorCount",))
    assert launch_defaults(replace(_KERNEL, launches=(_TORCH, unknown))).grid is None
    assert launch_defaults(_KERNEL).shapes == {}


def test_template_defaults_of_the_source_come_first() -> None:
    template = (TemplateParameter("T", "type", "float"), TemplateParameter("N", "int", "2 * 32"))
    found = launch_defaults(replace(_KERNEL, template=template, launches=(_TORCH,)))
    assert found.template == {"T": "mx.float32", "N": "64"}
