"""One page for each diagnostic code: why it is raised, how to fix it, an example."""

from importlib.resources import files


def page(code: str) -> str:
    """The Markdown page of a code of the catalogue. Raises FileNotFoundError for any other."""
    return files("cu2mlx.transpiler.diagnostics.pages").joinpath(f"{code}.md").read_text(encoding="utf-8")
