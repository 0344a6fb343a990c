"""A candidate out of a file: a run's best, one of its candidates, or an emitted module."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.task import Task


class StoredError(Exception):
    """A file that holds no candidate for the task; the message says what to give."""


def stored_candidate(task: Task, path: Path) -> Candidate:
    """`path`: a run folder, a JSON file of its `candidates`, or a module FILE_mlx.py. Raises StoredError."""
    try:
        if path.is_dir():
            return _best(task, path)
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".py":
            return _from_module(task, path, text)
        return Candidate.from_json(json.loads(text))
    except OSError as error:
        raise StoredError(f"{error.filename}: cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise StoredError(
            f"{path}: holds no candidate; give a run folder, one of its candidates/*.json, or a module"
        ) from None


def _best(task: Task, folder: Path) -> Candidate:
    result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    if result["best"] is None:
        raise StoredError(f"{folder}: the run found no correct kernel")
    if result["best_is_baseline"]:
        return task.seed
    return Candidate.from_json(
        json.loads((folder / "candidates" / f"{result['best']}.json").read_text("utf-8"))
    )


def _from_module(task: Task, path: Path, text: str) -> Candidate:
    """Reads the module as text; nothing of it runs."""
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        raise StoredError(f"{path}:{error.lineno}: is no Python module") from None
    constants = dict(_constants(tree))
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        fields = {each.arg: each.value for each in call.keywords}
        if _named(call.func, "_Kernel") and _text(fields.get("name"), constants) == task.spec.kernel:
            header, body = (_text(fields.get(key), constants) for key in ("metal_header", "metal_body"))
            if body is not None:
                return Candidate(header or "", body).with_numbers(dict(_numbers(task, tree)))
    raise StoredError(f"{path}: is no module of cu2mlx with a kernel {task.spec.kernel}")


def _constants(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            for target in node.targets:
                if isinstance(target, ast.Name) and isinstance(node.value.value, str):
                    yield target.id, node.value.value


def _named(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _text(node: ast.expr | None, constants: dict[str, str]) -> str | None:
    if isinstance(node, ast.Name):
        return constants.get(node.id)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _numbers(task: Task, tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Tunables that the kernel's function has other defaults for than the CUDA source."""
    usual = {each.name: each.default for each in task.interface.template}
    tunables = {each.name for each in task.tunables}
    for function in tree.body:
        if isinstance(function, ast.FunctionDef) and function.name == task.spec.kernel:
            for argument, default in zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True):
                value = default.value if isinstance(default, ast.Constant) else None
                if argument.arg in tunables and type(value) is int and str(value) != usual[argument.arg]:
                    yield argument.arg, value
