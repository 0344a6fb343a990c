"""Barriers and fences inside a threadgroup, and what Metal has no counterpart for."""

from cu2mlx.transpiler.tables.row import Builtin, refused, row

# CUDA's barriers order global and shared memory. The rule passes fewer flags where one of them is not shared.
_FLAGS = "{flags=mem_flags::mem_device | mem_flags::mem_threadgroup}"
_THREADS = "{block}.x * {block}.y * {block}.z"

ROWS: tuple[Builtin, ...] = (
    row(
        "void __syncthreads()",
        f"threadgroup_barrier({_FLAGS})",
        caveat="every thread of the block must reach it",
    ),
    *(
        row(
            f"int __syncthreads_{name}(int predicate)",
            f"cu::syncthreads_{name}({{0}}, {{scratch}}, {{index}}, {_THREADS})",
            caveat="takes 32 words of threadgroup memory and two barriers",
        )
        for name in ("count", "and", "or")
    ),
    row(
        "void __syncwarp(unsigned int mask = 0xffffffff)",
        f"simdgroup_barrier({_FLAGS})",
        caveat="the mask is dropped: the whole simdgroup waits",
        code="CU4102",
    ),
    row(
        "void __barrier_sync(unsigned int id)",
        f"threadgroup_barrier({_FLAGS})",
        caveat="named barriers are one barrier",
    ),
    refused("void __barrier_sync_count(unsigned int id, unsigned int count)", "CU3208"),
    row(
        "void __threadfence_block()",
        "cu::threadfence_block()",
        metal="3.2",
    ),
    row("void __threadfence()", "cu::threadfence()", metal="3.2"),
    row(
        "void __threadfence_system()",
        "cu::threadfence()",
        metal="3.2",
        caveat="orders the device only",
        code="CU4104",
    ),
    refused("long long clock64()", "CU3205"),
    refused("clock_t clock()", "CU3205"),
    refused("unsigned long long __globaltimer()", "CU3205"),
    refused("void __nanosleep(unsigned int ns)", "CU3206"),
    row("void __trap()", "((void)0)", caveat="dropped: the kernel runs on", code="CU4109"),
    row("void __brkpt()", "((void)0)", caveat="dropped", code="CU4109"),
    row("void __prof_trigger(int counter)", "((void)0)", caveat="dropped", code="CU4109"),
    row("int printf(const char *format, ...)", "((void)0)", caveat="dropped", code="CU4201"),
    row("void assert(int condition)", "((void)0)", caveat="dropped, as with NDEBUG", code="CU4202"),
    row("void __assert_fail(const char *condition, ...)", "((void)0)", caveat="dropped", code="CU4202"),
    *(
        row(f"void {name}()", "((void)0)", caveat="dispatches that depend on each other run in order anyway")
        for name in ("cudaGridDependencySynchronize", "cudaTriggerProgrammaticLaunchCompletion")
    ),
    row("void __builtin_assume(bool condition)", "((void)0)", caveat="a hint"),
    row("void __builtin_unreachable()", "((void)0)", caveat="a hint"),
    row("long __builtin_expect(long value, long expected)", "({0})", caveat="a hint"),
    row("T *__builtin_assume_aligned(T *p, size_t bytes)", "({0})", caveat="a hint"),
)
