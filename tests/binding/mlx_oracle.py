"""MLX's own Metal generator as an oracle: it runs on any machine, in a process of its own, without Metal."""

import re
import subprocess
import sys
import textwrap

_PREAMBLE = '''
import os, tempfile
import mlx.core as mx

_construct = mx.fast.metal_kernel

def _verbose(*args, **options):
    kernel = _construct(*args, **options)
    return lambda **call: kernel(**call, verbose=True)

mx.fast.metal_kernel = _verbose

def export(function, *arrays):
    """Trace `function`; MLX prints the source of every kernel it meets."""
    def traced(*arguments):
        result = function(*arguments)
        return result if isinstance(result, mx.array) else tuple(result)
    with tempfile.TemporaryDirectory() as folder:
        mx.export_function(os.path.join(folder, "traced.mlxfn"), traced, *arrays)
'''


def generated_by_mlx(script: str) -> list[str]:
    """Run `script` (it calls `export(function, *arrays)`) and return the sources MLX generated, in order."""
    run = subprocess.run(
        [sys.executable, "-"],
        input=_PREAMBLE + textwrap.dedent(script),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return re.findall(r"^Generated source code for `[^`]*`:\n```\n(.*?)\n```$", run.stdout, re.S | re.M)
