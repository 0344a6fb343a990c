"""Every golden kernel that was translated does what its original does.

Inputs come from a spec beside the golden (NAME.spec.toml, NAME.KERNEL.spec.toml) or are guessed as `cu2mlx verify`
guesses them, with these numbers for what it would ask the user.
"""

from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from cu2mlx.runtime.cpu.executor import CpuExecutor
from cu2mlx.runtime.spec import Spec
from cu2mlx.runtime.verify import translation_of, verify_kernel
from cu2mlx.runtime.verify.guess import guess
from cu2mlx.runtime.verify.guessed import guessed_spec
from cu2mlx.runtime.verify.kernel import kernel_of
from cu2mlx.runtime.verify.original import UNREADABLE_GLOBAL
from cu2mlx.runtime.verify.plan import specs_beside
from cu2mlx.runtime.verify.report import render_kernel
from cu2mlx.transpiler.pipeline import Translation
from cu2mlx.transpiler.source import SourceFile

FOLDER = Path(__file__).parents[1] / "golden"
GIVEN = {"grid": (2, 2), "block": (8, 8), "shared": (4096,)}
SIZE = 24
# What cannot be verified, and why.
NOT_VERIFIED = {
    ("missing", "reads"): "the header that it needs is missing, which is what the golden is about",
    ("rounded_literals", "truncated"): "it is about what comes out differently",
    ("hidden_parameter", "quantise"): "a constant hides a template parameter, which host compilers refuse",
}


def _source(path: Path) -> SourceFile:
    return SourceFile(str(path), path.read_text(encoding="utf-8"))


@cache
def _flags(path: Path) -> dict[str, tuple[str, ...]]:
    """The options on a golden's first line: `// flags: -D N=4 --double=float`."""
    words = _source(path).text.split("\n", 1)[0].partition("// flags:")[2].split()
    double = "float" if "--double=float" in words else "refuse"
    named = {flag: tuple(v for f, v in pairwise(words) if f == flag) for flag in ("-D", "--instantiate")}
    return {**named, "--double": (double,)}


def _defines(path: Path) -> dict[str, str]:
    return {name: value or "1" for name, _, value in (d.partition("=") for d in _flags(path)["-D"])}


def _asked(path: Path, kernel: str) -> tuple[str, ...]:
    for each in _flags(path)["--instantiate"]:
        name, _, listed = each.partition("<")
        if name == kernel:
            return tuple(part.strip() for part in listed.removesuffix(">").split(","))
    return ()


@cache
def _translation(path: Path, kernel: str = "") -> Translation:
    template = tuple((str(place), value) for place, value in enumerate(_asked(path, kernel)))
    return translation_of(
        _source(path), kernel, (), tuple(_defines(path).items()), _flags(path)["--double"][0], template
    )


def _kernels() -> list[tuple[Path, str]]:
    named = [
        (path, kernel.name.rpartition("::")[2])
        for path in sorted(FOLDER.rglob("*.cu"))
        for kernel in _translation(path).kernels
        if kernel.interface is not None
    ]
    return [(path, name) for path, name in named if (path.stem, name) not in NOT_VERIFIED]


def _spec(path: Path, name: str) -> Spec:
    """The kernel's inputs; the test is skipped, with what is missing, where none can be guessed. Fails where the
    original does not compile."""
    for spec in specs_beside(path):
        if spec.kernel == name:
            assert isinstance(spec, Spec), f"{spec.path} is not filled in"
            return spec
    translation = _translation(path, name)
    kernel = kernel_of(translation, name)
    assert kernel is not None
    missing = guess(translation, kernel, {}, _asked(path, name)).missing
    if any(UNREADABLE_GLOBAL in each for each in missing):
        pytest.skip(UNREADABLE_GLOBAL)
    wanted = [each.partition(":")[0] for each in missing]
    for _ in range(2):  # sizes first: what else is missing shows then
        given = {each: GIVEN.get(each, (SIZE,)) for each in wanted}
        found = guess(translation, kernel, given, _asked(path, name))
        wanted += [each.partition(":")[0] for each in found.missing]
    guessed = guessed_spec(translation, kernel, given, _asked(path, name), CpuExecutor(), 20)
    if guessed.spec is None:
        missing = "; ".join(guessed.missing)
        assert "does not compile" not in missing, missing
        pytest.skip(f"write a spec beside the golden: {missing}")
    return guessed.spec


@pytest.mark.parametrize(
    ("path", "name"), _kernels(), ids=lambda each: each.stem if isinstance(each, Path) else each
)
def test_golden(path: Path, name: str) -> None:
    spec = _spec(path, name)
    result = verify_kernel(
        _source(path), spec, defines=_defines(path), double=_flags(path)["--double"][0], seeds=(1,)
    )
    assert result.same, render_kernel(result, path.name)
