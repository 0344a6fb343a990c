"""What kernels take from the standard library besides its math: `std::`, `cuda::std::`, `thrust::`."""

from cu2mlx.transpiler.tables.row import Builtin, row

ROWS: tuple[Builtin, ...] = (
    row("void std::swap(T &a, T &b)", "cu::swap({0}, {1})"),
    row("T std::move(T &x)", "({0})", caveat="a copy: device types have no move"),
    row("T std::forward(T &x)", "({0})", caveat="a copy"),
    row("T std::clamp(const T &x, const T &low, const T &high)", "clamp({0}, {1}, {2})"),
    row("T std::exchange(T &x, U value)", "cu::exchange({0}, {1})"),
)
