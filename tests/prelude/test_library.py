"""The loader, and every part of the library type-checked alone and together."""

import re
from pathlib import Path

import pytest
from prelude_machine import HEAD

from cu2mlx.runtime.check import check_msl, frontend
from cu2mlx.runtime.check.outline import outline
from cu2mlx.runtime.check.rewrite import rewrite
from cu2mlx.transpiler import prelude, tables
from cu2mlx.transpiler.prelude.library import definitions, library, uses

_FOLDER = Path(prelude.__file__).parent
_FILES = sorted(_FOLDER.glob("*.metal"))
_INEXACT = "exp|exp2|exp10|log|log2|log10|sin|cos|tan|pow|powr|tanh|sinh|cosh|sqrt|rsqrt|divide"


def test_only_what_is_named_and_needed() -> None:
    text = prelude.assemble(["shfl_xor_sync"])
    assert "shfl_xor_sync" in text
    assert "lane_value" in text
    assert "shfl_down_sync" not in text
    assert text.index("lane_value(T value") < text.index("shfl_xor_sync(T value")
    assert prelude.assemble(["cu::shfl_xor_sync", "shfl_xor_sync"]) == text
    assert prelude.assemble([]) == ""


def test_unknown_name() -> None:
    with pytest.raises(KeyError, match="no_such_thing"):
        prelude.assemble(["byte_perm", "no_such_thing"])


def test_used_parts_stand_first() -> None:
    """Every name is defined, or at least declared, above its first use."""
    text = prelude.assemble(prelude.available())
    for name, parts in library().items():
        for used in {used for part in parts for used in uses(part)}:
            others = library()[used]
            declared = any(part.forward for part in others)
            first = next(part for part in parts if not part.forward)
            assert declared or text.index(others[0].text) < text.index(first.text), (name, used)


def test_chosen_overloads() -> None:
    """Of functions on pointers only the space, or the space and type, that a kernel uses."""
    text = prelude.assemble(["atomic_add(device float)"])
    assert "atomic_add(device float* p" in text
    assert "atomic_add(device int* p" not in text
    assert "threadgroup" not in re.sub(r"//[^\n]*", "", text)
    both = prelude.assemble(["atomic_add(device float)", "atomic_add(threadgroup)", "atomic_add(inout)"])
    assert "atomic_add(threadgroup half2* p" in both
    assert "atomic_add(inout_ptr<T> p" in both
    assert check_msl(HEAD + both) == ()


def test_every_definition_is_explained() -> None:
    """A comment stands above each definition or above the overloads it continues."""
    for path in _FILES:
        previous = ""
        for part in definitions(path.read_text(encoding="ascii")):
            first = part.text.startswith("//")
            assert first or previous or part.forward, f"{path.name}: {part.name}"
            previous = part.name


def test_splitting() -> None:
    parts = definitions(
        """
namespace cu {

// Somebody's.

// Mine.
// Metal 3.2
template <typename T, int N = (2)>
inline T first(thread T (&x)[N]) {
    return x[0];  // not } the end;
}
struct second;
struct second {
    int of() const { return 1; }
};
constexpr constant int third[2] = {1, 2};
using fourth = int;

}  // namespace cu
"""
    )
    assert [part.name for part in parts] == ["first", "second", "second", "third", "fourth"]
    assert [part.forward for part in parts] == [False, True, False, False, False]
    assert [part.metal for part in parts] == ["3.2", "3.1", "3.1", "3.1", "3.1"]
    assert parts[0].text.startswith("// Mine.")


def test_metal_version() -> None:
    assert prelude.requires_metal([]) == "3.1"
    assert prelude.requires_metal(["erf"]) == "3.1"
    assert prelude.requires_metal(["erf", "threadfence"]) == "3.2"


@pytest.mark.parametrize("path", _FILES, ids=lambda path: path.stem)
def test_file(path: Path) -> None:
    """ASCII, short, one namespace; inexact functions always say precise or fast."""
    text = path.read_text(encoding="ascii")
    assert text.count("\n") < 400
    assert text.startswith("// ")
    assert text.count("namespace cu {") == 1
    code = re.sub(r"//[^\n]*", "", text)
    known = "|".join(prelude.available())
    assert not re.search(rf"metal::({_INEXACT})\(", code)
    assert not re.search(rf"(?<![\w:])(?!{known})({_INEXACT})\(", code)
    assert not re.search(r"\bdouble\b|\bstd::", code)
    assert max(map(len, text.splitlines())) <= 120


def test_every_function_that_the_tables_name_exists() -> None:
    named = {
        name for row in tables.all_rows() for name in re.findall(r"cu::([A-Za-z_]\w*)", row.spelling or "")
    }
    assert named - prelude.available() == set()


def test_all_parts_together_are_legal() -> None:
    assert check_msl(HEAD + prelude.assemble(prelude.available())) == ()


def test_nothing_is_newer_than_metal_3_1s_cpp() -> None:
    """Metal 3.1 is C++14: clang tells what of the text later standards brought."""
    every = rewrite(outline(HEAD + prelude.assemble(prelude.available()))).text
    newer = "inline int newer() { if constexpr (true) return 1; return 0; }\n"
    flags = ["-Wpre-c++17-compat", "-include", "metal_internals"]
    found = [
        f"{d.spelling}: {text.splitlines()[d.location.line - 1].strip()}"
        for text in (every, newer)
        for d in frontend._parse(text, "kernel.metal", flags).diagnostics
        if d.option == "-Wpre-c++17-compat" and d.location.file.name == "kernel.metal"
    ]
    assert len(found) == 1 and "newer()" in found[0], found


@pytest.mark.slow
@pytest.mark.parametrize("path", _FILES, ids=lambda path: path.stem)
def test_each_part_alone_is_legal(path: Path) -> None:
    names = {part.name for part in definitions(path.read_text(encoding="ascii"))}
    for name in sorted(names):
        assert check_msl(HEAD + prelude.assemble([name])) == (), name
