"""The CUDA executor: MSL and original CUDA texts on an NVIDIA GPU, in a process of its own."""

import functools
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from cu2mlx.runtime.cuda import nvrtc
from cu2mlx.runtime.cuda.compile import compile_kernel
from cu2mlx.runtime.cuda.msl_source import is_value
from cu2mlx.runtime.cuda.nvrtc import Cubin, NoNvrtcError
from cu2mlx.runtime.isolate import Program, Stopped
from cu2mlx.runtime.msl.kernels import find_kernel
from cu2mlx.runtime.protocol import CompileError, KernelText, Launch, Loaded, Outcome, Status, Value

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

_ALIGNMENT = 256
_START = 60.0  # seconds that the driver may take to start


@dataclass(frozen=True, slots=True)
class CudaExecutor:
    """Runs kernels inside MLX where it has a CUDA back end, else (or with `driver_only`) through the driver.

    Arguments follow the kernel's parameters; for MSL its buffers in the order of their indices.

    A Value is passed by value. A [[buffer]] that MSL takes as a const reference is passed by value too, whether
    it comes as a Value or as an array.
    """

    driver_only: bool = False
    name: ClassVar[str] = "cuda"

    def unavailable(self) -> str | None:
        """Why nothing can run here: no driver, no GPU, no NVRTC."""
        try:
            nvrtc.load_library()
        except NoNvrtcError as error:
            return str(error)
        answer = _ask({"do": "describe"}, _START)
        return str(answer["unavailable"]) if "unavailable" in answer else None

    def device(self) -> str:
        """The GPU's name, where there is one, and what launches kernels there."""
        answer = _ask({"do": "describe"}, _START)
        reason = "as asked" if self.driver_only else answer["driver_only"]
        return f"{answer['name']}, {f'through the driver ({reason})' if reason else 'inside MLX'}"

    def load(self, kernel: KernelText, *, checked: bool = False) -> Loaded:
        """Compile a kernel, or find it compiled. Raises CompileError, NoNvrtcError; ValueError for `checked`,
        which only the CPU machine has."""
        if checked:
            raise ValueError("checked mode runs on the CPU machine; ask for --on cpu")
        here = _ask({"do": "describe"}, _START)
        if not self.driver_only and here["driver_only"] is None:
            return MlxKernel(kernel)
        cubin = compile_kernel(kernel, str(here["architecture"]))
        by_value = values(kernel) if kernel.language == "msl" else frozenset()
        return CudaKernel(cubin, kernel.language, by_value)


def values(kernel: KernelText) -> frozenset[int]:
    """Places among an MSL kernel's buffers of those that it takes as const references."""
    found, _ = find_kernel(kernel.text, kernel.entry)
    return frozenset(place for place, buffer in enumerate(found.buffers()) if is_value(buffer))


@functools.cache
def _worker() -> Program:
    return Program([sys.executable, "-m", "cu2mlx.runtime.cuda.worker"])


def _ask(request: dict[str, Any], seconds: float) -> dict[str, Any]:
    worker = _worker()
    worker.send(json.dumps(request))
    answer: dict[str, Any] = json.loads(worker.receive_line(time.monotonic() + seconds))
    return answer


@dataclass(frozen=True, slots=True)
class CudaKernel:
    """A kernel that the driver launches."""

    cubin: Cubin
    language: str
    by_value: frozenset[int]

    def run(self, arguments: "Sequence[Array | Value]", launch: Launch, *, timeout: float = 60.0) -> Outcome:
        """Run once; arrays that can be written are updated in place when the status is OK.

        Raises ValueError for a launch in partial blocks (`threads`), which CUDA has not.
        """
        full_blocks(launch)
        with tempfile.TemporaryDirectory(prefix="cu2mlx-") as folder:
            code, memory = Path(folder) / "cubin", Path(folder) / "memory"
            code.write_bytes(self.cubin.code)
            fields, places = write(memory, arguments, self.by_value, values_in_memory=self.language == "msl")
            kernel = {"do": "run", "cubin": str(code), "symbol": self.cubin.symbol}
            return _outcome(kernel | _call(launch, memory, fields), places, memory, timeout)


