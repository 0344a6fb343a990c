"""Codes of the model and the rules: pointers, names, language features."""

from cu2mlx.transpiler.diagnostics.model import Code, Effort, Severity

_ERROR, _WARNING = Severity.ERROR, Severity.WARNING
_MINUTES, _HOURS, _DAYS, _NONE = Effort.MINUTES, Effort.HOURS, Effort.DAYS, Effort.NONE

ROWS = (
    Code("CU2001", "unknown-function", _ERROR, _MINUTES, "{name} is not declared in this file and not a CUDA function",
         "give the folder of the header that defines it with -I, or -D the macro that selects it"),
    Code("CU2101", "pointer-in-two-spaces", _ERROR, _HOURS, "{name} points into {first} and into {second} memory",
         "Metal pointers have one address space: use one pointer for each"),
    Code("CU2102", "pointer-to-pointer", _ERROR, _HOURS, "parameter {name} is a pointer to pointers",
         "MLX passes arrays: pack the rows into one array with offsets"),
    Code("CU2103", "untyped-buffer", _ERROR, _MINUTES, "parameter {name} has type {type}, which MLX has no array for",
         "give the pointer the type of its elements"),
    Code("CU2104", "split-in-for", _ERROR, _MINUTES, "this for declares pointers into different address spaces",
         "declare them before the loop"),
    Code("CU2105", "overloads-differ", _ERROR, _HOURS,
         "the overloads of {name} use different kernel values (indices, threadgroup memory)",
         "call one overload, or pass the values as arguments"),
    Code("CU3701", "device-global", _ERROR, _HOURS, "{name} is a __device__ variable that kernels change",
         "pass it as a kernel argument: Metal has no mutable globals"),
    Code("CU3702", "shared-global", _ERROR, _MINUTES, "{name} is threadgroup memory declared outside any function",
         "declare it in the kernel"),
    Code("CU3703", "shared-in-template", _ERROR, _HOURS,
         "{name} is threadgroup memory whose type depends on a helper's template parameter",
         "pass the array from the kernel as an argument"),
    Code("CU3704", "goto", _ERROR, _HOURS, "goto does not exist in Metal", "use a loop, a flag or a helper function"),
    Code("CU3705", "exceptions", _ERROR, _HOURS, "exceptions do not exist in Metal", "return a status"),
    Code("CU3706", "device-allocation", _ERROR, _HOURS, "memory cannot be allocated in a Metal kernel: {name}",
         "allocate an output or a fixed array"),
    Code("CU3707", "virtual", _ERROR, _HOURS, "virtual functions do not exist in Metal",
         "use a template parameter for the class"),
    Code("CU3708", "dynamic-parallelism", _ERROR, _DAYS, "a kernel cannot launch kernels in Metal",
         "launch it from the host, one MLX call after the other"),
    Code("CU3709", "recursion", _ERROR, _HOURS, "{name} calls itself", "use a loop with a small stack of your own"),
    Code("CU4101", "double-narrowed", _WARNING, _NONE, "double became float: {name}",
         "results have 24 bits of precision instead of 53"),
    Code("CU4201", "printf-dropped", _WARNING, _NONE, "{name} was dropped", "Metal kernels print nothing before 3.2"),
    Code("CU4202", "assert-dropped", _WARNING, _NONE, "{name} was dropped", "check its condition on the host"),
    Code("CU4203", "overload-left-out", _WARNING, _NONE, "the overload {name} was left out: {reason}",
         "the kernel works for the types of the other overloads"),
    Code("CU9001", "internal", _ERROR, _NONE, "cu2mlx failed on this kernel: {reason}",
         "please report it with the kernel's text"),
    Code("CU9002", "check-failed", _ERROR, _MINUTES, "the Metal text does not type-check: {reason}",
         "in Metal: {metal}"),
)  # fmt: skip
