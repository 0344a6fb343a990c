"""The process that holds the GPU: a kernel's illegal access ends its context, and with it only this process.

`python -m cu2mlx.runtime.cuda.worker` answers one JSON line on stdout for each JSON line on stdin:
  {"do": "describe"} → {"name", "architecture", "driver_only": why not inside MLX, or null} or {"unavailable"}
  {"do": "run", "cubin": path, "symbol", "grid", "block", "shared", "memory": path,
   "arguments": [{"at", "size", "written"} for a buffer in the memory file, {"hex"} for a value]}
  → {"seconds"} with the buffers written back, or {"error"} after which the process ends.
  {"do": "run in mlx", "kernel": KernelText's fields, and the rest as above, without a cubin} → the same,
   or {"compile_error"}.
"""

import json
import mmap
import sys
import time
from pathlib import Path
from typing import Any

from cu2mlx.runtime.cuda import mlx_operation
from cu2mlx.runtime.cuda.driver import Argument, CudaError, Driver, NoDriverError, Pointer, open_driver
from cu2mlx.runtime.cuda.mlx_operation import Changed, MlxOperation
from cu2mlx.runtime.cuda.nvrtc import Cubin
from cu2mlx.runtime.protocol import CompileError, KernelText, Launch, Value


def main() -> int:
    """Serve until stdin ends or a kernel fails."""
    try:
        driver = open_driver()
    except NoDriverError as error:
        for _ in sys.stdin:
            _answer({"unavailable": str(error)})
        return 0
    for line in sys.stdin:
        request = json.loads(line)
        if request["do"] == "describe":
            reason = mlx_operation.unavailable()
            _answer({"name": driver.name, "architecture": driver.architecture, "driver_only": reason})
            continue
        try:
            seconds = _run(driver, request) if request["do"] == "run" else run_in_mlx(request)
            _answer({"seconds": seconds})
        except CompileError as error:
            _answer({"compile_error": str(error)})
        except (CudaError, RuntimeError, ValueError) as error:  # MLX raises RuntimeError where CUDA fails
            _answer({"error": str(error)})
            return 1
    return 0


def _answer(what: dict[str, Any]) -> None:
    print(json.dumps(what), flush=True)


def _launch(request: dict[str, Any]) -> Launch:
    return Launch(tuple(request["grid"]), tuple(request["block"]), request["shared"])


def _run(driver: Driver, request: dict[str, Any]) -> float:
    function = driver.function(Cubin(Path(request["cubin"]).read_bytes(), request["symbol"]))
    launch = _launch(request)
    with Path(request["memory"]).open("r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
        places: dict[int, Pointer] = {}
        sizes: dict[int, int] = {}
        arguments: list[Argument] = []
        for each in request["arguments"]:
            if "hex" in each:
                arguments.append(bytes.fromhex(each["hex"]))
                continue
            at, size = each["at"], each["size"]
            if at not in places:
                places[at], sizes[at] = driver.upload(memory[at : at + size]), size
            arguments.append(places[at])
        seconds = driver.seconds(function, launch, arguments, 1)
        driver.synchronize()
        for at, pointer in places.items():
            memory[at : at + sizes[at]] = driver.download(pointer, sizes[at])
            driver.free(pointer)
    return seconds


def run_in_mlx(request: dict[str, Any]) -> float:
    """Seconds that MLX took for the kernel, with the copies around what it changes in place."""
    import mlx.core as mx
    import numpy as np

    language, text, entry, constants = request["kernel"]
    operation = MlxOperation(KernelText(language, text, entry, tuple(map(tuple, constants))))
    with Path(request["memory"]).open("r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
        arrays: dict[int, mx.array] = {}
        written: list[tuple[int, int]] = []
        arguments: list[mx.array | Changed | Value] = []
        for each in request["arguments"]:
            if "hex" in each:
                arguments.append(Value(bytes.fromhex(each["hex"])))
                continue
            at, size = each["at"], each["size"]
            if at not in arrays:
                arrays[at] = mx.array(np.frombuffer(memory[at : at + size], np.uint8))
            arguments.append(Changed(arrays[at]) if each["written"] else arrays[at])
            written += [(at, size)] if each["written"] else []
        mx.eval(list(arrays.values()))
        made = operation(arguments, _launch(request))
        started = time.perf_counter()
        mx.eval(made)
        seconds = time.perf_counter() - started
        for (at, size), output in zip(written, made, strict=True):
            memory[at : at + size] = np.array(output).tobytes()
    return seconds


if __name__ == "__main__":
    sys.exit(main())
