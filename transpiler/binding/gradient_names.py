"""How kernels name gradients: d, g, grad or v and the name of what it is the gradient of."""

_PREFIXES = ("d", "d_", "g", "g_", "v_", "grad", "grad_", "gradient_", "diff_")
_SUFFIXES = ("_g", "grad", "_grad", "_gradient", "diff", "_diff")

# The one output of a kernel is called so whatever its own name is: `grad_out` of `output`, `dy` of `out`.
_OUTPUT = ("out", "output", "y")


def plain(name: str) -> str:
    """A parameter's name without case and outer underscores: `_w` and `w` are the same to a backward kernel."""
    return name.strip("_").lower()


def is_gradient_name(name: str, of: str) -> bool:
    """Whether `name` says "gradient of `of`"."""
    base = plain(of)
    return plain(name) in {*(prefix + base for prefix in _PREFIXES), *(base + suffix for suffix in _SUFFIXES)}


def is_output_gradient_name(name: str) -> bool:
    """Whether `name` says "gradient of the output" of a kernel that has only one."""
    return any(is_gradient_name(name, of) for of in _OUTPUT)


def shared_stem(forward: str, backward: str) -> str:
    """What two kernels' names begin with, in whole words: layer_norm of layer_norm_forward, layer_norm_backward."""
    words: list[str] = []
    for one, other in zip(forward.split("_"), backward.split("_"), strict=False):
        if one != other:
            break
        words.append(one)
    stem = "_".join(words)
    return f"{forward}_with_gradient" if stem in ("", forward, backward) else stem
