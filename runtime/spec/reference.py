"""Loads the float64 reference that stands beside a spec file."""

import importlib.util
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from cu2mlx.runtime.spec.model import Spec, SpecError

if TYPE_CHECKING:
    import numpy as np

Reference = Callable[..., "Mapping[str, np.ndarray[Any, Any]]"]


def load_reference(spec: Spec) -> Reference | None:
    """The function named by `reference = "file.py:function"` (default `reference`), None without one."""
    if spec.reference is None:
        return None
    file, _, function = spec.reference.partition(":")
    return cast(Reference, load_function(spec, "reference", f"{file}:{function or 'reference'}"))


def load_function(spec: Spec, key: str, call: str) -> Callable[..., Any]:
    """The function `call`, "file.py:function", beside a spec. Raises SpecError, which names `key`."""
    file, _, function = call.partition(":")
    path = Path(spec.path).with_name(file)
    module_spec = importlib.util.spec_from_file_location(f"{path.parent.name}_{path.stem}", path)
    if not path.is_file() or module_spec is None or module_spec.loader is None:
        raise SpecError(spec.path, key, f"{path} is no Python file; put it beside the spec")
    module = importlib.util.module_from_spec(module_spec)
    module_spec.loader.exec_module(module)
    found = getattr(module, function, None)
    if not callable(found):
        raise SpecError(spec.path, key, f"{path} defines no function {function}()")
    return cast(Callable[..., Any], found)
