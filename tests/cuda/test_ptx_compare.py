"""No speed lost in translation, as far as a compiler shows: each seed's translation moves and shares as much as its
original (bench/ptx_compare.py). NVRTC is enough, a GPU is not needed."""

import importlib.util
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

from cu2mlx.runtime.cuda import nvrtc
from cu2mlx.runtime.cuda.compile import ptx_of

ROOT = Path(__file__).resolve().parents[2]
# Arrays of MLX never change, so these read one array and write another; what their threads leave alone is copied.
CHANGES_ITS_INPUT = {
    "attention_decode/task.toml", "attention_decode/split.toml", "rms_norm/task.toml", "rope/task.toml",
    "saxpy/task.toml", "scan/offsets.toml", "selective_scan/step.toml",
}  # fmt: skip
MEMORY = (
    "ld.global",
    "st.global",
    "ld.shared",
    "st.shared",
    "ld.local",
    "st.local",
    "shfl.sync",
    "bar.sync",
    "atom",
)


def _bench() -> ModuleType:
    found = importlib.util.spec_from_file_location("ptx_compare", ROOT / "bench" / "ptx_compare.py")
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


BENCH = _bench()


def _without_nvrtc() -> str:
    try:
        nvrtc.load_library()
    except nvrtc.NoNvrtcError as error:
        return str(error)
    return "" if nvrtc.include_folders() else "CUDA's headers are not here: pip install nvidia-cuda-runtime"


def test_instructions_are_counted_by_kind() -> None:
    ptx = """
        ld.param.u64 %rd1, [k_param_0];
    $L__BB0_1:
        @%p1 bra $L__BB0_1;
        {  cvt.f32.f16 %f1, %rs1;}
        ld.global.nc.v2.f32 {%f1, %f2}, [%rd1];
        mov.u32 %r1, %tid.x;
        shfl.sync.bfly.b32 %r2|%p2, %r1, 16, 31, -1;
        st.global.f32 [%rd1+4], %f1;
    """
    counted = BENCH.instructions(ptx)
    kinds = ("ld.param", "bra", "cvt", "ld.global", "shfl.sync", "st.global")
    assert counted == Counter(dict.fromkeys(kinds, 1))
    assert BENCH.difference(counted, counted) == ""
    assert BENCH.difference(counted, counted + Counter(["xor"])) == "xor 0 → 1"


@pytest.mark.skipif(bool(_without_nvrtc()), reason=_without_nvrtc())
@pytest.mark.parametrize(("name", "entry"), BENCH.table("seeds").items(), ids=lambda each: str(each)[:40])
def test_a_seed_keeps_its_instructions(name: str, entry: dict[str, object]) -> None:
    both = BENCH.texts(ROOT / "seeds" / name, entry.get("template", {}))
    original, translation = (BENCH.instructions(ptx_of(text, "sm_90")) for text in both)
    if name in CHANGES_ITS_INPUT:
        assert translation["ld.global"] <= original["ld.global"] + 2
        assert translation["st.global"] <= original["st.global"] + 2
    else:
        assert [translation[k] for k in MEMORY] == [original[k] for k in MEMORY], BENCH.difference(
            original, translation
        )
        assert translation.total() <= 1.15 * original.total(), BENCH.difference(original, translation)
