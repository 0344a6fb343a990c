"""The original kernel as an executor gets it: headers for template arguments, records put together."""

import numpy as np

from cu2mlx.runtime.cpu.executor import CpuExecutor
from cu2mlx.runtime.inputs import make_inputs
from cu2mlx.runtime.protocol import Status
from cu2mlx.runtime.spec import cuda_kernel, parse_spec, resolve

STRIDED = """
struct View {
  const float* data;
  int strides[8];
  int dims;
};

template <int SCALE>
__global__ void read_column(float* out, View view, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = SCALE * view.data[i * view.strides[view.dims - 2]];
}
"""

SPEC = """
kernel = "read_column"
grid = ["ceildiv(n, 32)"]
block = [32]

[records]
view = "View"

[template]
SCALE = 3

[args.out]
dtype = "float32"
shape = ["n"]
output = true

[args.view_data]
dtype = "float32"
shape = ["n", "m"]

[args.view_strides]
dtype = "int32"
shape = [2]
init = { kind = "values", values = ["m", 1] }

[args.view_dims]
dtype = "int32"
value = 2

[args.n]
dtype = "int32"

[[cases]]
name = "ragged"
n = 40
m = 7
"""


def test_a_record_with_pointers_is_put_together() -> None:
    spec = parse_spec(SPEC)
    inputs = make_inputs(spec, spec.cases[0])
    kernel = cuda_kernel(inputs.resolved, STRIDED)
    outcome = CpuExecutor().load(kernel).run(inputs.arguments, inputs.launch)
    assert outcome.status is Status.OK, outcome.message
    assert np.array_equal(inputs.buffers["out"], 3 * inputs.buffers["view_data"][:, 0])


def test_without_records_the_text_stays() -> None:
    spec = parse_spec(SPEC.replace('[records]\nview = "View"\n', ""))
    kernel = cuda_kernel(resolve(spec, spec.cases[0]), STRIDED)
    assert kernel.text == STRIDED and kernel.entry == "read_column<3>"


def test_types_of_template_arguments_bring_their_header() -> None:
    spec = parse_spec(SPEC.replace("SCALE = 3", 'SCALE = "__half"'))
    kernel = cuda_kernel(resolve(spec, spec.cases[0]), "// nothing\n")
    assert kernel.text.startswith("#include <cuda_fp16.h>\n")
