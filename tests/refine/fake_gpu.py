"""An NVIDIA driver without a GPU: kernels run on the CPU machine, and work takes as long as a test says."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cu2mlx.runtime import protocol
from cu2mlx.runtime.cpu.executor import CpuExecutor
from cu2mlx.runtime.cuda.driver import Argument, Pointer
from cu2mlx.runtime.protocol import KernelText, Launch, Value


@dataclass
class FakeDriver:
    """The driver's methods over memory that is a dictionary. Work takes a microsecond for each launch."""

    name: str = "fake GPU"
    architecture: str = "sm_90"
    memory: dict[int, bytearray] = field(default_factory=dict)
    uploads: int = 0
    launches: list[KernelText] = field(default_factory=list)
    pace: float = 1e-6  # seconds of a launch

    def function(self, text: KernelText) -> Any:
        return Function(text)

    def upload(self, data: bytes) -> Pointer:
        self.uploads += 1
        address = self.uploads << 8
        self.memory[address] = bytearray(data)
        return Pointer(address)

    def download(self, pointer: Pointer, size: int) -> bytes:
        return bytes(self.memory[pointer.address][:size])

    def fill(self, pointer: Pointer, byte: int, size: int) -> None:
        self.memory[pointer.address][:size] = bytes([byte]) * size

    def free(self, pointer: Pointer) -> None:
        del self.memory[pointer.address]

    def launch(self, function: Any, launch: Launch, arguments: Sequence[Argument]) -> None:
        self.launches.append(function.text)
        arrays = {
            place: np.frombuffer(self.memory[each.address], np.uint8)
            for place, each in enumerate(arguments)
            if isinstance(each, Pointer)
        }
        given = [
            Value(each) if isinstance(each, bytes) else arrays[place] for place, each in enumerate(arguments)
        ]
        outcome = CpuExecutor().load(function.text).run(given, launch)
        assert outcome.status is protocol.Status.OK, outcome.message

    def synchronize(self) -> None: ...

    def call(self, function: str, *arguments: Any) -> None: ...

    def timed(self, start: Callable[[], None], count: int) -> float:
        start()
        return self.pace

    def seconds(self, function: Any, launch: Launch, arguments: Sequence[Argument], count: int) -> float:
        return self.timed(lambda: self.launch(function, launch, arguments), count)

    def copy_seconds(self, source: Pointer, target: Pointer, size: int, count: int) -> float:
        return 1e-3


@dataclass
class Function:
    """A function handle: `value` is what the driver would call."""

    text: KernelText
    value: int = 1
