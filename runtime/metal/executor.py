"""The Metal executor: MSL texts on an Apple GPU, compiled and launched by mx.fast.metal_kernel.

Nothing in this file has run on Apple hardware; what needs no GPU is tested on Linux.
"""

import functools
import hashlib
import pickle
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from cu2mlx.runtime.emulate import PREAMBLE
from cu2mlx.runtime.isolate import Program, Stopped
from cu2mlx.runtime.metal import packing
from cu2mlx.runtime.metal.binding import Bound, bind
from cu2mlx.runtime.metal.messages import failure, is_compiler_error, own_lines
from cu2mlx.runtime.protocol import CompileError, KernelText, Launch, Loaded, Outcome, Status, Value
from cu2mlx.transpiler.binding.dtypes import ITEM_SIZE

if TYPE_CHECKING:
    import mlx.core as mx
    import numpy as np

    Array = np.ndarray[Any, Any]
    Kernel = Callable[..., list[mx.array]]

_PROBE = 1.0  # a second filling, to tell what a kernel leaves alone


class MetalExecutor:
    """Arguments follow the kernel's buffers in the order of their indices."""

    name = "metal"

    def unavailable(self) -> str | None:
        """Why nothing can run here: no MLX, or no Metal."""
        try:
            import mlx.core as mx
        except ImportError:
            return "mlx is not installed: pip install mlx"
        return None if mx.metal.is_available() else "no Metal here: it needs a Mac with Apple silicon"

    def load(self, kernel: KernelText, *, checked: bool = False) -> Loaded:
        """Compile a kernel: MLX does so at its first run, so a CompileError may come from there.

        Raises ValueError for CUDA text and for `checked`, which only the CPU machine has.
        """
        if kernel.language != "msl":
            raise ValueError("the original CUDA does not run on Metal; it runs on the CPU machine")
        if checked:
            raise ValueError("checked mode runs on the CPU machine; ask for --on cpu")
        if kernel.constants:
            raise CompileError("MLX sets no function constants; make them template arguments")
        return MetalKernel(kernel.text.removeprefix(PREAMBLE), bind(kernel.text, kernel.entry))


@dataclass(frozen=True, slots=True)
class MetalKernel:
    """`text` as MLX generates it, without the preamble; what MLX is given to generate it."""

    text: str
    bound: Bound

    def run(self, arguments: "Sequence[Array | Value]", launch: Launch, *, timeout: float = 60.0) -> Outcome:
        """Run once, in a process of its own; the outputs' arrays are updated in place when the status is OK.

        Raises CompileError with the text's lines: MLX compiles a kernel at its first run. `timeout` holds for
        both; macOS ends a command buffer after about ten seconds by itself.
        """
        packing.check_count(arguments, self.bound.inputs, self.bound.outputs)
        packing.threads_of(launch)
        with tempfile.TemporaryDirectory(prefix="cu2mlx-") as name:
            folder = Path(name)
            (folder / "request").write_bytes(pickle.dumps((self, list(arguments), launch)))
            worker = _worker()
            try:
                worker.send(name)
                worker.receive_line(time.monotonic() + timeout)
                answer = pickle.loads((folder / "answer").read_bytes())
            except TimeoutError:
                return Outcome(Status.TIMEOUT, f"the kernel did not end within {timeout:g} s")
            except Stopped as stopped:
                said = (folder / "said").read_text(errors="replace")
                if not is_compiler_error(said):
                    return failure(said or f"the kernel ended its process ({stopped})")
                answer = said
        if isinstance(answer, str):
            raise CompileError(own_lines(answer, self.text))
        outcome: Outcome = answer[0]
        for mine, theirs in zip(arguments, answer[1], strict=True):
            if not isinstance(mine, Value) and mine.flags.writeable:
                mine[...] = theirs
        return outcome

    def evaluated(self, arguments: "Sequence[Array | Value]", launch: Launch) -> Outcome:
        """`run` in this process, which may not survive it. Raises RuntimeError with MLX's message.

        MLX makes outputs afresh. What the kernel leaves alone keeps the array's value: found by a second run
        over other contents, unless an output starts at zero.
        """
        bound = self.bound
        outputs = [each for each in arguments[len(bound.inputs) :] if not isinstance(each, Value)]
        call = self.call(arguments, launch)
        first = packing.initial(outputs)
        started = time.perf_counter()
        made = self._evaluated(call, 0.0 if first is None else first)
        seconds = time.perf_counter() - started
        other = made if first is not None else self._evaluated(call, _PROBE)
        for array, each, one, two in zip(outputs, bound.outputs, made, other, strict=True):
            merge(array, one, two, ITEM_SIZE[each.dtype])
        return Outcome(Status.OK, seconds=seconds)

    def call(self, arguments: "Sequence[Array | Value]", launch: Launch) -> dict[str, Any]:
        """The keyword arguments of MLX's kernel, without `init_value`."""
        import mlx.core as mx

        bound = self.bound
        given = list(zip(bound.inputs, arguments, strict=False))
        made = list(zip(bound.outputs, arguments[len(bound.inputs) :], strict=True))
        grid, threadgroup = packing.threads_of(launch)
        template = [(name, getattr(mx, v) if isinstance(v, str) else v) for name, v in bound.template]
        return {
            "inputs": [packing.elements(argument, each.dtype) for each, argument in given],
            "output_shapes": [(packing.count(argument, each.dtype),) for each, argument in made],
            "output_dtypes": [getattr(mx, each.dtype) for each in bound.outputs],
            "grid": grid,
            "threadgroup": threadgroup,
            "template": template or None,
        }

    def kernel(self) -> "Kernel":
        """MLX's kernel; its name is one with its text."""
        import mlx.core as mx

        digest = hashlib.sha256(self.text.encode()).hexdigest()[:12]
        return cast(
            "Kernel",
            mx.fast.metal_kernel(
                name=f"cu2mlx_{digest}",
                input_names=[each.name for each in self.bound.inputs],
                output_names=[each.name for each in self.bound.outputs],
                source=self.bound.body,
                header=self.bound.header,
            ),
        )

    def _evaluated(self, call: dict[str, Any], init_value: float) -> list[bytes]:
        import mlx.core as mx

        made = self.kernel()(**call, init_value=init_value)
        mx.eval(made)
        return [packing.stored(each) for each in made]


@functools.cache
def _worker() -> Program:
    return Program([sys.executable, "-m", "cu2mlx.runtime.metal.worker"])


def merge(array: "Array", one: bytes, two: bytes, size: int) -> None:
    """Take over the elements of `size` bytes in which two runs agree: the kernel wrote those."""
    import numpy as np

    first = np.frombuffer(one, np.uint8).reshape(-1, size)
    second = np.frombuffer(two, np.uint8).reshape(-1, size)
    flat = array.reshape(-1).view(np.uint8)
    before = flat[: first.size].reshape(-1, size)
    same = (first == second).all(axis=1, keepdims=True)
    flat[: first.size] = np.where(same, first, before).reshape(-1)
