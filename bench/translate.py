"""How fast `cu2mlx translate` is: python bench/translate.py [--runs N]

Whole processes for one kernel (start-up counts), one file of 100 kernels against one of 10, and source per
second without the check; ten times as much of one thing in a file. Prints the medians, the best rate and the
limits the project holds itself to.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parent.parent
SEED = ROOT / "seeds" / "softmax" / "softmax.cu"
KERNEL = """
__device__ float scale_{i}(float v, float a) {{ return v * a + {i}.0f; }}

// Kernel {i}: a row reduction through shared memory.
__global__ void rows_{i}(const float* __restrict__ x, float* __restrict__ y, int n, float a) {{
  __shared__ float partial[256];
  float sum = 0.0f;
  for (int j = threadIdx.x; j < n; j += blockDim.x) sum += expf(scale_{i}(x[blockIdx.x * n + j], a));
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (int step = blockDim.x / 2; step > 0; step /= 2) {{
    if (threadIdx.x < step) partial[threadIdx.x] += partial[threadIdx.x + step];
    __syncthreads();
  }}
  if (threadIdx.x == 0) y[blockIdx.x] = logf(partial[0]);
}}
"""


def seconds(command: list[str], compiled: Path) -> float:
    """Wall-clock time of a whole process. Like an installed one it finds its modules compiled, in a folder."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = str(compiled)
    started = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env=environment)
    return time.perf_counter() - started


def translation_rate() -> float:
    """MB of source per second of CPU time that `translate` takes inside one process: all seeds and 100 kernels."""
    from cu2mlx.transpiler.pipeline import translate
    from cu2mlx.transpiler.source import SourceFile, read_source

    sources = [read_source(path) for path in sorted(ROOT.glob("seeds/*/*.cu"))]
    sources.append(SourceFile("kernels.cu", "".join(KERNEL.format(i=i) for i in range(100))))
    translate(sources[0])
    started = time.process_time()
    for source in sources:
        translate(source)
    taken = time.process_time() - started
    return sum(len(source.text) for source in sources) / taken / 1e6


HEAD = "__global__ void k(const float* x, float* y, int n) {\n  int i = threadIdx.x;\n  float v = x[i];\n"


def _kernel(statements: Iterable[str]) -> str:
    return f"{HEAD}{''.join(statements)}  y[i] = v;\n}}\n"


def long_sources(count: int) -> dict[str, str]:
    """Files with so many of one thing."""
    each = range(count)
    helper = "__device__ float h{0}(const float* p, float a) {{ return p[{0}] * a; }}\n".format
    template = "template <typename T, int N> __device__ T t{0}(const T* p) {{ return p[N]; }}\n".format
    record = "struct R{0} {{ float a; __device__ float get(float b) {{ return a * b; }} }};\n".format
    macro = "#define C{0} {0}\n#define F{0}(a) ((a) * C{0})\n".format
    return {
        "statements": _kernel(f"  float t{j} = v * {j}.5f + x[i + {j}];\n  v += t{j};\n" for j in each),
        "nested ifs": _kernel(
            [*(f"  if (v > {j}.0f) {{\n" for j in range(count // 10)), "}" * (count // 10)]
        ),
        "helpers": "".join(map(helper, each)) + _kernel(f"  v += h{j}(x, v);\n" for j in each),
        "templates": "".join(map(template, each)) + _kernel(f"  v += t{j}<float, {j}>(x);\n" for j in each),
        "records": "".join(map(record, each)) + _kernel(f"  R{j} r{j}; v += r{j}.get(v);\n" for j in each),
        "macros": "".join(map(macro, each)) + _kernel(f"  v += F{j}(v);\n" for j in each),
    }


def growth(count: int) -> dict[str, float]:
    """How many times as long ten times the text takes, by kind: CPU time, the best of three."""
    from cu2mlx.transpiler.pipeline import translate
    from cu2mlx.transpiler.source import SourceFile

    def taken(text: str) -> float:
        times = []
        for _ in range(3):
            started = time.process_time()
            translate(SourceFile("long.cu", text))
            times.append(time.process_time() - started)
        return min(times)

    few, many = long_sources(count), long_sources(10 * count)
    return {kind: taken(many[kind]) / taken(few[kind]) for kind in few}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=11)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        files = {}
        for count in (10, 100):
            files[count] = Path(folder) / f"kernels_{count}.cu"
            files[count].write_text("".join(KERNEL.format(i=i) for i in range(count)))
        base = [sys.executable, "-m", "cu2mlx", "translate", "-o", folder]
        tasks = {
            "one kernel, no check": [*base, "--no-check", str(SEED)],
            "one kernel, checked": [*base, str(SEED)],
            "10 kernels, no check": [*base, "--no-check", str(files[10])],
            "100 kernels, no check": [*base, "--no-check", str(files[100])],
            "10 kernels, checked": [*base, str(files[10])],
            "100 kernels, checked": [*base, str(files[100])],
        }
        times: dict[str, list[float]] = {name: [] for name in tasks}
        for run in range(runs + 1):  # interleaved; the first round warms caches
            for name, command in tasks.items():
                taken = seconds(command, Path(folder) / "compiled")
                if run:
                    times[name].append(taken)
        median = {name: statistics.median(values) for name, values in times.items()}
    for name, value in median.items():
        print(f"{name:<24} {value:6.3f} s  (min {min(times[name]):.3f}, max {max(times[name]):.3f})")
    for kind in ("no check", "checked"):
        ratio = median[f"100 kernels, {kind}"] / median[f"10 kernels, {kind}"]
        print(f"100 kernels / 10 kernels, {kind}: {ratio:.1f} (limit 12)")
    rate = max(translation_rate() for _ in range(runs))
    grown = ", ".join(f"{kind} {ratio:.1f}" for kind, ratio in growth(100).items())
    print(f"1,000 of a kind / 100 of it: {grown}")
    start_up = median["one kernel, no check"]
    print(f"translation alone: {rate:.2f} MB/s of source (limit 0.3)")
    print(
        f"one kernel: {start_up:.2f} s (limit 0.5), checked {median['one kernel, checked']:.2f} s (limit 0.9)"
    )


if __name__ == "__main__":
    main()
