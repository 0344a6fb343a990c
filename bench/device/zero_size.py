"""What MLX itself does with zero-size arrays, without any kernel of ours.

python bench/device/zero_size.py [--out FOLDER]

Each probe runs in a process of its own, since some end it. Writes zero_size.json.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import mlx.core as mx


def where() -> object:
    empty = mx.zeros((0, 3))
    return mx.where(mx.array(True), empty, mx.zeros_like(empty))


def compiled_where() -> object:
    return mx.compile(lambda a: mx.where(mx.array(True), a, mx.zeros_like(a)))(mx.zeros((0, 3)))


def compiled_add() -> object:
    return mx.compile(lambda a: (a + 1) * 2)(mx.zeros((0, 3)))


def pad() -> object:
    return mx.pad(mx.zeros((0, 3)).flatten(), (0, 8))


def kernel(shape: tuple[int, ...]) -> object:
    """A kernel that writes nothing, with an output of this shape beside one of eight elements."""
    made = mx.fast.cuda_kernel(
        name="nothing", input_names=["a"], output_names=["b", "c"], source="c[0] = a[0];"
    )
    return made(
        inputs=[mx.zeros((8,))],
        output_shapes=[shape, (8,)],
        output_dtypes=[mx.float32, mx.float32],
        grid=(1, 1, 1),
        threadgroup=(1, 1, 1),
        init_value=0,
    )


def kernel_with_empty_output() -> object:
    return kernel((0, 3))


def kernel_with_full_output() -> object:
    return kernel((8, 3))


PROBES: dict[str, Callable[[], object]] = {
    each.__name__: each
    for each in (where, compiled_where, compiled_add, pad, kernel_with_empty_output, kernel_with_full_output)
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("bench/results"))
    parser.add_argument("--probe", choices=PROBES)
    options = parser.parse_args()
    if options.probe:
        mx.eval(PROBES[options.probe]())
        print("ok")
        return 0
    record: dict[str, object] = {"mlx": mx.__version__, "device": str(mx.default_device())}
    for name in PROBES:
        ran = subprocess.run(
            [sys.executable, __file__, "--probe", name], capture_output=True, text=True, check=False
        )
        record[name] = "works" if ran.returncode == 0 else f"{ran.returncode}: {ran.stderr[-200:]}".strip()
        print(name, record[name], flush=True)
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "zero_size.json").write_text(json.dumps(record, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
