"""The readable Metal file."""

from dataclasses import replace

import interfaces

from cu2mlx.transpiler.binding.generator import Instance, generated_source
from cu2mlx.transpiler.binding.metal import emit_metal, top_level_parts


def test_signatures_are_those_of_mlx() -> None:
    """The same buffers, in the same order and with the same types, as in MLX's generated source."""
    text = emit_metal([interfaces.VECTOR_ADD])
    generated = generated_source(interfaces.VECTOR_ADD, Instance())
    arguments = [line.strip() for line in generated.split("\n") if "[[" in line and "[[kernel]]" not in line]
    assert len(arguments) == 7
    for argument in arguments:
        assert argument.replace("int32_t", "int").removesuffix(" {").rstrip(",)") in text


def test_template_kernel_reads_like_one() -> None:
    text = emit_metal([interfaces.HISTOGRAM])
    assert text.startswith("#include <metal_stdlib>\nusing namespace metal;\n")
    assert "template <int BINS, int dynamic_shared_bytes>\n[[kernel]] void histogram(" in text
    assert "    device uint* bins [[buffer(3)]],\n    device uint* last_delta [[buffer(4)]]" in text
    assert "    const constant long& n [[buffer(2)]]" in text


def test_changed_bits_of_a_template_type() -> None:
    parameters = (*interfaces.SAXPY.parameters[:3], replace(interfaces.HISTOGRAM.parameters[2], dtype="T"))
    text = emit_metal([replace(interfaces.SAXPY, parameters=parameters)])
    assert "device typename cu::inout_ptr<T>::bits* last_delta" in text


def test_what_headers_share_stands_once() -> None:
    shared = "inline int twice(int x) {\n\n  return 2 * x;\n}\n"
    first = replace(interfaces.VECTOR_ADD, metal_header=f"{shared}\nconstant int a = 1;\n")
    second = replace(interfaces.SAXPY, metal_header=f"constant int b = 2;\n\n{shared}")
    text = emit_metal([first, second])
    assert text.count("twice") == 1
    assert text.index("twice") < text.index("int a") < text.index("int b") < text.index("void vector_add")


def test_parts_do_not_split_blocks() -> None:
    text = "#if A\n\nint x;\n#endif\n\nchar c = '{'; // {\n\nvoid f() {\n\n  \"}\";\n}\n"
    assert list(top_level_parts(text)) == [
        "#if A\n\nint x;\n#endif",
        "char c = '{'; // {",
        'void f() {\n\n  "}";\n}',
    ]
