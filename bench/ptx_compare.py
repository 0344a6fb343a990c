"""The instructions of original and translation, as NVRTC compiles both for a GPU; none is needed.

python bench/ptx_compare.py [--table seeds|specs] [--root FOLDER] [--only NAME] [--architecture sm_90]

Kernels and their template arguments are those of device/large.toml. A line gives the number of instructions of both
PTX texts and what differs by kind (`ld.global`, `shfl.sync`, `fma` …): more of them is what a translation may cost.
"""

import argparse
import re
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

from cu2mlx.runtime.cuda.compile import ptx_of
from cu2mlx.runtime.emulate import PREAMBLE
from cu2mlx.runtime.inputs import make_inputs
from cu2mlx.runtime.protocol import CompileError, KernelText
from cu2mlx.runtime.spec import Case, load_spec
from cu2mlx.runtime.verify.kernel import kernel_of, translation_of
from cu2mlx.runtime.verify.original import original_call
from cu2mlx.runtime.verify.packing import instance_of, pack
from cu2mlx.transpiler.source import read_source

BENCH = Path(__file__).resolve().parent
FOLDERS = {"seeds": BENCH.parent / "seeds", "specs": BENCH / "specs"}
# An instruction stands at a line's start, or in the braces of inline PTX, perhaps behind its predicate.
_INSTRUCTION = re.compile(r"(?:^|[{;])\s*(?:@!?%p\d+\s+)?([a-z]\w*(?:\.\w+|::\w+)*)(?=[\s;])", re.MULTILINE)
_TWO_PARTS = ("ld", "st", "shfl", "bar", "atom", "red", "vote", "match")


def kind(instruction: str) -> str:
    """`ld.global` of `ld.global.nc.v2.f32`, `fma` of `fma.rn.f32`."""
    parts = instruction.split(".")
    return ".".join(parts[:2]) if parts[0] in _TWO_PARTS else parts[0]


def instructions(ptx: str) -> Counter[str]:
    """How many of each kind; moves are left out, since ptxas renames registers anyway."""
    found = Counter(map(kind, _INSTRUCTION.findall(ptx)))
    del found["mov"]
    return found


def texts(path: Path, template: dict[str, Any], root: Path | None = None) -> tuple[KernelText, KernelText]:
    """Original and translation of a spec's kernel with these template arguments. Raises UnfitError."""
    spec = load_spec(path)
    first = spec.cases[0]
    case = Case("compared", first.sizes, tuple({**dict(first.template), **template}.items()), first.defines)
    assert spec.source is not None
    source = read_source((root or path.parent) / spec.source)
    include = tuple((root or path.parent) / folder for folder in spec.includes)
    asked = tuple((n, str(v).lower() if isinstance(v, bool) else str(v)) for n, v in case.template)
    kernel = kernel_of(
        translation_of(source, spec.kernel, include, tuple(case.defines), "refuse", asked), spec.kernel
    )
    assert kernel is not None and kernel.interface is not None, f"{path}: not translated"
    inputs = make_inputs(spec, case)
    instance = instance_of(kernel.interface, inputs.resolved, kernel.original, narrow=False)
    packed = pack(kernel.interface, instance, inputs)
    return original_call(kernel, inputs).text, KernelText("msl", PREAMBLE + packed.text, packed.entry)


def difference(original: Counter[str], translation: Counter[str]) -> str:
    """`ld.global 2 → 3, xor 0 → 1`; empty for none."""
    kinds = sorted(k for k in original | translation if original[k] != translation[k])
    return ", ".join(f"{k} {original[k]} → {translation[k]}" for k in kinds)


def table(name: str) -> dict[str, dict[str, Any]]:
    """Spec file → its entry in device/large.toml."""
    entries: dict[str, dict[str, Any]] = tomllib.loads((BENCH / "device" / "large.toml").read_text())[name]
    return entries


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--table", choices=sorted(FOLDERS), default="seeds")
    parser.add_argument("--root", type=Path, help="where the sources of the specs are")
    parser.add_argument("--only", default="", help="part of a spec's path")
    parser.add_argument("--architecture", default="sm_90")
    options = parser.parse_args()
    if options.table == "specs" and options.root is None:
        parser.error("say where the sources are: --root FOLDER")
    for name, entry in table(options.table).items():
        if options.only not in name:
            continue
        both = texts(FOLDERS[options.table] / name, entry.get("template", {}), options.root)
        try:
            original, translation = (instructions(ptx_of(text, options.architecture)) for text in both)
        except CompileError as error:
            print(f"{name}: {str(error).splitlines()[0]}")
            continue
        counts = f"{original.total()} → {translation.total()}"
        print(f"{name}: {counts}; {difference(original, translation) or 'the same'}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
