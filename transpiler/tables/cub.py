"""CUB's collectives of a block and a warp. The support library has them under CUB's own names, with CUB's methods;
its constructors take the thread's rank in the block beside the storage."""

from cu2mlx.transpiler.tables.row import Builtin, row
from cu2mlx.transpiler.tables.signature import parameters

_KINDS = ("Inclusive", "Exclusive")
_REDUCTIONS = (
    "T Reduce(T input, Op op)",
    "T Reduce(T input, Op op, int valid)",
    "T Sum(T input)",
    "T Sum(T input, int valid)",
)
_SCANS = (
    *(f"void {kind}Sum(T input, T &output)" for kind in _KINDS),
    *(f"void {kind}Sum(T input, T &output, T &aggregate)" for kind in _KINDS),
    *(f"void {kind}Scan(T input, T &output, Op op)" for kind in _KINDS),
    *(f"void {kind}Scan(T input, T &output, Op op, T &aggregate)" for kind in _KINDS),
    "void ExclusiveScan(T input, T &output, T initial, Op op)",
    "void ExclusiveScan(T input, T &output, T initial, Op op, T &aggregate)",
)
_ORDERS = ("StripedToBlocked", "BlockedToStriped", "WarpStripedToBlocked", "BlockedToWarpStriped")
_SCATTERS = ("ScatterToBlocked", "ScatterToStriped")
_SORTS = ("Sort", "SortDescending", "SortBlockedToStriped", "SortDescendingBlockedToStriped")

# Class → its methods. `Items` is an array of a thread's own values.
CLASSES: dict[str, tuple[str, ...]] = {
    "BlockReduce": _REDUCTIONS,
    "BlockScan": _SCANS,
    "BlockLoad": (
        "void Load(const T *from, Items &items)",
        "void Load(const T *from, Items &items, int valid)",
        "void Load(const T *from, Items &items, int valid, T missing)",
    ),
    "BlockStore": (
        "void Store(T *to, Items &items)",
        "void Store(T *to, Items &items, int valid)",
    ),
    "BlockExchange": (
        *(f"void {name}(Items &input, Items &output)" for name in _ORDERS),
        *(f"void {name}(Items &items)" for name in _ORDERS),
        *(f"void {name}(Items &input, Items &output, Ranks &ranks)" for name in _SCATTERS),
    ),
    "BlockRadixSort": tuple(
        f"void {name}({values}{bits})"
        for name in _SORTS
        for values in ("Items &keys", "Items &keys, Items &values")
        for bits in ("", ", int begin_bit, int end_bit")
    ),
    "WarpReduce": (
        *_REDUCTIONS,
        *(f"T {end}SegmentedSum(T input, int flag)" for end in ("Head", "Tail")),
        *(f"T {end}SegmentedReduce(T input, int flag, Op op)" for end in ("Head", "Tail")),
    ),
    "WarpScan": (
        *_SCANS,
        "void Sum(T input, T &inclusive, T &exclusive)",
        "void Scan(T input, T &inclusive, T &exclusive, Op op)",
        "void Scan(T input, T &inclusive, T &exclusive, T initial, Op op)",
        "T Broadcast(T input, unsigned int lane)",
    ),
}
_CAVEATS = {
    "BlockReduce": "or of an array of items",
    "BlockScan": "or of arrays of items; a prefix functor may stand for the aggregate",
    "BlockRadixSort": "32-bit keys",
}

_OPERATORS = ("Sum", "Max", "Min", "ArgMax", "ArgMin")
_WAYS = ("DIRECT", "STRIPED", "VECTORIZE", "TRANSPOSE", "WARP_TRANSPOSE", "WARP_TRANSPOSE_TIMESLICED")
# Enum → its enumerators, in the order of their values.
ENUMS: dict[str, tuple[str, ...]] = {
    **{f"Block{w.title()}Algorithm": tuple(f"BLOCK_{w}_{how}" for how in _WAYS) for w in ("LOAD", "STORE")},
    "BlockReduceAlgorithm": tuple(
        f"BLOCK_REDUCE_{how}" for how in ("RAKING_COMMUTATIVE_ONLY", "RAKING", "WARP_REDUCTIONS")
    ),
    "BlockScanAlgorithm": tuple(f"BLOCK_SCAN_{how}" for how in ("RAKING", "RAKING_MEMOIZE", "WARP_SCANS")),
}
_ALGORITHMS = tuple(name for names in ENUMS.values() for name in names)
# CUB's names → Metal's. The algorithms are numbers.
NAMES: dict[str, str] = {
    **{name: f"cu::{name}" for name in (*CLASSES, *_OPERATORS, *_ALGORITHMS, "KeyValuePair", "NullType")},
    **dict.fromkeys(ENUMS, "int"),
}


def _method(class_name: str, signature: str) -> Builtin:
    result, _, rest = signature.partition(" ")
    arguments = ", ".join(f"{{{position}}}" for position in range(len(parameters(signature))))
    return row(
        f"{result} cub::{class_name}::{rest}",
        f"{{self}}.{rest.partition('(')[0]}({arguments})",
        caveat=_CAVEATS.get(class_name, ""),
    )


ROWS: tuple[Builtin, ...] = (
    *(_method(class_name, signature) for class_name, methods in CLASSES.items() for signature in methods),
    row("T cub::ThreadLoad(const T *p)", "(*{0})", caveat="the hint is dropped"),
    row("void cub::ThreadStore(T *p, T value)", "(*{0} = {1})", caveat="the hint is dropped"),
    row("unsigned int cub::LaneId()", "{lane}"),
    row("unsigned int cub::WarpId()", "{simdgroup}"),
    row(
        "int cub::RowMajorTid(int x, int y, int z)",
        "int({index})",
        caveat="the block's extents are dropped: Metal knows",
    ),
    row("void cub::CTA_SYNC()", "cu::syncthreads()"),
)
