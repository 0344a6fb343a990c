"""Launches candidates on an NVIDIA GPU: the same MSL text, compiled by NVRTC.

The process of the evaluation holds the GPU; a candidate that faults there ends it, and it is replaced.
"""

import ctypes
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate.binding import Bound, bind, kernel_text, launch_of
from cu2mlx.refine.evaluate.device import NOT_A_NUMBER
from cu2mlx.refine.task import Task
from cu2mlx.runtime.cuda import nvrtc
from cu2mlx.runtime.cuda.compile import compile_kernel
from cu2mlx.runtime.cuda.driver import Argument, Driver, NoDriverError, Pointer, open_driver
from cu2mlx.runtime.cuda.executor import values
from cu2mlx.runtime.inputs import Inputs
from cu2mlx.runtime.protocol import Launch, Value
from cu2mlx.runtime.spec import Case

if TYPE_CHECKING:
    import numpy as np

LAUNCHES = 4  # in a row for one measurement: an event's resolution is half a microsecond


@dataclass(frozen=True, slots=True)
class CudaLauncher:
    driver: Driver

    @property
    def device(self) -> str:
        return f"{self.driver.name} (the MSL text through NVRTC)"

    def call(self, task: Task, candidate: Candidate, case: Case, data: Inputs) -> "CudaCall | None":
        """None where the case launches nothing. Raises CompileError."""
        launch, template = launch_of(task, candidate, case)
        if 0 in launch.grid:
            return None
        _, text = kernel_text(task, candidate, template)
        function = self.driver.function(compile_kernel(text, self.driver.architecture))
        bound = bind(task, data, fill=NOT_A_NUMBER)
        by_value = values(text)
        arguments: list[Argument] = []
        for index, argument in enumerate(bound.arguments):
            content = argument.data if isinstance(argument, Value) else argument.tobytes()
            arguments.append(content if index in by_value else self.driver.upload(content))
        # Dynamic shared memory is an array of the text's own: none is asked for at the launch.
        return CudaCall(self.driver, function, Launch(launch.grid, launch.block), arguments, bound)


@dataclass(frozen=True, slots=True)
class CudaCall:
    driver: Driver
    function: ctypes.c_void_p
    launch: Launch
    arguments: list[Argument]
    bound: Bound

    def seconds(self) -> float:
        """By the GPU's clock."""
        return self.driver.seconds(self.function, self.launch, self.arguments, LAUNCHES)

    def results(self) -> "dict[str, np.ndarray[Any, Any]]":
        """Of the first launch: outputs start as they were bound."""
        import numpy as np

        self.driver.launch(self.function, self.launch, self.arguments)
        self.driver.synchronize()
        for argument, array in zip(self.arguments[::-1], [*self.bound.written.values()][::-1], strict=False):
            assert isinstance(argument, Pointer)
            data = self.driver.download(argument, array.nbytes)
            array[...] = np.frombuffer(data, array.dtype).reshape(array.shape)
        return self.bound.results()

    def free(self) -> None:
        for argument in self.arguments:
            if isinstance(argument, Pointer):
                self.driver.free(argument)


def launcher_here() -> CudaLauncher | None:
    """The first NVIDIA GPU, None without one or without NVRTC."""
    try:
        nvrtc.load_library()
        return CudaLauncher(open_driver())
    except (NoDriverError, nvrtc.NoNvrtcError):
        return None
