"""Launches candidates on an NVIDIA GPU: the same MSL text, compiled by NVRTC.

The process of the evaluation holds the GPU; a candidate that faults there ends it, and it is replaced.
"""

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate.ahead import compile_ahead
from cu2mlx.refine.evaluate.binding import Bound, bind, kernel_text, launch_of
from cu2mlx.refine.evaluate.device import NOT_A_NUMBER, LaunchError
from cu2mlx.refine.task import Task
from cu2mlx.runtime.cuda import nvrtc
from cu2mlx.runtime.cuda.compile import compile_kernel
from cu2mlx.runtime.cuda.driver import Argument, CudaError, Driver, NoDriverError, Pointer, open_driver
from cu2mlx.runtime.cuda.executor import values
from cu2mlx.runtime.cuda.graph import Graph, Work, graph
from cu2mlx.runtime.cuda.nvrtc import Cubin
from cu2mlx.runtime.inputs import Inputs
from cu2mlx.runtime.protocol import KernelText, Launch, Value
from cu2mlx.runtime.spec import Case, cuda_kernel
from cu2mlx.transpiler.binding.signature import ZEROED_ROLES

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

COPIED_BYTES, COPIES = 256 << 20, 8


@dataclass(frozen=True, slots=True)
class CudaLauncher:
    driver: Driver

    @property
    def device(self) -> str:
        return f"{self.driver.name} (the MSL text through NVRTC)"

    def call(
        self, task: Task, candidate: Candidate, case: Case, data: Inputs, beside: "CudaCall | None" = None
    ) -> "CudaCall | None":
        """None where the case launches nothing. Raises CompileError."""
        launch, template = launch_of(task, candidate, case)
        if 0 in launch.grid:
            return None
        _, text = kernel_text(task, candidate, template)
        function = self.driver.function(self._compiled(text))
        bound = bind(task, data, fill=NOT_A_NUMBER, beside=None if beside is None else beside.bound)
        by_value = _values(text)
        shared = [] if beside is None else beside.work.arguments[: len(task.binding.inputs)]
        arguments: list[Argument] = []
        owned: list[Pointer] = []
        for index, argument in enumerate(bound.arguments):
            if index in by_value:
                arguments.append(_bytes(argument))
            elif index < len(shared):
                arguments.append(shared[index])
            else:
                owned.append(self.driver.upload(_bytes(argument)))
                arguments.append(owned[-1])
        # Dynamic shared memory is an array of the text's own: none is asked for at the launch.
        work = Work(function, Launch(launch.grid, launch.block), arguments)
        return CudaCall(self.driver, work, bound, tuple(owned))

    def compile(self, task: Task, candidate: Candidate, cases: Sequence[Case]) -> None:
        templates = [launch_of(task, candidate, case)[1] for case in cases]
        texts = [kernel_text(task, candidate, template)[1] for template in templates]
        compile_ahead(self._compiled, texts)

    def original(self, task: Task, data: Inputs) -> "OriginalCall | None":
        """The CUDA kernel itself. Raises CompileError."""
        if 0 in data.launch.grid:
            return None
        text = cuda_kernel(data.resolved, task.original)
        function = self.driver.function(self._compiled(text))
        arguments: list[Argument] = [
            each.data if isinstance(each, Value) else self.driver.upload(_bytes(each))
            for each in data.arguments
        ]
        return OriginalCall(self.driver, Work(function, data.launch, arguments))

    def stopwatch(self, calls: "Sequence[CudaCall | OriginalCall]") -> "CudaStopwatch":
        return CudaStopwatch(graph(self.driver, [each.work for each in calls]), calls)

    def _compiled(self, text: KernelText) -> Cubin:
        return compile_kernel(text, self.driver.architecture)

    def copy_bandwidth(self) -> float:
        """Bytes read and written per second by a copy in the GPU's memory."""
        places = [self.driver.upload(bytes(COPIED_BYTES)) for _ in range(2)]
        self.driver.copy_seconds(places[0], places[1], COPIED_BYTES, COPIES)  # the first ones are slower
        seconds = self.driver.copy_seconds(places[0], places[1], COPIED_BYTES, COPIES)
        _free(self.driver, places)
        return 2 * COPIED_BYTES / seconds


@dataclass(frozen=True, slots=True)
class CudaStopwatch:
    graph: Graph
    calls: "Sequence[CudaCall | OriginalCall]"

    def seconds(self) -> float:
        """By the GPU's clock. No output holds what it will hold."""
        for each in self.calls:
            each.reset()
        return self.graph.seconds()

    def free(self) -> None:
        self.graph.free()


@dataclass(frozen=True, slots=True)
class CudaCall:
    """`owned`: the memory that no other call uses."""

    driver: Driver
    work: Work
    bound: Bound
    owned: tuple[Pointer, ...]

    def results(self) -> "dict[str, Array]":
        """Of the first launch: outputs start as they were bound. Raises LaunchError."""
        try:
            self.driver.launch(self.work.function, self.work.launch, self.work.arguments)
        except CudaError as error:
            raise LaunchError(str(error)) from None
        self.driver.synchronize()
        return self.outputs()

    def outputs(self) -> "dict[str, Array]":
        """What launches so far have left."""
        self._download(self.bound.written)
        return self.bound.results()

    def reset(self) -> None:
        """Outputs as they were bound: zero where MLX zeroes them, else not a number."""
        buffers = self.bound.task.binding.outputs
        for argument, buffer in zip(self.work.arguments[-len(buffers) :], buffers, strict=True):
            if isinstance(argument, Pointer):
                byte = 0 if buffer.parameter.role in ZEROED_ROLES else NOT_A_NUMBER
                size = self.bound.written[buffer.name].nbytes
                self.driver.fill(argument, byte, size)

    def changed_inputs(self) -> list[str]:
        self._download(self.bound.read)
        return self.bound.changed_inputs()

    def _download(self, arrays: "Mapping[str, Array]") -> None:
        """What is now in the buffers of these arrays."""
        import numpy as np

        for argument, array in zip(self.work.arguments, self.bound.arguments, strict=True):
            if isinstance(argument, Pointer) and any(array is each for each in arrays.values()):
                assert isinstance(array, np.ndarray)
                data = self.driver.download(argument, array.nbytes)
                array[...] = np.frombuffer(data, array.dtype).reshape(array.shape)

    def free(self) -> None:
        _free(self.driver, self.owned)


@dataclass(frozen=True, slots=True)
class OriginalCall:
    driver: Driver
    work: Work

    def reset(self) -> None:
        """The original is not on trial: it may find its own outputs."""

    def free(self) -> None:
        _free(self.driver, self.work.arguments)


def _free(driver: Driver, arguments: Iterable[Argument]) -> None:
    for argument in arguments:
        if isinstance(argument, Pointer):
            driver.free(argument)


@functools.lru_cache(maxsize=64)
def _values(text: KernelText) -> frozenset[int]:
    return values(text)


def _bytes(argument: "Array | Value") -> bytes:
    return argument.data if isinstance(argument, Value) else argument.tobytes()


def launcher_here() -> CudaLauncher | None:
    """The first NVIDIA GPU, None without one or without NVRTC."""
    try:
        nvrtc.load_library()
        return CudaLauncher(open_driver())
    except (NoDriverError, nvrtc.NoNvrtcError):
        return None
