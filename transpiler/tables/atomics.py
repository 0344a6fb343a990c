"""Atomic functions. Metal's are relaxed, as CUDA's; the support library adds the types it lacks."""

from cu2mlx.transpiler.tables.row import Builtin, double, refused, row

_WORDS = ("int", "unsigned int")
_LOOP = "a compare-and-swap loop on the 32-bit word that holds it"

# operation → the types that have a 32-bit or narrower form, then the 64-bit types
_OPERATIONS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "Add": (
        (*_WORDS, "float", "__half", "__half2", "__nv_bfloat16", "__nv_bfloat162"),
        ("unsigned long long",),
    ),
    "Sub": (_WORDS, ()),
    "Exch": ((*_WORDS, "float"), ("unsigned long long",)),
    "Min": (_WORDS, ("long long", "unsigned long long")),
    "Max": (_WORDS, ("long long", "unsigned long long")),
    "And": (_WORDS, ("unsigned long long",)),
    "Or": (_WORDS, ("unsigned long long",)),
    "Xor": (_WORDS, ("unsigned long long",)),
    "Inc": (("unsigned int",), ()),
    "Dec": (("unsigned int",), ()),
}
# 64-bit operations that Metal can do when nobody asks for the value before: two 32-bit ones, or its own maximum.
_BLIND = {(name, "unsigned long long") for name in ("Add", "And", "Or", "Xor", "Max")}
_CAVEATS = {
    "float": "threadgroup memory: a compare-and-swap loop",
    "__half": _LOOP,
    "__half2": "each half on its own, as in CUDA",
    "__nv_bfloat16": _LOOP,
    "__nv_bfloat162": "each half on its own, as in CUDA",
}
# scope suffix → diagnostic: Metal's atomics are device-wide at most
_SCOPES: dict[str, str | None] = {"": None, "_block": None, "_system": "CU4104"}


def _operations(scope: str, code: str | None) -> tuple[Builtin, ...]:
    return (
        *(
            row(
                f"{cuda} atomic{name}{scope}({cuda} *address, {cuda} value)",
                f"cu::atomic_{name.lower()}({{0}}, {{1}})",
                caveat=_CAVEATS.get(cuda, ""),
                code=code,
            )
            for name, (narrow, _) in _OPERATIONS.items()
            for cuda in narrow
        ),
        *(
            row(
                f"{cuda} atomicCAS{scope}({cuda} *address, {cuda} compare, {cuda} value)",
                "cu::atomic_cas({0}, {1}, {2})",
                caveat="loops until it succeeds or the value differs; Metal's weak form may fail at random",
                code=code,
            )
            for cuda in (*_WORDS, "unsigned short")
        ),
    )


ROWS: tuple[Builtin, ...] = (
    *(r for scope, code in _SCOPES.items() for r in _operations(scope, code)),
    *(
        refused(
            f"{cuda} atomic{name}{scope}({cuda} *address, {cuda} value)",
            "CU3306",
            "in device memory, from Apple GPU family 8 on"
            if (name, cuda) in _BLIND and name == "Max"
            else "",
            unused=f"cu::atomic_{name.lower()}_wide({{0}}, {{1}})" if (name, cuda) in _BLIND else None,
        )
        for scope in _SCOPES
        for name, (_, wide) in _OPERATIONS.items()
        for cuda in wide
    ),
    refused(
        "unsigned long long atomicCAS(unsigned long long *address, unsigned long long compare, "
        "unsigned long long value)",
        "CU3306",
    ),
    *(
        double(f"double atomicAdd{scope}(double *address, double value)", "cu::atomic_add({0}, {1})")
        for scope in _SCOPES
    ),
)
