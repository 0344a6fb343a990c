"""Loads and stores with cache hints, address-space questions, copies."""

from cu2mlx.transpiler.tables.row import Builtin, refused, row

_HINT = "the cache hint is dropped"
_ASYNC = "done at once; the wait that follows has nothing to wait for"
_SPACES = {"Global": "device", "Shared": "threadgroup", "Constant": "constant", "Local": "thread"}
_GENERIC = ("global", "shared", "constant", "local")

ROWS: tuple[Builtin, ...] = (
    *(
        row(f"T __{name}(const T *p)", "(*{0})", caveat=_HINT)
        for name in ("ldg", "ldca", "ldcg", "ldcs", "ldcv", "ldlu")
    ),
    *(
        row(f"void __{name}(T *p, T value)", "(*{0} = {1})", caveat=_HINT)
        for name in ("stcg", "stcs", "stwb", "stwt")
    ),
    *(
        row(
            f"unsigned int __is{cuda}(const void *p)",
            f"uint(cu::memory::in_{{space0}} == cu::memory::in_{metal})",
            caveat="the pointer is dropped: its type says where it leads",
        )
        for cuda, metal in _SPACES.items()
    ),
    refused("unsigned int __isGridConstant(const void *p)", "CU3309"),
    *(refused(f"size_t __cvta_generic_to_{space}(const void *p)", "CU3309") for space in _GENERIC),
    *(refused(f"void *__cvta_{space}_to_generic(size_t address)", "CU3309") for space in _GENERIC),
    row("void *memcpy(void *to, const void *from, size_t bytes)", "cu::memcpy({0}, {1}, {2})"),
    row("void *memmove(void *to, const void *from, size_t bytes)", "cu::memmove({0}, {1}, {2})"),
    row("void *memset(void *to, int value, size_t bytes)", "cu::memset({0}, {1}, {2})"),
    row(
        "void __pipeline_memcpy_async(void *to, const void *from, size_t bytes, size_t zeros = 0)",
        "cu::memcpy_async({0}, {1}, {2}, {3=0})",
        caveat=_ASYNC,
        code="CU4106",
    ),
    row("void __pipeline_commit()", "((void)0)", caveat=_ASYNC),
    row("void __pipeline_wait_prior(int n)", "((void)0)", caveat=_ASYNC),
    refused("void __pipeline_arrive_on(unsigned long long *barrier)", "CU3207"),
    refused("void *malloc(size_t bytes)", "CU3302"),
    refused("void free(void *p)", "CU3302"),
    refused("void *alloca(size_t bytes)", "CU3302"),
)
