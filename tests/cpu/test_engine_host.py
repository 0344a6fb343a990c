"""The machine around a kernel: crashes, hangs, compile errors, arguments, output, the cache."""

import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from machine import EXECUTOR, METAL, ok, run_cuda, run_msl, value

from cu2mlx.runtime.cpu import compiler, cuda_source
from cu2mlx.runtime.cpu.executor import CpuExecutor
from cu2mlx.runtime.protocol import CompileError, KernelText, Launch, Status, Value

ONE = Launch((1, 1, 1), (1, 1, 1))
HELLO = '__global__ void k(int* a) { a[0] = 7; printf("hello %d\\n", a[0]); }'


def test_crash_is_an_outcome_and_the_next_run_works():
    array = np.zeros(4, np.int32)
    outcome = run_cuda("__global__ void k(int* a) { a[1ll << 40] = 1; }", "k", [array], ONE)
    assert outcome.status is Status.CRASH
    assert "memory" in outcome.message
    ok(run_cuda(HELLO, "k", [array], ONE))
    assert array[0] == 7


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("a[0] = a[2] / a[1];", "division by zero"),
        ("__trap();", "__trap"),
        ("assert(a[1] == 1);", "assertion failed, line 1"),
        ("volatile char big[400000]; big[a[1]] = 1; a[0] = big[a[2]];", "memory"),
    ],
)
def test_ways_to_crash(body, words):
    outcome = run_cuda(f"__global__ void k(int* a) {{ {body} }}", "k", [np.zeros(4, np.int32)], ONE)
    assert outcome.status is Status.CRASH
    assert words in outcome.message


@pytest.mark.parametrize(
    "body", ["while (true) { a[0] = a[0] + 1; }", "if (t == 0) while (a[1] == 0) {} __syncthreads();"]
)
def test_endless_loop_times_out(body):
    text = f"__global__ void k(volatile int* a) {{ int t = threadIdx.x; {body} }}"
    start = time.monotonic()
    outcome = run_cuda(text, "k", [np.zeros(4, np.int32)], Launch((1, 1, 1), (64, 1, 1)), timeout=0.5)
    assert outcome.status is Status.TIMEOUT
    assert time.monotonic() - start < 10
    ok(run_cuda(HELLO, "k", [np.zeros(1, np.int32)], ONE))


def test_too_much_memory():
    text = "__global__ void k(char** a) { for (int i = 0; i < 1000; i++) { a[0] = new char[1ull << 33]; a[0][0] = 1; } }"
    outcome = run_cuda(text, "k", [np.zeros(1, np.int64)], ONE)
    assert outcome.status is Status.OUT_OF_MEMORY


def test_the_limit_of_memory_is_the_kernels_not_the_machines():
    """A worker for each processor reserves address space for its stacks; a search once failed so on 16 of them."""
    text = "__global__ void k(int* a) { a[blockIdx.x * 64 + threadIdx.x] = 1; __syncthreads(); }"
    executor = CpuExecutor(threads=24, memory=4 << 30)
    array = np.zeros(4096, np.int32)
    for checked in (False, True):
        kernel = executor.load(KernelText("cuda", text, "k"), checked=checked)
        ok(kernel.run([array], Launch((64, 1, 1), (64, 1, 1))))
    assert array.all()


def test_names_that_newer_c_libraries_have_too():
    """glibc declares C23's sinpi and cospi since 2.41, rsqrt since 2.42; CUDA's functions of those names are ours."""
    names = ("sinpi", "cospi", "rsqrt")
    declared = "".join(f"double {n}(double) noexcept; float {n}f(float) noexcept; " for n in names)
    text = "__global__ void k(float* a) { a[0] = sinpi(a[0]) + cospif(a[0]) + rsqrt(a[0]); }"
    unit = cuda_source.translation_unit(text, "k")
    compiler.build_kernel(f'#include <math.h>\nextern "C" {{ {declared}}}\n{unit}', checked=False)


def test_output_comes_back():
    outcome = run_cuda(HELLO, "k", [np.zeros(1, np.int32)], ONE)
    assert outcome.output == "hello 7\n"


def test_compile_errors_name_the_kernels_line():
    with pytest.raises(CompileError, match=r"kernel\.metal:4:"):
        EXECUTOR.load(KernelText("msl", METAL + "kernel void k(device int* a) {\n a[0] = nothing; }", "k"))
    with pytest.raises(CompileError, match=r"kernel\.cu:2:"):
        EXECUTOR.load(KernelText("cuda", "__global__ void k(int* a) {\n a[0] = nothing; }", "k"))
    with pytest.raises(CompileError, match="no kernel 'other'; its kernels: k"):
        EXECUTOR.load(KernelText("msl", METAL + "kernel void k(device int* a) {}", "other"))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([np.zeros(1, np.int32)], "2 parameters, but 1 arguments"),
        ([np.zeros(1, np.int32), np.zeros(1, np.int32)], "argument 1 is an array"),
        (
            [np.zeros(1, np.int32), value(1, "int64")],
            "argument 1 has 8 bytes, but the kernel's parameter has 4",
        ),
    ],
)
def test_arguments_that_do_not_fit(arguments, words):
    with pytest.raises(ValueError, match=words):
        run_cuda("__global__ void k(int* a, int n) {}", "k", arguments, ONE)