@dataclass(frozen=True, slots=True)
class MlxKernel:
    """A kernel as an operation of MLX's, which compiles it for the arguments it gets."""

    kernel: KernelText

    def run(self, arguments: "Sequence[Array | Value]", launch: Launch, *, timeout: float = 60.0) -> Outcome:
        """As CudaKernel.run; arrays that cannot be written are inputs of MLX's. Raises CompileError too."""
        full_blocks(launch)
        with tempfile.TemporaryDirectory(prefix="cu2mlx-") as folder:
            memory = Path(folder) / "memory"
            fields, places = write(memory, arguments, frozenset(), values_in_memory=False)
            kernel = {"do": "run in mlx", "kernel": astuple(self.kernel)}
            return _outcome(kernel | _call(launch, memory, fields), places, memory, timeout)


def _call(launch: Launch, memory: Path, fields: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "grid": launch.grid, "block": launch.block, "shared": launch.shared_bytes, "memory": str(memory),
        "arguments": fields,
    }  # fmt: skip


def _outcome(
    request: dict[str, Any], places: "Sequence[tuple[Array, int]]", memory: Path, timeout: float
) -> Outcome:
    """What the worker makes of a run. Raises CompileError."""
    try:
        answer = _ask(request, timeout)
    except TimeoutError:
        return Outcome(Status.TIMEOUT, f"the kernel did not end within {timeout:g} s")
    except Stopped as stopped:
        return Outcome(Status.CRASH, f"the kernel ended its process ({stopped})")
    if "compile_error" in answer:
        raise CompileError(answer["compile_error"])
    if "error" in answer:
        _worker().close()
        memory_ran_out = "OUT_OF_MEMORY" in answer["error"]
        return Outcome(Status.OUT_OF_MEMORY if memory_ran_out else Status.CRASH, answer["error"])
    read_back(memory, places)
    return Outcome(Status.OK, seconds=float(answer["seconds"]))


def full_blocks(launch: Launch) -> None:
    """Raises ValueError for a launch in partial blocks (`threads`), which CUDA has not."""
    full = tuple(groups * size for groups, size in zip(launch.grid, launch.block, strict=True))
    if launch.threads is not None and tuple(map(min, full, launch.threads)) != full:
        raise ValueError(f"a grid of {launch.threads} threads is no multiple of the block {launch.block}")


def write(
    path: Path, arguments: "Sequence[Array | Value]", by_value: frozenset[int], *, values_in_memory: bool
) -> "tuple[list[dict[str, Any]], list[tuple[Array, int]]]":
    """The arguments' bytes in a file; how the worker finds each; the arrays to update. An array given twice is
    one buffer. `values_in_memory`: a Value stands for a buffer that holds it."""
    import numpy as np

    fields: list[dict[str, Any]] = []
    places: dict[int, int] = {}
    writable: list[tuple[Array, int]] = []
    end = 0
    with path.open("wb") as file:
        for index, argument in enumerate(arguments):
            is_value = isinstance(argument, Value)
            data = argument.data if isinstance(argument, Value) else np.ascontiguousarray(argument).tobytes()
            if index in by_value or (is_value and not values_in_memory):
                fields.append({"hex": data.hex()})
                continue
            if id(argument) not in places:
                places[id(argument)] = end
                file.seek(end)
                file.write(data)
                if not isinstance(argument, Value) and argument.flags.writeable:
                    writable.append((argument, end))
                end += max(-(-len(data) // _ALIGNMENT), 1) * _ALIGNMENT
            written = not isinstance(argument, Value) and argument.flags.writeable
            fields.append({"at": places[id(argument)], "size": len(data), "written": written})
        file.truncate(max(end, _ALIGNMENT))
    return fields, writable


def read_back(path: Path, places: "Sequence[tuple[Array, int]]") -> None:
    import numpy as np

    with path.open("rb") as file:
        for array, at in places:
            file.seek(at)
            array[...] = np.frombuffer(file.read(array.nbytes), array.dtype).reshape(array.shape)
