"""What kernels take from the standard library besides its math: `std::`, `cuda::std::`, `thrust::`."""

from cu2mlx.transpiler.tables.row import Builtin, row

# Class templates that the support library has; others of the standard library are Metal's own.
NAMES: dict[str, str] = {name: f"cu::{name}" for name in ("pair", "tuple", "array", "initializer_list")}

_FIRST, _COUNT = "&{0}[0]", "sizeof({0}) / sizeof({0}[0])"

ROWS: tuple[Builtin, ...] = (
    row("void std::swap(T &a, T &b)", "cu::swap({0}, {1})"),
    row("T std::move(T &x)", "({0})", caveat="a copy: device types have no move"),
    row("T std::forward(T &x)", "({0})", caveat="a copy"),
    row("T std::clamp(const T &x, const T &low, const T &high)", "clamp({0}, {1}, {2})"),
    row("T std::exchange(T &x, U value)", "cu::exchange({0}, {1})"),
    row("pair std::make_pair(T first, U second)", "cu::make_pair({0}, {1})"),
    row("tuple std::make_tuple(...)", "cu::make_tuple({arguments})", caveat="of up to five values"),
    row("tuple std::tie(...)", "cu::tie({arguments})", caveat="up to four variables of the thread"),
    row("T std::get(const Whole &whole)", "cu::get<{t0}>({0})", caveat="by number; of a pair or tuple"),
    row("size_t std::size(const Items &items)", f"({_COUNT})"),
    row("T* std::data(Items &items)", f"({_FIRST})"),
    row("T* std::begin(Items &items)", f"({_FIRST})"),
    row("T* std::end(Items &items)", f"({_FIRST} + {_COUNT})"),
)
