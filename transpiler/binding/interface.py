"""What a translated kernel looks like from outside: everything the emitted module has to know about it."""

from dataclasses import dataclass
from enum import StrEnum

from cu2mlx.transpiler.model.launches import Launch


class Role(StrEnum):
    """What a kernel parameter is to MLX."""

    SCALAR = "scalar"  # by value: a 0-d input, `const constant T& name`
    IN = "in"  # only read: input `name`
    OUT = "out"  # only written: output `name`, fresh, its shape asked for by name
    OWNED = "owned"  # read and written, each element by one thread only: input `name_in`, output `name`,
    #                  which the body first fills from name_in
    INOUT = "inout"  # read and written by anyone: input `name_in`, output `name_delta` holding the bits
    #                  that changed (starts at zero); the result is name_in ^ name_delta
    ACCUMULATED = "accumulated"  # only added to: output `name` (starts at zero), added to the caller's array
    RAISED = (
        "raised"  # only a 64-bit atomicMax: output `name` (starts at zero); the greater one is the result
    )


@dataclass(frozen=True, slots=True)
class Parameter:
    """One CUDA parameter. `cuda_type` is its declaration as written, with or without the name.

    `dtype` is an MLX dtype name ("float32", "uint32", "bfloat16" …) or the name of a template type parameter;
    `lanes` is how many of them one element has (float4: 4, float3: 3 packed; 0: a record, as bytes). Bodies
    may use `cu_size_of_NAME`, the number of dtype elements of buffer NAME. `array` names the input in which a scalar
    is handed over with others of its dtype, in their order; empty where it is an input of its own. `nullable`: the
    kernel asks whether the pointer is null, so the caller may leave the array out; both bodies may use the template
    bool `given`, which says whether it is there. `layout`: the format with which Python's `struct` packs a record by
    value, `members` what it takes, a `*` before arrays; empty where that is not known.
    """

    name: str
    cuda_type: str
    role: Role
    dtype: str
    lanes: int = 1
    line: int = 0
    array: str = ""
    nullable: bool = False
    layout: str = ""
    members: tuple[str, ...] = ()

    @property
    def given(self) -> str:
        """The template bool of a nullable parameter."""
        return f"cu_has_{self.name}"


@dataclass(frozen=True, slots=True)
class TemplateParameter:
    """`kind` is "type", "int" or "bool"; `default` is its spelling in the CUDA source, None without one; `example` a
    value that some call in the file gives it, good enough to check the kernel with."""

    name: str
    kind: str
    default: str | None = None
    example: str | None = None


@dataclass(frozen=True, slots=True)
class KernelInterface:
    """A translated kernel: its parameters in CUDA's order and the texts MLX gets for both back ends.

    `metal_body`/`metal_header`: `source` and `header` of mx.fast.metal_kernel. `cuda_body`/`cuda_header`: the
    same for mx.fast.cuda_kernel (the original text); the body finds every parameter as a variable of its name
    and CUDA type, buffers that are read and written already filled; empty where there is no such text.
    `dynamic_shared`: the body uses the template int `dynamic_shared_bytes`. `threadgroup_bytes`: statically
    known threadgroup memory, as a Python expression over template parameters (a type parameter T is an
    mx.Dtype there: `T.size`). `max_threads`: from __launch_bounds__. `fixed`: places of CUDA's template parameters
    that the text fixes, which are not in `template`.
    """

    name: str
    parameters: tuple[Parameter, ...]
    template: tuple[TemplateParameter, ...]
    metal_body: str
    metal_header: str
    cuda_body: str
    cuda_header: str
    dynamic_shared: bool = False
    threadgroup_bytes: str = "0"
    max_threads: int | None = None
    launches: tuple[Launch, ...] = ()
    documentation: str = ""
    line: int = 0
    fixed: frozenset[int] = frozenset()
