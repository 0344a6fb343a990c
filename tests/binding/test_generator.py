"""The generator's replica against MLX's own generator, byte for byte."""

import itertools
from dataclasses import dataclass

import pytest
from mlx_oracle import generated_by_mlx

from cu2mlx.transpiler.binding.dtypes import MLX_SPELLING
from cu2mlx.transpiler.binding.generator import (
    ATTRIBUTES,
    Input,
    Instance,
    Output,
    generated_source,
    metal_source,
)
from cu2mlx.transpiler.binding.interface import KernelInterface, Parameter, Role, TemplateParameter
from cu2mlx.transpiler.binding.signature import TemplateValue, signature

pytest.importorskip("mlx.core")


@dataclass(frozen=True)
class Case:
    inputs: tuple[Input, ...]
    outputs: tuple[Output, ...]
    template: tuple[tuple[str, TemplateValue], ...] = ()
    header: str = "inline int twice(int x) { return 2 * x; }\n"
    body: str = "  c[thread_position_in_grid.x] = a[0];"
    atomic_outputs: bool = False


def _cases() -> list[Case]:
    one, c, d = Input("a", "float32", 16), Output("c", "float32"), Output("d", "uint8")
    cases = [Case((one,), (c, d)[:count]) for count in (1, 2)]
    cases += [
        Case((Input("a", dtype, 16),), (Output("c", dtype),)) for dtype in MLX_SPELLING if dtype != "float64"
    ]
    cases += [
        Case((Input("a", "int32", size, ndim),), (c,)) for size, ndim in [(1, 0), (1, 1), (7, 1), (8, 2)]
    ]
    cases += [Case((one,), (c,), body=f"{name}{name}s;") for name, _ in ATTRIBUTES]
    cases.append(Case((one,), (c,), body=" ".join(name for name, _ in ATTRIBUTES)))
    cases.append(Case((one,), (c,), header=ATTRIBUTES[0][0], body=""))
    # Shape arguments, with one to three outputs, with and without an attribute: MLX's malformed lists too.
    second = Input("b", "float16", 4, 2)
    bodies = ["a_shape[0];", "a_shape a_strides b_ndim", "data_shape b_shape threads_per_grid"]
    outputs = (c, d, Output("e", "bfloat16"))
    for body, count in itertools.product(bodies, (1, 2, 3)):
        cases.append(Case((one, second), outputs[:count], body=body))
    cases.append(Case((Input("a", "int32", 1, 0),), (c,), body="a_shape a_ndim"))
    cases.append(Case((), (c,), body=""))
    cases.append(Case((one,), (c,), atomic_outputs=True))
    cases += [
        Case((one,), (c,), template=template)
        for template in [
            (("T", "bfloat16"),),
            (("T", "float16"), ("N", 128), ("CAUSAL", True)),
            (("N", 0), ("FLAG", False), ("U", "complex64"), ("V", "uint8")),
            (("N", -3),),
        ]
    ]
    return cases


def _mlx(value: TemplateValue) -> str:
    """A dtype or a number as the script writes it."""
    if isinstance(value, str):
        return "mx.bool_" if value == "bool" else f"mx.{value}"
    return repr(value)


def _script(cases: list[Case]) -> str:
    lines = []
    for index, case in enumerate(cases):
        shapes = [() if i.ndim == 0 else (i.size,) + (1,) * (i.ndim - 1) for i in case.inputs]
        arrays = [f"mx.zeros({shape}, {_mlx(i.dtype)})" for shape, i in zip(shapes, case.inputs, strict=True)]
        dtypes = ", ".join(_mlx(o.dtype) for o in case.outputs)
        values = [f"({name!r}, {_mlx(value)})" for name, value in case.template]
        lines += [
            f"kernel = mx.fast.metal_kernel('k{index}', {[i.name for i in case.inputs]},",
            f"    {[o.name for o in case.outputs]}, {case.body!r}, {case.header!r},",
            f"    atomic_outputs={case.atomic_outputs})",
            "export(lambda _: kernel(",
            f"    inputs=[{', '.join(arrays)}], output_shapes={[(4,)] * len(case.outputs)},",
            f"    output_dtypes=[{dtypes}], template=[{', '.join(values)}], grid=(4, 1, 1),",
            "    threadgroup=(4, 1, 1)), mx.zeros(()))",
        ]
    return "\n".join(lines)


def test_replica_equals_mlx() -> None:
    cases = _cases()
    expected = generated_by_mlx(_script(cases))
    assert len(expected) == len(cases) > 50
    for index, case in enumerate(cases):
        actual = metal_source(
            f"k{index}",
            case.inputs,
            case.outputs,
            case.template,
            case.header,
            case.body,
            atomic_outputs=case.atomic_outputs,
        )
        assert actual == expected[index]


def _interface(body: str = "y[thread_position_in_grid.x] = x[0];", header: str = "") -> KernelInterface:
    return KernelInterface(
        name="scale",
        parameters=(
            Parameter("n", "int", Role.SCALAR, "int32"),
            Parameter("shift", "float4", Role.SCALAR, "float32", lanes=4),
            Parameter("x", "const T*", Role.IN, "T"),
            Parameter("y", "T*", Role.INOUT, "T"),
        ),
        template=(TemplateParameter("T", "type"), TemplateParameter("N", "int")),
        metal_body=body,
        metal_header=header,
        cuda_body="",
        cuda_header="",
        dynamic_shared=True,
    )


_VALUES = Instance({"T": "float16", "N": 4, "dynamic_shared_bytes": 64})


def test_generated_source_of_an_interface() -> None:
    source = generated_source(_interface(), _VALUES)
    for argument in (
        "const constant int32_t& n [[buffer(0)]]",
        "const constant float* shift [[buffer(1)]]",
        "const device float16_t* x [[buffer(2)]]",
        "const device float16_t* y_in [[buffer(3)]]",
        "device uint16_t* y_delta [[buffer(4)]]",
        "template <typename T, int N, int dynamic_shared_bytes>",
        "<float16_t, 4, 64>",
    ):
        assert argument in source


def test_shape_like_names_get_no_shape_argument() -> None:
    source = generated_source(_interface("int x_shape = 3; thread_position_in_grid; y_in_ndim;"), _VALUES)
    assert "constant int*" not in source
    assert "auto x = x_argument; auto y_in = y_in_argument; int x_shape = 3;" in source


def test_missing_template_value_is_named() -> None:
    with pytest.raises(ValueError, match="no value for template parameter N, dynamic_shared_bytes"):
        generated_source(_interface(), Instance({"T": "float32"}))


def test_name_follows_the_text_and_text_becomes_ascii() -> None:
    plain, other = signature(_interface()), signature(_interface(body="threads_per_grid"))
    assert plain.name != other.name
    assert plain.name == signature(_interface()).name
    assert (
        signature(_interface(header="// größe \U0001f600\r\n")).header == "// gr\\u00f6\\u00dfe \\U0001f600\n"
    )
