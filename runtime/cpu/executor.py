"""The CPU machine: kernels compiled as C++, one fiber per GPU thread, run in a process of their own."""

import functools
import mmap
import os
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cu2mlx.runtime.cpu import cuda_source, msl_source
from cu2mlx.runtime.cpu.compiler import NoCompilerError, build_host, build_kernel, find_compiler
from cu2mlx.runtime.cpu.findings import Finding, faults
from cu2mlx.runtime.isolate import Program, Stopped
from cu2mlx.runtime.protocol import Fault, KernelText, Launch, Loaded, Outcome, Status, Value

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

_PAGE = 65536  # each buffer starts on one: a multiple of every system's page size
_LIMIT_THREADS = 1024
_BUILDING = threading.Lock()  # kernels may be loaded side by side; the host is built once
_LAST_WORDS = ("crash", "memory", "left")  # answers after which the host ends


class CpuExecutor:
    """Runs MSL and CUDA texts without a GPU.

    Arguments follow the kernel's parameters. For MSL: its buffer parameters in the order of their indices;
    a Value stands for a buffer that holds it. `memory` caps the address space of the host process, bytes.
    """

    name = "cpu"

    def __init__(self, *, threads: int | None = None, memory: int = 64 << 30) -> None:
        self._threads = threads or os.cpu_count() or 1
        self._memory = memory

    def unavailable(self) -> str | None:
        """Why nothing can run here: no C++ compiler."""
        try:
            find_compiler()
        except NoCompilerError as error:
            return str(error)
        return None

    def load(self, kernel: KernelText, *, checked: bool = False) -> Loaded:
        """Compile a kernel, or find it compiled. Raises CompileError, NoCompilerError."""
        library = build_kernel(_unit(kernel), checked=checked)
        with _BUILDING:
            host = _host(self._memory)
        return _CpuKernel(library, kernel.language, checked, self._threads, host)


@functools.lru_cache(maxsize=64)
def _unit(kernel: KernelText) -> str:
    """A kernel is loaded for each run of it; its text is read once."""
    if kernel.language == "cuda":
        return cuda_source.translation_unit(kernel.text, kernel.entry)
    return msl_source.translation_unit(kernel.text, kernel.entry, dict(kernel.constants))


@functools.cache
def _host(memory: int) -> Program:
    return Program([str(build_host()), str(memory)])


@dataclass(frozen=True, slots=True)
class _CpuKernel:
    library: Path
    language: str
    checked: bool
    threads: int
    host: Program

    def run(self, arguments: "Sequence[Array | Value]", launch: Launch, *, timeout: float = 60.0) -> Outcome:
        """Run once; arrays that can be written are updated in place when the status is OK or FAULT."""
        _check_launch(launch)
        with _Buffers(arguments, values_in_memory=self.language == "msl") as buffers:
            request = [
                "run", str(self.library), str(int(self.checked)), str(int(self.language == "cuda")),
                str(self.threads), *map(str, (*launch.grid, *launch.block, *_threads(launch))),
                str(launch.shared_bytes), buffers.path, *buffers.fields,
            ]  # fmt: skip
            with self.host.lock:
                outcome = self._ask("\t".join(request), timeout)
            if outcome.status in (Status.OK, Status.FAULT):
                buffers.copy_back()
        return outcome

    def _ask(self, request: str, timeout: float) -> Outcome:
        deadline = time.monotonic() + timeout
        findings: list[Finding] = []
        output = ""
        try:
            self.host.send(request)
            while True:
                kind, *rest = self.host.receive_line(deadline).split("\t")
                if kind == "finding":
                    findings.append(Finding(*rest))
                elif kind == "output":
                    output = self.host.receive_bytes(int(rest[0]), deadline).decode(errors="replace")
                else:
                    break
        except TimeoutError:
            return Outcome(Status.TIMEOUT, f"the kernel did not end within {timeout:g} s")
        except Stopped as stopped:
            return Outcome(Status.CRASH, f"the kernel ended its process ({stopped})")
        if kind in _LAST_WORDS:
            self.host.close()
        found = tuple(faults(self.library, findings))
        if kind == "bad":
            raise ValueError(rest[0])
        if kind == "memory":
            return Outcome(Status.OUT_OF_MEMORY, "the kernel needs more memory than allowed", found)
        if kind == "crash":
            return Outcome(Status.CRASH, rest[0], found, output=output)
        status = Status.FAULT if found else Status.OK
        return Outcome(status, _summary(found), found, float(rest[0]), output)


def _summary(found: Sequence[Fault]) -> str:
    return "" if not found else f"{len(found)} fault{'s' * (len(found) > 1)}, first: {found[0].message}"


def _threads(launch: Launch) -> tuple[int, ...]:
    full = tuple(groups * size for groups, size in zip(launch.grid, launch.block, strict=True))
    return tuple(map(min, full, launch.threads)) if launch.threads else full


def _check_launch(launch: Launch) -> None:
    threads = launch.block[0] * launch.block[1] * launch.block[2]
    if not 0 < threads <= _LIMIT_THREADS:
        raise ValueError(
            f"a block of {launch.block} has {threads} threads; a GPU takes 1 to {_LIMIT_THREADS}"
        )
    if any(not 0 <= groups * size < 1 << 32 for groups, size in zip(launch.grid, launch.block, strict=True)):
        raise ValueError(f"grid {launch.grid}: each dimension must have fewer than 2^32 threads")
    if not 0 <= launch.shared_bytes <= 1 << 20:
        raise ValueError(f"{launch.shared_bytes} bytes of dynamic shared memory: no GPU has that")


class _Buffers:
    """The arguments in a file that the host maps; an array given twice is one buffer."""

    def __init__(self, arguments: "Sequence[Array | Value]", *, values_in_memory: bool) -> None:
        import numpy as np

        self.fields: list[str] = []
        self._arrays: list[tuple[Array, int]] = []
        contents: list[tuple[int, Array]] = []
        places: dict[int, int] = {}
        end = 0
        for argument in arguments:
            if isinstance(argument, Value) and not values_in_memory:
                self.fields.append("v " + argument.data.hex())
                continue
            if isinstance(argument, Value):
                data = np.frombuffer(argument.data, np.uint8)
            else:
                data = np.ascontiguousarray(argument)
            if id(argument) not in places:
                places[id(argument)] = end
                contents.append((end, data))
                if not isinstance(argument, Value) and argument.flags.writeable:
                    self._arrays.append((argument, end))
                end += -(-data.nbytes // _PAGE) * _PAGE
            self.fields.append(f"b {places[id(argument)]} {data.nbytes}")
        folder = "/dev/shm" if Path("/dev/shm").is_dir() else None
        self._file = tempfile.NamedTemporaryFile(prefix="cu2mlx-", dir=folder)  # noqa: SIM115
        self.path = self._file.name
        os.truncate(self.path, max(end, _PAGE))
        self._map = mmap.mmap(self._file.fileno(), max(end, _PAGE))
        for offset, data in contents:
            self._view(data.dtype, data.shape, offset)[...] = data

    def _view(self, dtype: "np.dtype[Any]", shape: tuple[int, ...], offset: int) -> "Array":
        import numpy as np

        return np.ndarray(shape, dtype, buffer=self._map, offset=offset)

    def copy_back(self) -> None:
        """Give the arrays what the kernel wrote."""
        for array, offset in self._arrays:
            if array.size:
                array[...] = self._view(array.dtype, array.shape, offset)

    def __enter__(self) -> "_Buffers":
        return self

    def __exit__(self, *_: object) -> None:
        self._map.close()
        self._file.close()
