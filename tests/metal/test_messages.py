"""Messages in the forms in which MLX hands Metal's on: recorded ones, as users of MLX reported them, about a kernel
of ours (ml-explore/mlx#3337, bledden/triton-msl#2, mlx-graphs/mlx-graphs#99 for the compiler's; jundot/omlx#2029
and #1387, youssofal/MTPLX#194 for the command buffer's). There is no Mac here."""

import pytest

from cu2mlx.runtime.metal.messages import failure, is_compiler_error, own_lines, with_cuda_places
from cu2mlx.runtime.protocol import Status

TEXT = """inline float twice(float v) { return v + v; }
[[kernel]] void f(
  const device float* a [[buffer(0)]],
  device float* c [[buffer(1)]]) {
c[0] = thrice(a[0]);
c[1] = twic(a[0]);
}
"""
MESSAGE = """[metal::Device] Unable to build metal library from source
program_source:325:8: error: use of undeclared identifier 'thrice'
c[0] = thrice(a[0]);
       ^
program_source:326:8: error: use of undeclared identifier 'twic'; did you mean 'twice'?
c[1] = twic(a[0]);
       ^~~~
       twice
program_source:321:14: note: 'twice' declared here
inline float twice(float v) { return v + v; }
             ^
program_source:12:9: warning: unused variable 'q' [-Wunused-variable]
    int q = 0;
        ^
"""


# Since MLX's headers have #line, the compiler counts on in the last one; errors in the headers say their names too.
SINCE_LINES = (
    MESSAGE.replace("program_source:12:", "mlx/backend/metal/kernels/bf16.h:12:")
    .replace("program_source", "mlx/backend/metal/kernels/utils.h")
    .replace(
        "[metal::Device]",
        "libc++abi: terminating due to uncaught exception of type std::runtime_error: [metal::Device]",
    )
)


def test_lines_counted_on_in_mlx_headers() -> None:
    lines = own_lines(SINCE_LINES, TEXT).split("\n")
    assert lines[1] == "kernel.metal:5:8: error: use of undeclared identifier 'thrice'"
    assert lines[8] == "kernel.metal:1:14: note: 'twice' declared here"
    assert lines[11].startswith("mlx/backend/metal/kernels/bf16.h:12:9: warning")
    inside = "mlx/backend/metal/kernels/utils.h:64:25: error: unknown type name 'bfloat16_t'"
    assert own_lines(f"{SINCE_LINES}{inside}", TEXT).endswith(inside), (
        "before the kernel: a place in the header"
    )


def test_which_messages_are_the_compilers() -> None:
    assert is_compiler_error(MESSAGE) and is_compiler_error(SINCE_LINES)
    assert is_compiler_error(
        "[metal::Device] Unable to build metal library from source\nerror: invalid value 'metal4.0'"
    )
    assert not is_compiler_error("[METAL] Command buffer execution failed: Insufficient Memory")


@pytest.mark.parametrize(
    ("message", "status"),
    [
        ("Caused GPU Timeout Error (00000002:kIOGPUCommandBufferCallbackErrorTimeout)", Status.TIMEOUT),
        (
            "Impacting Interactivity (0000000e:kIOGPUCommandBufferCallbackErrorImpactingInteractivity)",
            Status.TIMEOUT,
        ),
        ("Caused GPU Hang Error (00000003:kIOGPUCommandBufferCallbackErrorHang)", Status.TIMEOUT),
        ("Insufficient Memory (00000008:kIOGPUCommandBufferCallbackErrorOutOfMemory)", Status.OUT_OF_MEMORY),
        ("Caused GPU Address Fault Error (0000000b:kIOGPUCommandBufferCallbackErrorPageFault)", Status.CRASH),
    ],
)
def test_ways_to_fail(message: str, status: Status) -> None:
    outcome = failure(f"[METAL] Command buffer execution failed: {message}")
    assert outcome.status is status and "kIOGPU" in outcome.message


def test_what_is_not_known_is_a_crash_with_its_message() -> None:
    outcome = failure("[metal_kernel] No Metal back-end.\n")
    assert (outcome.status, outcome.message) == (Status.CRASH, "[metal_kernel] No Metal back-end.")


def test_lines_are_those_of_the_text() -> None:
    lines = own_lines(MESSAGE, TEXT).split("\n")
    assert lines[1] == "kernel.metal:5:8: error: use of undeclared identifier 'thrice'"
    assert lines[4].startswith("kernel.metal:6:8: error: ")
    assert lines[8] == "kernel.metal:1:14: note: 'twice' declared here"
    assert lines[11].startswith("program_source:12:9: warning"), "a place in MLX's own preamble stays"


def test_a_line_that_stands_twice_does_not_mislead() -> None:
    text = "c[0] = x;\n" + TEXT
    assert "kernel.metal:6:8: error" in own_lines(MESSAGE, text)


def test_without_quoted_lines_nothing_is_claimed() -> None:
    message = "program_source:325:8: error: something"
    assert own_lines(message, TEXT) == message
    assert own_lines("Compute function exceeds available temporary registers", TEXT).startswith("Compute")


def test_cuda_places() -> None:
    message = with_cuda_places(own_lines(MESSAGE, TEXT), {5: "f.cu:40", 6: "f.cu:41"}.get)
    assert "kernel.metal:5:8: (from f.cu:40) error" in message
    assert "kernel.metal:1:14: note" in message, "a line that comes from no CUDA line is left alone"
    nvrtc = 'kernel.metal(5): error: identifier "thrice" is undefined'
    assert with_cuda_places(nvrtc, {5: "f.cu:40"}.get).startswith("kernel.metal(5): (from f.cu:40) error")