def test_blocks_that_do_not_fit():
    with pytest.raises(ValueError, match="2048 threads"):
        run_cuda(HELLO, "k", [np.zeros(1, np.int32)], Launch((1, 1, 1), (2048, 1, 1)))


def test_arrays_in_place():
    text = "__global__ void k(int* a, const int* b, int* same) { a[threadIdx.x] = b[threadIdx.x]; same[0] += 5; }"
    base = np.zeros((4, 2), np.int32)
    column = base[:, 1]  # strided
    fixed = np.arange(4, dtype=np.int32)
    fixed.flags.writeable = False
    ok(run_cuda(text, "k", [column, fixed, column], Launch((1, 1, 1), (4, 1, 1))))
    np.testing.assert_array_equal(
        base, [[0, 20], [0, 1], [0, 2], [0, 3]]
    )  # the same array twice is one buffer
    ok(
        run_cuda(
            "__global__ void k(int* a, int n) { if (n) a[0] = n; }",
            "k",
            [np.zeros(0, np.int32), value(0, "int32")],
            ONE,
        )
    )
    ok(
        run_cuda(
            "__global__ void k(int* a, int* b) { if (!b) a[0] = 1; }", "k", [column, Value(bytes(8))], ONE
        )
    )
    ok(run_cuda(HELLO, "k", [column], Launch((0, 1, 1), (1, 1, 1))))  # an empty grid


def test_grid_and_block_order():
    text = (
        METAL
        + """kernel void k(device uint* a, uint3 i [[thread_position_in_grid]], uint3 n [[threads_per_grid]],
      uint t [[thread_index_in_threadgroup]]) { a[(i.z * n.y + i.y) * n.x + i.x] = i.x + 10 * i.y + 100 * i.z + 1000 * t; }"""
    )
    a = np.zeros((4, 6, 4), np.uint32)
    ok(run_msl(text, "k", [a], Launch((2, 2, 4), (2, 3, 1))))
    z, y, x = np.indices(a.shape)
    np.testing.assert_array_equal(a, x + 10 * y + 100 * z + 1000 * (x % 2 + 2 * (y % 3)))


def test_many_threads_and_groups():
    text = (
        METAL
        + """kernel void k(device atomic_uint* a, uint g [[threadgroup_position_in_grid]]) {
      threadgroup uint s; s = g; threadgroup_barrier(mem_flags::mem_threadgroup);
      atomic_fetch_add_explicit(a, s, memory_order_relaxed); }"""
    )
    a = np.zeros(1, np.uint32)
    ok(run_msl(text, "k", [a], Launch((999, 1, 1), (64, 1, 1))))
    assert a[0] == 64 * 998 * 999 // 2


def test_cache_key_covers_what_decides_the_result(monkeypatch):
    built = compiler.find_compiler()
    flags = built.flags(checked=False)
    keys = {
        compiler._key(built, flags, b"text"),
        compiler._key(built, flags, b"other text"),
        compiler._key(built, [*flags, "-O3"], b"text"),
        compiler._key(compiler.Compiler(built.command, built.clang, "another version"), flags, b"text"),
    }
    monkeypatch.setattr(compiler, "_surroundings", lambda: b"another shim")
    keys.add(compiler._key(built, flags, b"text"))
    assert len(keys) == 5
    folder = compiler.cache_folder()
    assert EXECUTOR.unavailable() is None
    assert folder.is_dir()


def test_a_hanging_kernel_does_not_outlive_us(tmp_path):
    """The host of a program that was killed ends within seconds."""
    script = (
        "import sys, numpy as np\n"
        f"sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "from machine import run_cuda\nfrom cu2mlx.runtime.protocol import Launch\n"
        "print('running', flush=True)\n"
        "run_cuda('__global__ void k(volatile int* a) { while (true) a[0] = 1; }', 'k', [np.zeros(1, np.int32)],"
        " Launch((1, 1, 1), (1, 1, 1)))\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(3)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        if not children.exists():
            process.kill()
            pytest.skip("no /proc here")
        hosts = children.read_text().split()
        process.kill()
    assert hosts
    deadline = time.monotonic() + 10
    while any(Path(f"/proc/{host}").exists() for host in hosts) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert not any(Path(f"/proc/{host}").exists() for host in hosts)
