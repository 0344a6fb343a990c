"""The process that runs kernels on Metal: MLX ends its process where Metal's compiler or the GPU fails.

`python -m cu2mlx.runtime.metal.worker` reads the path of a folder from each line of stdin. `request` there is a
pickled MetalKernel with its arguments and launch; it leaves the pickled answer in `answer`, what was said on
stderr in `said`, and prints a line.
"""

import os
import pickle
import sys
from pathlib import Path

from cu2mlx.runtime.metal.messages import failure, is_compiler_error


def main() -> int:
    """Serve until stdin ends."""
    for line in sys.stdin:
        serve(Path(line.rstrip("\n")))
        print("done", flush=True)
    return 0


def serve(folder: Path) -> None:
    """Run one request: the answer is (Outcome, arrays as the kernel left them), or the compiler's message."""
    said = os.open(folder / "said", os.O_WRONLY | os.O_CREAT)
    os.dup2(said, 2)
    os.close(said)
    kernel, arguments, launch = pickle.loads((folder / "request").read_bytes())
    answer: object
    try:
        answer = kernel.evaluated(arguments, launch), arguments
    except RuntimeError as error:
        answer = str(error) if is_compiler_error(str(error)) else (failure(str(error)), arguments)
    (folder / "answer").write_bytes(pickle.dumps(answer))


if __name__ == "__main__":
    sys.exit(main())
