"""How many kernels parse after preprocessing: python bench/preprocess_corpus.py FOLDER... [--headers]

Each FOLDER is one package. With --headers its folders that hold headers are on the include path. Prints the
kernels whose tree has an error (or that the tree does not have as a function), their first error, the speed.
"""

import argparse
import re
import time
from collections.abc import Iterator
from pathlib import Path

import tree_sitter
import tree_sitter_cuda

from cu2mlx.transpiler.preprocess import Unit, preprocess
from cu2mlx.transpiler.source import UnusableInput, read_source

HEADERS = {".cuh", ".h", ".hpp", ".inl"}
KERNEL = re.compile(
    r"//[^\n]*|/\*.*?\*/|^[ \t]*#(?:\\\n|[^\n])*|(__global__)\b[^;{}]*\{", re.DOTALL | re.MULTILINE
)
PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_cuda.language()))


def kernels(unit: Unit) -> Iterator[tuple[int, str | None]]:
    """The offset of each kernel of a unit, with its first error if it has one."""
    tree = PARSER.parse(unit.parse_text.encode("ascii"))
    for match in KERNEL.finditer(unit.parse_text):
        if match[1] is None:
            continue
        node = tree.root_node.descendant_for_byte_range(match.start(1), match.end(1))
        while node is not None and node.type != "function_definition":
            node = node.parent
        if node is None:
            error = first_error(tree.root_node)
            yield match.start(1), f"no function; file's first error: {error}"
        else:
            yield match.start(1), first_error(node) if node.has_error else None


def first_error(node: tree_sitter.Node) -> str:
    while node.type != "ERROR" and not node.is_missing:
        further = next((child for child in node.children if child.has_error or child.is_missing), None)
        if further is None:
            break
        node = further
    line = node.start_point[0] + 1
    text = (node.text or b"").decode()[:60]
    return f"line {line} {node.type} {text!r}"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folders", nargs="+", type=Path)
    arguments.add_argument("--headers", action="store_true")
    options = arguments.parse_args()
    total = characters = files = 0
    seconds = 0.0
    broken: dict[tuple[str, int], str] = {}
    seen: set[tuple[str, int]] = set()
    for folder in options.folders:
        include = (
            sorted({p.parent for p in folder.rglob("*") if p.suffix in HEADERS}) if options.headers else []
        )
        for path in sorted(p for p in folder.rglob("*") if p.suffix in {".cu", ".cuh"}):
            try:
                source = read_source(path)
            except UnusableInput:
                continue
            begin = time.process_time()
            unit = preprocess(source, include_directories=include)
            seconds += time.process_time() - begin
            characters += len(unit.text)
            files += 1
            for offset, error in kernels(unit):
                origin = unit.origin(offset)
                place = (origin.file.path, origin.start)
                if place in seen:
                    continue
                seen.add(place)
                total += 1
                if error is not None:
                    broken[place] = f"{path}: {error}"
    for (file, start), error in broken.items():
        print(f"{file}@{start}  {error}")
    share = 100 * len(broken) / max(total, 1)
    size = characters / 1e6
    print(f"{files} files, {size:.1f} MB in {seconds:.1f} s of CPU ({size / seconds:.1f} MB/s)")
    print(f"{len(broken)} of {total} kernels with a parse error ({share:.2f} %)")


if __name__ == "__main__":
    main()
