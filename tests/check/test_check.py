"""The checker as a whole: places, the cache, odd input, speed, the command line."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from cu2mlx.cli import main
from cu2mlx.runtime.check import Finding, check_msl, frontend

SAXPY = """#include <metal_stdlib>
using namespace metal;
[[kernel]] void saxpy(
    const device float* x [[buffer(0)]],
    device float* y [[buffer(1)]],
    const constant float& a [[buffer(2)]],
    uint i [[thread_position_in_grid]]) {
  threadgroup float s[32]; s[i % 32] = x[i];
  y[i] = a * s[i % 32] + y[i];
}
"""


def places(text: str) -> list[tuple[int, int]]:
    return [(finding.line, finding.column) for finding in check_msl(text)]


def test_well_typed() -> None:
    assert check_msl(SAXPY) == ()


def test_columns_are_those_of_the_text_given() -> None:
    """After a blanked attribute, an inserted reference, and letters of several bytes."""
    text = SAXPY.replace("s[i % 32] = x[i];", "/* é√ */ s[i % 32] = lost;")
    line = text.split("\n")[7]
    assert places(text) == [(8, line.index("lost") + 1)]


def test_column_in_a_parameter_after_an_attribute() -> None:
    text = SAXPY.replace("uint i [[thread_position_in_grid]])", "uint i [[thread_position_in_grid]], lost j)")
    (finding,) = [f for f in check_msl(text) if f.rule == "unknown-name"] or check_msl(text)
    assert finding.line == 7


def test_findings_come_in_order_and_once() -> None:
    text = SAXPY.replace("y[i] = a", "y[i] = lost; y[i] = gone; y[i] = lost; y[i] = a")
    findings = check_msl(text)
    assert list(findings) == sorted(set(findings))
    assert [finding.line for finding in findings] == [9, 9, 9]


@pytest.mark.parametrize("text", ["", "\n\n", "// nothing", "#define X 1", "\ufeff", ";"])
def test_text_without_kernels(text: str) -> None:
    assert check_msl(text.lstrip("\ufeff")) == ()


@pytest.mark.parametrize(
    "text",
    [
        "}",
        ")",
        "[[",
        "template <",
        "[[kernel]] void",
        "((((",
        "#if 1",
        '"',
        "/*",
        "template <typename T> void f(",
        "\x01",
        "[[kernel]] void k(device int* x [[,buffer(0)]]) { x[0] = lost; }",
        "void f() {\n#include <metal_logging>\n}",
        "#include <metal_stdlib>\nvoid f() { metal::array metal::array<float, 4> a; }",
    ],
)
def test_broken_text_is_rejected(text: str) -> None:
    findings = check_msl(text)
    assert findings
    assert all(finding.line >= 1 and finding.column >= 1 and finding.message for finding in findings)


def test_preamble_is_visible_only_when_asked_for() -> None:
    text = "[[kernel]] void k(device bfloat16_t* x [[buffer(0)]]) { x[0] = max(x[1], x[2]); }\n"
    assert check_msl(text, mlx_preamble=True) == ()
    assert {finding.rule for finding in check_msl(text)} == {"unknown-name"}


def test_words_of_the_compiler_do_not_show() -> None:
    text = "void f(threadgroup float* x);\n[[kernel]] void k(device float* local) { f(local); pipe + 1; }\n"
    for finding in check_msl(text):
        for word in ("__global", "__local", "__private", "__generic", "__msl", "OpenCL", "std::"):
            assert word not in finding.message


class TestCache:
    def test_is_made_and_used(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("CU2MLX_CACHE", str(tmp_path))
        assert check_msl(SAXPY) == ()
        (made,) = (tmp_path / "check").glob("*.pch")
        stamp = made.stat().st_mtime_ns
        assert check_msl(SAXPY) == ()
        assert made.stat().st_mtime_ns == stamp

    def test_can_be_missing(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        blocked = tmp_path / "file"
        blocked.write_text("not a folder")
        monkeypatch.setenv("CU2MLX_CACHE", str(blocked))
        assert check_msl(SAXPY) == ()
        assert check_msl(SAXPY.replace("= x[i]", "= lost"))

    def test_can_be_damaged(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("CU2MLX_CACHE", str(tmp_path))
        check_msl(SAXPY)
        (made,) = (tmp_path / "check").glob("*.pch")
        made.write_bytes(b"damaged")
        assert check_msl(SAXPY) == ()

    def test_with_and_without_find_the_same(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        bad = SAXPY.replace("a * s", "expf(a) * min(i, 3) * s")
        with_cache = check_msl(bad)
        monkeypatch.setattr(frontend, "_precompiled", lambda *_: None)
        assert check_msl(bad) == with_cache


class TestCommand:
    def run(self, tmp_path: Path, text: str, *options: str, name: str = "k.metal") -> tuple[int, str, str]:
        file = tmp_path / name
        file.write_text(text)
        result = CliRunner().invoke(main, ["check", str(file), *options])
        return result.exit_code, result.stdout, result.stderr

    def test_well_typed(self, tmp_path: Path) -> None:
        code, out, err = self.run(tmp_path, SAXPY)
        assert (code, err) == (0, "")
        assert out.endswith("k.metal: well-typed\n")

    def test_findings(self, tmp_path: Path) -> None:
        code, out, err = self.run(tmp_path, SAXPY.replace("y[i] = a", "y[i] = expf(a)"))
        assert code == 1
        assert "k.metal:9:10: error: use of undeclared identifier 'expf'" in err
        assert "hint: write precise::exp" in err
        assert "         ^" in err
        assert "1 finding" in out

    def test_json(self, tmp_path: Path) -> None:
        code, out, _ = self.run(tmp_path, SAXPY.replace("y[i] = a", "y[i] = expf(a)"), "--json")
        assert code == 1
        (finding,) = json.loads(out)["findings"]
        assert Finding(**finding) == check_msl(SAXPY.replace("y[i] = a", "y[i] = expf(a)"))[0]

    def test_preamble(self, tmp_path: Path) -> None:
        text = "[[kernel]] void k(device float* x [[buffer(0)]]) { x[0] = ceildiv(3, 2); }"
        assert self.run(tmp_path, text, "--mlx")[0] == 0
        assert self.run(tmp_path, text)[0] == 1

    @pytest.mark.parametrize(("name", "text"), [("k.metal", ""), ("k.txt", SAXPY)])
    def test_unusable(self, tmp_path: Path, name: str, text: str) -> None:
        code, _, err = self.run(tmp_path, text, name=name)
        assert code == 2
        assert err.startswith("error")

    def test_missing(self, tmp_path: Path) -> None:
        result = CliRunner().invoke(main, ["check", str(tmp_path / "none.metal")])
        assert result.exit_code == 2
        assert "none.metal" in result.stderr
