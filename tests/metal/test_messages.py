"""Messages in the form in which MLX hands Metal's compiler's on (the format was read, not run: there is no Mac here)."""

from cu2mlx.runtime.metal.messages import own_lines, with_cuda_lines

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


def test_cuda_lines() -> None:
    message = with_cuda_lines(own_lines(MESSAGE, TEXT), {5: 40, 6: 41}.get, "f.cu")
    assert "kernel.metal:5:8: (from f.cu:40) error" in message
    assert "kernel.metal:1:14: note" in message, "a line that comes from no CUDA line is left alone"
