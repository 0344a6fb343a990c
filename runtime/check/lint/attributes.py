"""Attribute names: clang ignores those it does not know, so misspelt ones would pass."""

import difflib
from collections.abc import Iterator

from cu2mlx.runtime.check.lint.note import Note
from cu2mlx.runtime.check.outline import Outline

# Values a kernel receives. Positions and sizes may have one to three components, indices have one.
POSITIONS = frozenset(
    {
        "thread_position_in_grid",
        "thread_position_in_threadgroup",
        "threadgroup_position_in_grid",
        "threadgroups_per_grid",
        "threads_per_grid",
        "threads_per_threadgroup",
        "dispatch_threads_per_threadgroup",
        "grid_origin",
        "grid_size",
    }
)
INDICES = frozenset(
    {
        "thread_index_in_threadgroup",
        "thread_index_in_simdgroup",
        "thread_index_in_quadgroup",
        "simdgroup_index_in_threadgroup",
        "simdgroups_per_threadgroup",
        "dispatch_simdgroups_per_threadgroup",
        "threads_per_simdgroup",
        "thread_execution_width",
        "quadgroup_index_in_threadgroup",
        "quadgroups_per_threadgroup",
        "dispatch_quadgroups_per_threadgroup",
    }
)
RESOURCES = frozenset({"buffer", "threadgroup", "texture", "sampler", "stage_in", "function_constant"})
_FUNCTIONS = frozenset(
    {
        "kernel",
        "host_name",
        "max_total_threads_per_threadgroup",
        "required_threads_per_threadgroup",
        "visible",
        "stitchable",
        "id",
        "user",
        "early_fragment_tests",
    }
)
_STANDARD = frozenset(
    {
        "maybe_unused",
        "nodiscard",
        "fallthrough",
        "likely",
        "unlikely",
        "noreturn",
        "deprecated",
        "always_inline",
    }
)
_KNOWN = POSITIONS | INDICES | RESOURCES | _FUNCTIONS | _STANDARD


def run(outline: Outline) -> Iterator[Note]:
    for attribute in outline.attributes:
        if attribute.name in _KNOWN or "::" in attribute.name or not attribute.name.isidentifier():
            continue
        close = difflib.get_close_matches(attribute.name, _KNOWN, n=1)
        hint = f"did you mean '{close[0]}'?" if close else ""
        yield Note(attribute.start, "unknown-attribute", f"unknown attribute '{attribute.name}'", hint)
