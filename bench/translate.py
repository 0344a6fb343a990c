"""How fast `cu2mlx translate` is: python bench/translate.py [--runs N]

Whole processes for one kernel (start-up counts), one file of 100 kernels against one of 10, and source per
second without the check. Prints the medians and the limits the project holds itself to.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
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


def seconds(*command: str) -> float:
    started = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
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
                taken = seconds(*command)
                if run:
                    times[name].append(taken)
        median = {name: statistics.median(values) for name, values in times.items()}
    for name, value in median.items():
        print(f"{name:<24} {value:6.3f} s  (min {min(times[name]):.3f}, max {max(times[name]):.3f})")
    for kind in ("no check", "checked"):
        ratio = median[f"100 kernels, {kind}"] / median[f"10 kernels, {kind}"]
        print(f"100 kernels / 10 kernels, {kind}: {ratio:.1f} (limit 12)")
    start_up = median["one kernel, no check"]
    print(f"translation alone: {translation_rate():.2f} MB/s of source (limit 0.3)")
    print(
        f"one kernel: {start_up:.2f} s (limit 0.5), checked {median['one kernel, checked']:.2f} s (limit 0.9)"
    )


if __name__ == "__main__":
    main()
