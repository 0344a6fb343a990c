"""Headers that are found become part of the unit, once."""

from pathlib import Path

import pytest
from preprocess_helpers import codes, faults

from cu2mlx.transpiler.preprocess import Unit, preprocess
from cu2mlx.transpiler.source import read_source


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def unit(folder: Path, files: dict[str, str], *directories: str) -> Unit:
    write(folder, files)
    return preprocess(
        read_source(folder / "k.cu"), include_directories=[folder / directory for directory in directories]
    )


def test_spliced_once_in_place(tmp_path: Path) -> None:
    found = unit(
        tmp_path,
        {
            "k.cu": '#include <cuda.h>\n#include "a.cuh"\n#include "sub/b.cuh"\nint k = N;\n',
            "a.cuh": "#pragma once\n#define N 3\nint a;\n",
            "sub/b.cuh": '#ifndef B_H\n#define B_H\n#include "../a.cuh"\nint b;\n#endif  // B_H\n',
        },
    )
    assert found.text == "#include <cuda.h>\n#define N 3\nint a;\nint b;\nint k = N;\n"
    names = [(include.name, include.path and include.path.name) for include in found.includes]
    assert names == [("cuda.h", None), ("a.cuh", "a.cuh"), ("sub/b.cuh", "b.cuh"), ("../a.cuh", "a.cuh")]


def test_include_directories(tmp_path: Path) -> None:
    found = unit(
        tmp_path,
        {
            "k.cu": '#include <own/a.cuh>\n#include "c.h"\nint k;',
            "inc/own/a.cuh": "int a;",
            "more/c.h": "int c;",
        },
        "inc",
        "more",
    )
    assert found.text == "int a;\nint c;\nint k;"


def test_headers_of_the_branch_not_chosen_stay_lines(tmp_path: Path) -> None:
    found = unit(
        tmp_path,
        {
            "k.cu": '#ifdef USE_ROCM\n#include "common.h"\n#else\n#include "common.h"\n#endif\nint k[N];\n',
            "common.h": "#define N 3\n",
        },
    )
    assert found.text == '#ifdef USE_ROCM\n#include "common.h"\n#else\n#define N 3\n#endif\nint k[N];\n'


def test_macros_of_headers_are_used(tmp_path: Path) -> None:
    found = unit(
        tmp_path,
        {
            "k.cu": '#include "a.h"\nDEV float f(int a) { return TID; }\n',
            "a.h": "#define DEV __device__ inline\n#define TID (threadIdx.x)\n",
        },
    )
    assert found.text == "__device__ inline float f(int a) { return (threadIdx.x); }\n"
    assert faults(found) == []


def test_origin_names_the_header(tmp_path: Path) -> None:
    found = unit(tmp_path, {"k.cu": 'int x;\n#include "a.h"\nint z;\n', "a.h": "// top\nint y;\n"})
    span = found.origin(found.text.index("y;"))
    assert (Path(span.file.path).name, span.line, span.column) == ("a.h", 2, 5)
    span = found.origin(found.text.index("z;"))
    assert (Path(span.file.path).name, span.line, span.column) == ("k.cu", 3, 5)


def test_a_file_that_includes_itself_ends(tmp_path: Path) -> None:
    found = unit(
        tmp_path, {"k.cu": '#include "a.h"\nint k;\n', "a.h": '#include "k.cu"\n#include "a.h"\nint a;\n'}
    )
    assert found.text == "int a;\nint k;\n"


def test_depth_is_limited(tmp_path: Path) -> None:
    files = {f"h{i}.h": f'#include "h{i + 1}.h"\n' for i in range(100)}
    found = unit(tmp_path, {**files, "k.cu": '#include "h0.h"\n'})
    assert codes(found) == ["CU1205"]


def test_an_unreadable_header_is_a_warning(tmp_path: Path) -> None:
    write(tmp_path, {"k.cu": '#include "a.h"\nint k;\n'})
    (tmp_path / "a.h").write_bytes(b"\xff\xfe\x00")
    found = preprocess(read_source(tmp_path / "k.cu"))
    assert codes(found) == ["CU1206"]
    assert found.text == '#include "a.h"\nint k;\n'


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("int x;\n/* no end\nint y;\n", "CU1201", 2),
        ('int x;\nf("no end);\n', "CU1202", 2),
        ('f(R"(no\nend);\n', "CU1202", 1),
    ],
)
def test_unterminated(tmp_path: Path, text: str, code: str, line: int) -> None:
    found = unit(tmp_path, {"k.cu": text})
    assert codes(found) == [code]
    assert found.diagnostics[0].span.line == line


def test_what_looks_unterminated_but_is_not(tmp_path: Path) -> None:
    text = (
        "#error don't\n// \"quote\n/* ' */ char a = '\"', b = '\\'';\nint c = 1'000;\n"
        'auto s = R"x(" /* )x"; auto t = "/* \\" //";\n#define Q "a \\\n b"\n'
    )
    assert unit(tmp_path, {"k.cu": text}).diagnostics == ()
