"""Back ends of MLX that record their launches, in the place of its own."""

import pytest
from recorder import Recorder


@pytest.fixture
def metal(monkeypatch: pytest.MonkeyPatch) -> Recorder:
    import mlx.core as mx

    recorder = Recorder()
    monkeypatch.setattr(mx.fast, "metal_kernel", recorder.construct)
    return recorder


@pytest.fixture
def cuda(monkeypatch: pytest.MonkeyPatch) -> Recorder:
    import mlx.core as mx

    recorder = Recorder()
    monkeypatch.setattr(mx.fast, "cuda_kernel", recorder.construct)
    monkeypatch.setattr(mx.cuda, "is_available", lambda: True)
    return recorder
