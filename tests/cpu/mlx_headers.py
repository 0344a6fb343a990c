"""MLX's own Metal headers, as they lie in its wheel, with their includes spliced in."""

import importlib.util
import re
from pathlib import Path

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"(mlx/[^"]+)"[^\n]*', re.MULTILINE)


def folder() -> Path | None:
    """Where MLX's headers are; None without MLX."""
    found = importlib.util.find_spec("mlx")
    for place in found.submodule_search_locations or () if found else ():
        root = Path(place) / "include"
        if (root / "mlx/backend/metal/kernels").is_dir():
            return root
    return None


def source(*names: str) -> str:
    """The text of headers under mlx/backend/metal/kernels, each included header once."""
    root = folder()
    assert root is not None
    seen: set[str] = set()

    def splice(name: str) -> str:
        if name in seen:
            return ""
        seen.add(name)
        return _INCLUDE.sub(lambda match: splice(match[1]), (root / name).read_text())

    return "\n".join(splice(f"mlx/backend/metal/kernels/{name}") for name in names)
