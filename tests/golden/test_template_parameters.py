"""What a template declares: every form of parameter, in order."""

import pytest

from cu2mlx.transpiler.model.template_parameters import template_parameters
from cu2mlx.transpiler.syntax import parse

FORMS = [
    ("typename T", ("T", True, False, None)),
    ("class T = float", ("T", True, False, "float")),
    ("typename... T", ("T", True, True, None)),
    ("typename T = typename X<int>::type", ("T", True, False, "typename X<int>::type")),
    ("typename", ("", True, False, None)),
    ("typename = enable<true>", ("", True, False, "enable<true>")),
    ("template <typename> class Op", ("Op", True, False, None)),
    ("const int N = 4", ("N", False, False, "4")),
    ("bool B", ("B", False, False, None)),
    ("int... N", ("N", False, True, None)),
    ("int", ("", False, False, None)),
    ("float (*F)(float, int)", ("F", False, False, None)),
    ("enable<true, int> = 0", ("", False, False, "0")),
]


@pytest.mark.parametrize(("form", "expected"), FORMS, ids=[form for form, _ in FORMS])
def test_each_form_is_read(form: str, expected: tuple[str, bool, bool, str | None]) -> None:
    text = f"template <int First, {form}> __global__ void kernel(float* x) {{}}"
    template = next(parse(text).all("template_declaration"))
    first, read = template_parameters(template, text)
    assert first.name == "First"
    assert (read.name, read.is_type, read.is_pack, read.default) == expected
