"""The support library in generated headers: what a kernel uses and nothing else, in the order of use."""

import re
from pathlib import Path

import pytest

from cu2mlx.transpiler.pipeline import translate
from cu2mlx.transpiler.prelude.library import definitions
from cu2mlx.transpiler.source import read_source

FOLDER = Path(__file__).parent
SOURCES = [
    path for area in ("cub", "standard", "sync", "warp") for path in sorted(FOLDER.glob(f"{area}/*.cu"))
]
SUPPORT = re.compile(r"^namespace cu \{\n.*?^\}  // namespace cu\n", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_each_part_is_used_behind_it(path: Path) -> None:
    for kernel in translate(read_source(path)).translated:
        assert kernel.interface is not None
        header = kernel.interface.metal_header
        support = SUPPORT.search(header)
        parts = definitions(support[0]) if support is not None else []
        own = header[support.end() :] + kernel.interface.metal_body if support is not None else ""
        for position, part in enumerate(parts):
            behind = [other.text for other in parts[position:] if other.name != part.name]
            used = re.search(rf"\b{part.name}\b", "\n".join([*behind, own]))
            assert used, f"{kernel.function.name}: cu::{part.name} is not used"


def test_a_kernel_without_cuda_functions_has_no_support(tmp_path: Path) -> None:
    source = tmp_path / "plain.cu"
    source.write_text(
        "__global__ void k(const float* x, float* y) { y[threadIdx.x] = 2 * x[threadIdx.x]; }\n"
    )
    (kernel,) = translate(read_source(source)).translated
    assert kernel.interface is not None and "namespace cu" not in kernel.interface.metal_header
