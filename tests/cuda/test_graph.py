"""Launches as a CUDA graph, against a driver that only writes down what it is asked."""

import ctypes
from typing import Any, cast

from cu2mlx.runtime.cuda.driver import Driver, Pointer
from cu2mlx.runtime.cuda.graph import Work, graph
from cu2mlx.runtime.protocol import Launch


class Recorder:
    """Answers every function with success. Handles are numbered; kernel nodes are read as the driver would."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.nodes: list[dict[str, Any]] = []

    def __getattr__(self, name: str) -> Any:
        def function(*arguments: Any) -> int:
            self.calls.append(name)
            if name == "cuGraphAddKernelNode":
                self._add(*arguments)
            elif name in ("cuGraphCreate", "cuGraphInstantiateWithFlags", "cuEventCreate"):
                arguments[0]._obj.value = len(self.calls)
            elif name == "cuEventElapsedTime":
                arguments[0]._obj.value = 6.0
            return 0

        return function

    def _add(self, node: Any, made: Any, after: Any, count: Any, parameters: Any) -> None:
        raw = bytes(parameters._obj)
        words = [int.from_bytes(raw[8 + 4 * i : 12 + 4 * i], "little") for i in range(7)]
        cells = ctypes.cast(int.from_bytes(raw[40:48], "little"), ctypes.POINTER(ctypes.c_void_p))
        node._obj.value = 1000 + len(self.nodes)
        self.nodes.append(
            {
                "function": int.from_bytes(raw[:8], "little"),
                "grid": tuple(words[:3]),
                "block": tuple(words[3:6]),
                "shared": words[6],
                "after": after[0] if count.value else None,
                "first": ctypes.cast(cells[0], ctypes.POINTER(ctypes.c_uint64))[0],
                "second": ctypes.cast(cells[1], ctypes.POINTER(ctypes.c_int32))[0],
            }
        )


def test_launches_follow_one_another() -> None:
    recorder = Recorder()
    driver = Driver(cast(ctypes.CDLL, recorder), "fake", "sm_90")
    works = [
        Work(
            ctypes.c_void_p(77 + number),
            Launch((number + 1, 2, 3), (32, 4, 1), 128),
            [Pointer(1 << 40 | number), (-number).to_bytes(4, "little", signed=True)],
        )
        for number in range(3)
    ]
    made = graph(driver, works)
    assert recorder.calls.count("cuLaunchKernel") == 3  # each ran once before
    assert [node["after"] for node in recorder.nodes] == [None, 1000, 1001]
    for number, node in enumerate(recorder.nodes):
        assert node["function"] == 77 + number and node["shared"] == 128
        assert (node["grid"], node["block"]) == ((number + 1, 2, 3), (32, 4, 1))
        assert (node["first"], node["second"]) == (1 << 40 | number, -number)
    assert made.seconds() == 6e-3 / 3
    assert recorder.calls.count("cuGraphLaunch") == 1
    made.free()
    assert recorder.calls[-2:] == ["cuGraphExecDestroy", "cuGraphDestroy"]
