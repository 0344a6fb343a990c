"""What can be tried of the translation on this computer, in one record: for the owner of a Mac to send back.

Per seed: translated, checked, verified against the original on the CPU machine (on Metal where that is, else on
the CPU machine too); some of them timed on Metal.
"""

import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from cu2mlx.runtime.check.translation import check_kernel
from cu2mlx.runtime.doctor.facts import examine, versions
from cu2mlx.runtime.emulate import PREAMBLE
from cu2mlx.runtime.inputs import make_inputs
from cu2mlx.runtime.metal import MetalExecutor
from cu2mlx.runtime.metal.executor import MetalKernel
from cu2mlx.runtime.protocol import CompileError, KernelText
from cu2mlx.runtime.spec import Case, Spec, load_spec
from cu2mlx.runtime.verify import TARGETS, translation_of, verify_kernel
from cu2mlx.runtime.verify.kernel import kernel_of
from cu2mlx.runtime.verify.packing import instance_of, pack
from cu2mlx.transpiler.pipeline import translate
from cu2mlx.transpiler.source import read_source

Say = Callable[[str], None]

# Sizes worth timing; what a spec's first case says besides holds too.
TIMED: Mapping[str, Mapping[str, int]] = {
    "saxpy/task.toml": {"n": 1 << 24},
    "softmax/task.toml": {"rows": 4096, "cols": 1024},
    "rms_norm/task.toml": {"num_tokens": 2048, "hidden_size": 4096},
    "transpose/task.toml": {"rows": 2048, "cols": 2048},
    "tiled_matmul/task.toml": {"M": 1024, "N": 1024, "K": 1024},
    "attention_forward/task.toml": {"batch_heads": 16, "q_len": 512, "k_len": 512},
}
_CALLS, _SAMPLES = 20, 7


def full_report(specs: list[Path], say: Say) -> dict[str, Any]:
    """A record that can be written as JSON, without times. `say` hears of the progress."""
    findings = list(examine())
    on_metal = any(each.name == "metal" and each.works for each in findings)
    target = "metal" if on_metal else "cpu"
    say(f"verifying on {target}")
    record: dict[str, Any] = {
        "date": time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime()),
        "versions": versions(),
        "findings": [{"name": each.name, "works": each.works, "detail": each.detail} for each in findings],
        "target": target,
        "kernels": [],
    }
    for path in specs:
        found = _kernel(path, target)
        record["kernels"].append(found)
        say(f"{found['spec']}: {found['verified']['verdict']}")
    return record


def timing_report(specs: list[Path], say: Say) -> list[dict[str, Any]]:
    """Times of the seeds in TIMED on Metal, in this process; nothing where there is no Metal."""
    if MetalExecutor().unavailable() is not None:
        return []
    record = []
    for path in specs:
        if _name(path) in TIMED:
            record.append(_timed(path, TIMED[_name(path)]))
            say(f"{_name(path)}: {record[-1]}")
    return record


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


def _kernel(path: Path, target: str) -> dict[str, Any]:
    spec = load_spec(path)
    source = read_source(path.parent / str(spec.source))
    translation = translate(source)
    kernel = kernel_of(translation, spec.kernel)
    translated = kernel is not None and kernel.interface is not None
    wrong: Iterator[str] = iter(())
    if kernel is not None and translated:
        wrong = (each.message for each in check_kernel(translation, kernel).diagnostics)
    verified = verify_kernel(source, spec, targets=[TARGETS[target]])
    return {
        "spec": _name(path),
        "kernel": spec.kernel,
        "translated": translated,
        "check": list(wrong),
        "verified": {**verified.as_json(), "spec": _name(path)},
    }


def _timed(path: Path, sizes: Mapping[str, int]) -> dict[str, Any]:
    """Seconds of one call among many in one graph: the median of some samples, and their range."""
    spec = load_spec(path)
    try:
        samples = _samples(spec, path, sizes)
    except (CompileError, RuntimeError) as error:
        return {"spec": _name(path), "sizes": dict(sizes), "error": str(error)}
    return {
        "spec": _name(path),
        "sizes": dict(sizes),
        "calls": _CALLS,
        "median_ms": statistics.median(samples) * 1e3,
        "range_ms": [min(samples) * 1e3, max(samples) * 1e3],
    }


def timing_case(spec: Spec, sizes: Mapping[str, int]) -> Case:
    """The spec's first case at other sizes."""
    first = spec.cases[0]
    return Case("timed", tuple({**dict(first.sizes), **sizes}.items()), first.template, first.defines)


def prepared(spec: Spec, path: Path, case: Case) -> tuple[MetalKernel, dict[str, Any]]:
    """A translated kernel for Metal, with MLX's keyword arguments for a case. It needs no GPU."""
    template = tuple((n, str(v).lower() if isinstance(v, bool) else str(v)) for n, v in case.template)
    source = read_source(path.parent / str(spec.source))
    translation = translation_of(source, spec.kernel, (), case.defines, "refuse", template)
    kernel = kernel_of(translation, spec.kernel)
    assert kernel is not None and kernel.interface is not None, "the seeds translate"
    inputs = make_inputs(spec, case)
    instance = instance_of(kernel.interface, inputs.resolved, translation.unit.text, narrow=False)
    packed = pack(kernel.interface, instance, inputs)
    loaded = MetalExecutor().load(KernelText("msl", PREAMBLE + packed.text, packed.entry))
    assert isinstance(loaded, MetalKernel)
    return loaded, loaded.call(packed.arguments, inputs.launch)


def _samples(spec: Spec, path: Path, sizes: Mapping[str, int]) -> list[float]:
    import mlx.core as mx

    loaded, call = prepared(spec, path, timing_case(spec, sizes))
    run = loaded.kernel()
    mx.eval(call["inputs"])
    samples: list[float] = []
    for _ in range(_SAMPLES + 1):
        started = time.perf_counter()
        mx.eval([run(**call, init_value=0.0) for _ in range(_CALLS)])
        samples.append((time.perf_counter() - started) / _CALLS)
    return samples[1:]  # the first one compiles
