"""The process that holds the GPU: a kernel's illegal access ends its context, and with it only this process.

`python -m cu2mlx.runtime.cuda.worker` answers one JSON line on stdout for each JSON line on stdin:
  {"do": "describe"} → {"name", "architecture"} or {"unavailable"}
  {"do": "run", "cubin": path, "symbol", "grid", "block", "shared", "memory": path,
   "arguments": [{"at", "size"} for a buffer in the memory file, {"hex"} for a value]}
  → {"seconds"} with the buffers written back, or {"error"} after which the process ends.
"""

import json
import mmap
import sys
from pathlib import Path
from typing import Any

from cu2mlx.runtime.cuda.driver import Argument, CudaError, Driver, NoDriverError, Pointer, open_driver
from cu2mlx.runtime.cuda.nvrtc import Cubin
from cu2mlx.runtime.protocol import Launch


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
            _answer({"name": driver.name, "architecture": driver.architecture})
            continue
        try:
            _answer({"seconds": _run(driver, request)})
        except CudaError as error:
            _answer({"error": str(error)})
            return 1
    return 0


def _answer(what: dict[str, Any]) -> None:
    print(json.dumps(what), flush=True)


def _run(driver: Driver, request: dict[str, Any]) -> float:
    function = driver.function(Cubin(Path(request["cubin"]).read_bytes(), request["symbol"]))
    launch = Launch(tuple(request["grid"]), tuple(request["block"]), request["shared"])
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


if __name__ == "__main__":
    sys.exit(main())
