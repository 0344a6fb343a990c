"""A task made from a CUDA file alone: inputs that fit its kernel, the original as the oracle."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from cu2mlx.refine.task import TaskError, interface_of
from cu2mlx.runtime.cpu.executor import CpuExecutor
from cu2mlx.runtime.verify.guessed import guessed_spec
from cu2mlx.transpiler.kernels import TranslatedKernel
from cu2mlx.transpiler.pipeline import Translation, translate
from cu2mlx.transpiler.source import UnusableInput, read_source

BLOCK = "block_threads"
SECONDS = 20.0  # for one run of the original while inputs are tried


def derived_task(
    file: Path,
    kernel: str | None,
    numbers: Mapping[str, Sequence[int | float]],
    defines: Mapping[str, str],
    include: Sequence[Path],
    folder: Path,
) -> Path:
    """Writes the task into `folder` and returns that. `numbers`: values of parameters by name; `defines`: macros;
    `include`: folders to look for headers in.

    Raises TaskError: no such kernel, several to choose from, a refused one, or numbers that nobody can guess.
    """
    try:
        translation = translate(
            read_source(file), include_directories=[file.parent, *include], defines=defines
        )
    except UnusableInput as error:
        raise TaskError(str(error)) from None
    chosen = _chosen(file, translation, kernel)
    interface = interface_of(chosen, file)
    taken = ("grid", "block", "shared", *(parameter.name for parameter in interface.parameters))
    for name in numbers:
        if name not in taken:
            raise TaskError(f"--arg {name}: {chosen.name} takes none; there are {', '.join(taken)}")
    found = guessed_spec(translation, chosen, numbers, (), CpuExecutor(), SECONDS)
    if found.spec is None:
        raise TaskError(
            f"{file}: {chosen.name} needs more to be run: {'; '.join(found.missing)}; or write a spec "
            "file (docs/spec-files.md) and optimize that"
        )
    text = _without(found.text, [name for name, _ in found.left_out])
    top = f"source = {json.dumps(str(file.resolve()))}"
    if include:
        top += f"\nincludes = {json.dumps([str(each.resolve()) for each in include])}"
    text = re.sub(r"^source = .*$", lambda _: top, text, flags=re.MULTILINE)
    folder.mkdir(parents=True, exist_ok=True)
    text = _with_defines(_with_tunable_block(text), defines)
    (folder / "task.toml").write_text(text, encoding="utf-8")
    return folder


def _chosen(file: Path, translation: Translation, name: str | None) -> TranslatedKernel:
    names = [each.name for each in translation.kernels]
    if not names:
        raise TaskError(f"{file}: has no __global__ function; pass the file that defines the kernel")
    if name is None and len(names) > 1:
        raise TaskError(f"{file}: has several kernels; say which with --kernel: {', '.join(names)}")
    for each in translation.kernels:
        if name in (None, each.name):
            return each
    raise TaskError(f"{file}: no kernel {name!r}; its kernels: {', '.join(names)}")


def _without(text: str, cases: Sequence[str]) -> str:
    """A spec's text without the cases of these names."""
    head, *blocks = re.split(r"(?m)^(?=\[\[cases\]\])", text)
    kept = [block for block in blocks if not any(f'name = "{name}"' in block for name in cases)]
    return head + "".join(kept)


def _with_tunable_block(text: str) -> str:
    """With a name for the block's size, where it is a number that the grid is made of, so that a search can vary it.

    That another number of the grid only looks alike is no danger: its launches are wrong, and found to be.
    """
    block = re.search(r"^block = \[(\d+)", text, re.MULTILINE)
    grid = re.search(r"^grid = .*$", text, re.MULTILINE)
    if block is None or grid is None or int(block[1]) < 32 or "[let]" in text:
        return text
    named, count = re.subn(rf"\b{block[1]}\b", BLOCK, grid[0])
    if count == 0:
        return text
    text = text.replace(grid[0], named).replace(block[0], f'block = ["{BLOCK}"', 1)
    return text.replace("\n[args.", f"\n[let]\n{BLOCK} = {block[1]}\n\n[args.", 1)


def _with_defines(text: str, defines: Mapping[str, str]) -> str:
    if not defines:
        return text
    rows = "".join(f"{name} = {json.dumps(value)}\n" for name, value in defines.items())
    return text.replace("\n[args.", f"\n[defines]\n{rows}\n[args.", 1)
