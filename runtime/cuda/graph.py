"""Launches as one CUDA graph, so that the GPU's time between them is not this process's."""

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass

from cu2mlx.runtime.cuda.driver import Argument, Driver, cell
from cu2mlx.runtime.protocol import Launch


class _KernelNode(ctypes.Structure):
    """CUDA_KERNEL_NODE_PARAMS."""

    _fields_ = (
        ("function", ctypes.c_void_p),
        ("grid", ctypes.c_uint * 3),
        ("block", ctypes.c_uint * 3),
        ("shared_bytes", ctypes.c_uint),
        ("parameters", ctypes.POINTER(ctypes.c_void_p)),
        ("extra", ctypes.POINTER(ctypes.c_void_p)),
    )


@dataclass(frozen=True, slots=True)
class Work:
    """One launch. Its arguments must live as long as the graph."""

    function: ctypes.c_void_p
    launch: Launch
    arguments: Sequence[Argument]


@dataclass(frozen=True, slots=True)
class Graph:
    """Launches that run one after the other."""

    driver: Driver
    graph: ctypes.c_void_p
    executable: ctypes.c_void_p
    count: int

    def seconds(self) -> float:
        """The GPU's time for one launch, the gap to the next one included."""
        started = self.driver.timed(lambda: self.driver.call("cuGraphLaunch", self.executable, None), 1)
        return started / self.count

    def free(self) -> None:
        self.driver.call("cuGraphExecDestroy", self.executable)
        self.driver.call("cuGraphDestroy", self.graph)


def graph(driver: Driver, works: Sequence[Work]) -> Graph:
    """Each launch has run once before it is part of the graph: errors come up here. Raises CudaError."""
    for work in works:
        driver.launch(work.function, work.launch, work.arguments)
    driver.synchronize()
    made, executable = ctypes.c_void_p(), ctypes.c_void_p()
    driver.call("cuGraphCreate", ctypes.byref(made), 0)
    before: ctypes.c_void_p | None = None
    for work in works:
        node = ctypes.c_void_p()
        after = (ctypes.c_void_p * 1)(before)
        cells = [cell(each) for each in work.arguments]
        pointers = (ctypes.c_void_p * max(len(cells), 1))(*(ctypes.addressof(each) for each in cells))
        launch = work.launch
        node_parameters = _KernelNode(
            work.function.value,
            (ctypes.c_uint * 3)(*launch.grid),
            (ctypes.c_uint * 3)(*launch.block),
            launch.shared_bytes,
            ctypes.cast(pointers, ctypes.POINTER(ctypes.c_void_p)),
            None,
        )
        number = ctypes.c_size_t(0 if before is None else 1)
        driver.call(
            "cuGraphAddKernelNode", ctypes.byref(node), made, after, number, ctypes.byref(node_parameters)
        )
        before = node
    driver.call("cuGraphInstantiateWithFlags", ctypes.byref(executable), made, ctypes.c_ulonglong(0))
    return Graph(driver, made, executable, len(works))
