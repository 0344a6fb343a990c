"""Kernel interfaces made by hand, one for each thing the emitted module has to know."""

from dataclasses import replace

from cu2mlx.transpiler.binding.interface import (
    KernelInterface,
    Parameter,
    Role,
    TemplateParameter,
)
from cu2mlx.transpiler.model.launches import Launch

_INDEX = (
    "uint i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;"
)


def parameter(declaration: str, role: Role, dtype: str, lanes: int = 1) -> Parameter:
    return Parameter(declaration.split()[-1].lstrip("*"), declaration, role, dtype, lanes)


VECTOR_ADD = KernelInterface(
    name="vector_add",
    parameters=(
        parameter("const float* a", Role.IN, "float32"),
        parameter("const float* b", Role.IN, "float32"),
        parameter("float* c", Role.OUT, "float32"),
        parameter("int n", Role.SCALAR, "int32"),
    ),
    template=(),
    metal_body=f"{_INDEX}\nif (i < n) {{\n  c[i] = a[i] + b[i];\n}}\n",
    metal_header="",
    cuda_body="vector_add(a, b, c, n);\n",
    cuda_header="""__device__ void vector_add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
""",
    launches=(
        Launch(
            kernel="vector_add",
            line=20,
            grid=("blocks",),
            block=("threads",),
            shared=None,
            template_arguments=(),
            arguments=("d_a", "d_b", "d_c", "n"),
            locals=(
                ("cudaMalloc@512", "cudaMalloc(&d_c, n * sizeof(float))"),
                ("threads", "256"),
                ("blocks", "(n + threads - 1) / threads"),
            ),
        ),
    ),
    documentation="c = a + b, element by element.",
    line=3,
)

SAXPY = KernelInterface(
    name="saxpy",
    parameters=(
        parameter("int n", Role.SCALAR, "int32"),
        parameter("T a", Role.SCALAR, "T"),
        parameter("const T* x", Role.IN, "T"),
        parameter("T* y", Role.OWNED, "T"),
    ),
    template=(TemplateParameter("T", "type"),),
    metal_body=f"{_INDEX}\nif (i < cu_size_of_y) y[i] = y_in[i];\nif (i < n) y[i] = a * x[i] + y[i];\n",
    metal_header="// größe\n",
    cuda_body="saxpy<T>(n, a, x, y);\n",
    cuda_header="""template <typename T>
__device__ void saxpy(int n, T a, const T* x, T* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
""",
    max_threads=512,
    line=7,
)

# Two outputs of different roles, dynamic shared memory, a template size, a keyword for a name.
HISTOGRAM = KernelInterface(
    name="histogram",
    parameters=(
        parameter("const unsigned char* in", Role.IN, "uint8"),
        parameter("unsigned int* bins", Role.ACCUMULATED, "uint32"),
        parameter("int* last", Role.INOUT, "int32"),
        parameter("long long n", Role.SCALAR, "int64"),
    ),
    template=(TemplateParameter("BINS", "int", "256"),),
    metal_body=f"{_INDEX}\nthreadgroup uint counts[dynamic_shared_bytes / 4];\n"
    "if (i < n) last_delta[0] = last_in[0] ^ int(in[i]);\n",
    metal_header="",
    cuda_body="histogram<BINS>(in, bins, last, n);\n",
    cuda_header="""template <int BINS>
__device__ void histogram(const unsigned char* in, unsigned int* bins, int* last, long long n) {
  extern __shared__ unsigned int counts[];
  for (int b = threadIdx.x; b < BINS; b += blockDim.x) counts[b] = 0;
  __syncthreads();
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counts[in[i]], 1u);
  if (i == n - 1) last[0] += in[i];
  __syncthreads();
  for (int b = threadIdx.x; b < BINS; b += blockDim.x) atomicAdd(&bins[b], counts[b]);
}
""",
    dynamic_shared=True,
    threadgroup_bytes="4 * BINS",
    launches=(
        Launch(
            kernel="histogram",
            line=41,
            grid=("min((n + 255) / 256, 1024LL)",),
            block=("256",),
            shared="BINS * sizeof(unsigned int)",
            template_arguments=("BINS",),
            arguments=("data", "bins", "last", "n"),
        ),
    ),
    line=12,
)

# Vectors in memory and by value, and a shape that the caller has to give.
SCALE4 = KernelInterface(
    name="scale4",
    parameters=(
        parameter("const float4* x", Role.IN, "float32", 4),
        parameter("float4 factor", Role.SCALAR, "float32", 4),
        parameter("float4* grid", Role.OUT, "float32", 4),
    ),
    template=(),
    metal_body=f"{_INDEX}\n"
    "((device float4*)grid)[i] = ((const device float4*)x)[i] * *(const constant float4*)factor;\n",
    metal_header="",
    cuda_body="",
    cuda_header="",
    line=30,
)

# Arrays that may be null: read, changed, and an output that is not always wanted. What host code makes of a shape of
# theirs holds where they are given.
BIASED = KernelInterface(
    name="biased",
    parameters=(
        replace(parameter("const T* bias", Role.IN, "T"), nullable=True),
        replace(parameter("const float* scale", Role.IN, "float32"), nullable=True),
        replace(parameter("float* state", Role.OWNED, "float32"), nullable=True),
        parameter("float* y", Role.OUT, "float32"),
        replace(parameter("float* sums", Role.OUT, "float32"), nullable=True),
        parameter("int n", Role.SCALAR, "int32"),
    ),
    template=(TemplateParameter("T", "type"),),
    metal_body="if (!cu_has_bias) bias = nullptr;\n"
    "if (!cu_has_scale) scale = nullptr;\n"
    "if (thread_position_in_grid.x < cu_size_of_state) "
    "state[thread_position_in_grid.x] = state_in[thread_position_in_grid.x];\n"
    "if (!cu_has_state) state = nullptr;\n"
    "if (!cu_has_sums) sums = nullptr;\n"
    f"{_INDEX}\nif (i >= n) return;\n"
    "y[i] = (scale ? scale[i] : 1.0f) + (bias ? float(bias[i]) : 0.0f);\n"
    "if (state) state[i] += y[i];\nif (sums) sums[i] = 2.0f * y[i];\n",
    metal_header="",
    cuda_body="biased<T>(bias, scale, state, y, sums, n);\n",
    cuda_header="""template <typename T>
__device__ void biased(const T* bias, const float* scale, float* state, float* y, float* sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = (scale ? scale[i] : 1.0f) + (bias ? float(bias[i]) : 0.0f);
  if (state) state[i] += y[i];
  if (sums) sums[i] = 2.0f * y[i];
}
""",
    launches=(
        Launch(
            kernel="biased",
            line=50,
            grid=("(scale.numel() + 31) / 32",),
            block=("32",),
            shared=None,
            template_arguments=("scalar_t",),
            arguments=(
                "bias.data_ptr<scalar_t>()",
                "scale.data_ptr<float>()",
                "state.data_ptr<float>()",
                "y.data_ptr<float>()",
                "sums.data_ptr<float>()",
                "n",
            ),
            locals=(("y", "torch::empty({n})"), ("sums", "torch::empty_like(scale)")),
        ),
    ),
    line=40,
)

ALL = (VECTOR_ADD, SAXPY, HISTOGRAM, SCALE4, BIASED)
