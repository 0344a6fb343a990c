"""`python -m cu2mlx.transpiler.syntax FILE.cu` prints the tree that rules see: a line for each named node."""

import sys
from pathlib import Path

from cu2mlx.transpiler.syntax import Node, parse

_SHOWN = 60  # characters of a node's text


def outline(node: Node, text: str, depth: int = 0) -> None:
    if node.named:
        field = f"{node.field}: " if node.field else ""
        words = " ".join(text[node.start : node.end].split())
        print(f"{'  ' * depth}{field}{node.kind}  {words[:_SHOWN]}{'…' if len(words) > _SHOWN else ''}")
    for child in node.children:
        outline(child, text, depth + 1)


if __name__ == "__main__":
    text = Path(sys.argv[1]).read_text(encoding="utf-8").encode("ascii", "replace").decode("ascii")
    outline(parse(text), text)
