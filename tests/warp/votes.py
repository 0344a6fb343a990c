"""Votes, matches and masked reductions, in a branch that only some lanes take, and in both arms of it at once."""

from collections.abc import Callable
from functools import partial

import numpy as np

from tests.warp.family import LANES, Array, Family, Threads, Truth, masked_words, warps

_COUNT = 60


def _voted(test: Callable[[Array], Array], threads: Threads) -> Array:
    """The ballot of the mask's lanes."""
    return masked_words(test(threads.v) & threads.member)


def _members(threads: Threads) -> Array:
    return masked_words(threads.member)


def _odd(v: Array) -> Array:
    return v % 2 != 0


def _common(v: Array) -> Array:
    return v > -240


_VOTES: dict[str, Truth] = {
    "__ballot_sync(m, v & 1)": partial(_voted, _odd),
    "__any_sync(m, v == 7)": lambda t: _voted(lambda v: v == 7, t) != 0,
    "__all_sync(m, v > -240)": lambda t: _voted(_common, t) == _members(t),
    "__all_sync(m, v * 2)": lambda t: _voted(lambda v: v != 0, t) == _members(t),
    "__uni_sync(m, v > -240)": lambda t: (_voted(_common, t) == _members(t)) | (_voted(_common, t) == 0),
    "__activemask()": _members,
    "__popc(__ballot_sync(m, 1))": lambda t: t.member.sum(1, keepdims=True) + t.v * 0,
    "__ffs(__ballot_sync(m, v > 0)) - 1": lambda t: np.broadcast_to(
        np.where(((t.v > 0) & t.member).any(1), ((t.v > 0) & t.member).argmax(1), -1)[:, None], t.v.shape
    ),
}


def _same(key: Callable[[Array], Array], threads: Threads) -> Array:
    """Of each lane: the mask's lanes with its key."""
    keys = key(threads.v)
    equal = (keys[:, :, None] == keys[:, None, :]) & threads.member[:, None, :]
    return (equal.astype(np.int64) << np.arange(LANES)).sum(2)


def _agreed(key: Callable[[Array], Array], threads: Threads) -> Array:
    return np.where((_same(key, threads) == _members(threads)) & threads.member, threads.m, 0)


def _third(v: Array) -> Array:
    return np.fmod(v, 3)


def _sign(v: Array) -> Array:
    return v < -245


_MATCHES: dict[str, Truth] = {
    "__match_any_sync(m, v % 3)": partial(_same, _third),
    "__match_any_sync(m, (unsigned int)v & 7u)": partial(_same, lambda v: v & 7),
    "__match_any_sync(m, (float)(v % 3))": partial(_same, _third),
    "__match_any_sync(m, v & 1 ? 0.0f : -0.0f)": partial(_same, _odd),
    "__match_any_sync(m, v & 1 ? __int_as_float(0x7fc00000) : 1.0f)": partial(_same, _odd),
    "__match_any_sync(m, (long long)(v % 3) << 40)": partial(_same, _third),
    "__match_any_sync(m, (unsigned long long)(v % 3) << 40 | 5u)": partial(_same, _third),
    "__match_all_sync(m, v < -245, &agree)": partial(_agreed, _sign),
    "__match_all_sync(m, (long long)(v < -245) << 33, &agree)": partial(_agreed, _sign),
    "(__match_all_sync(m, v < -245, &agree), agree)": lambda t: _agreed(_sign, t) != 0,
}


def _folded(fold: np.ufunc, identity: int, dtype: type, threads: Threads) -> Array:
    values = np.where(threads.member, threads.v.astype(dtype), np.array(identity).astype(dtype))
    return np.broadcast_to(fold.reduce(values, axis=1, keepdims=True), threads.v.shape)


_INT, _UINT = np.int32, np.uint32
_REDUCTIONS: dict[str, Truth] = {
    "__reduce_add_sync({mask}, v)": partial(_folded, np.add, 0, _INT),
    "__reduce_min_sync({mask}, v)": partial(_folded, np.minimum, 2**31 - 1, _INT),
    "__reduce_max_sync({mask}, v)": partial(_folded, np.maximum, -(2**31), _INT),
    "__reduce_add_sync({mask}, (unsigned int)v)": partial(_folded, np.add, 0, _UINT),
    "__reduce_min_sync({mask}, (unsigned int)v)": partial(_folded, np.minimum, 2**32 - 1, _UINT),
    "__reduce_max_sync({mask}, (unsigned int)v)": partial(_folded, np.maximum, 0, _UINT),
    "__reduce_and_sync({mask}, (unsigned int)v)": partial(_folded, np.bitwise_and, 2**32 - 1, _UINT),
    "__reduce_or_sync({mask}, (unsigned int)v)": partial(_folded, np.bitwise_or, 0, _UINT),
    "__reduce_xor_sync({mask}, (unsigned int)v)": partial(_folded, np.bitwise_xor, 0, _UINT),
}


def _either(truth: Truth, threads: Threads) -> Array:
    """The members fold among themselves, the others among theirs."""
    others = threads._replace(m=~threads.m & 0xFFFFFFFF)
    return np.where(threads.member, truth(threads), truth(others))


def _shuffled_in_a_branch(threads: Threads) -> Array:
    """From the mask's lowest lane."""
    lowest = threads.member.argmax(1)[:, None]
    return np.broadcast_to(np.take_along_axis(threads.v, lowest, 1), threads.v.shape)


# Before CUDA 9: without a mask. NVRTC no longer has them for today's devices.
_LEGACY: dict[str, Truth] = {
    "__ballot(v & 1)": partial(_voted, _odd),
    "__any(v == 7)": lambda t: _voted(lambda v: v == 7, t) != 0,
    "__all(v > -240)": lambda t: _voted(_common, t) == _members(t),
    "__shfl(v, __ffs(m) - 1)": _shuffled_in_a_branch,
}

FAMILIES = (
    Family("votes", warps(_COUNT, 11), _VOTES, only_members=True),
    Family("matches", warps(_COUNT, 12), _MATCHES, before="    int agree = 7;", only_members=True),
    Family(
        "masked reductions",
        warps(_COUNT, 13),
        {text.format(mask="m"): truth for text, truth in _REDUCTIONS.items()},
        only_members=True,
    ),
    Family(
        "reductions of two masks at once",
        warps(_COUNT, 14),
        {
            text.format(mask="(m >> lane & 1 ? m : ~m)"): partial(_either, truth)
            for text, truth in _REDUCTIONS.items()
        },
    ),
    Family(
        "shuffles among some lanes",
        warps(_COUNT, 15),
        {
            "__shfl_sync(m, v, __ffs(m) - 1)": _shuffled_in_a_branch,
            "__shfl_sync(__activemask(), v, __ffs(__activemask()) - 1, warpSize)": _shuffled_in_a_branch,
        },
        only_members=True,
    ),
)
LEGACY = Family("without a mask", warps(_COUNT, 16), _LEGACY, only_members=True)
