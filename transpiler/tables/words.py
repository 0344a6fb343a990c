"""CUDA's own words for declarations and launches, for `cu2mlx query`: the printer and the preprocessor say them."""

from typing import NamedTuple


class Word(NamedTuple):
    """What stands for a word in Metal, and what else there is to know."""

    metal: str
    caveat: str


WORDS: dict[str, Word] = {
    "__global__": Word("[[kernel]]", "each parameter becomes an input or output of mx.fast.metal_kernel"),
    "__device__": Word("inline", "of a function; a variable at file scope becomes an argument of the kernel"),
    "__host__": Word("nothing", "host code is read for launches and shapes only"),
    "__forceinline__": Word("inline", "every helper is inline"),
    "__shared__": Word(
        "threadgroup", "declared in the kernel and handed down to helpers; 32768 bytes in all"
    ),
    "extern __shared__": Word(
        "threadgroup uint4 dynamic_shared[]",
        "its size is the function's shared_bytes, a template int in Metal",
    ),
    "__constant__": Word("constant", "with an initialiser; else an argument, since host code fills it"),
    "__restrict__": Word("nothing", "MLX's buffers do not overlap"),
    "__launch_bounds__": Word("nothing", "its first number is the largest block that the function takes"),
    "<<<>>>": Word("grid=, block=, shared_bytes=", "keywords of the function, blocks and threads as in CUDA"),
}
