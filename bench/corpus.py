"""The development set: python bench/corpus.py fetch DIR | report DIR [--write]

`fetch` downloads the source archives of ten public packages from the index pip is configured with (their code never
enters this tree). `report` translates every kernel and prints the totals; --write updates docs/corpus.md and
bench/results/corpus.json, the ledger that tests/corpus compares with.
"""

import hashlib
import json
import os
import subprocess
import sys
import tarfile
import urllib.parse
import urllib.request
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

from cu2mlx.transpiler.diagnostics import CATALOGUE

ROOT = Path(__file__).parent.parent
LEDGER = ROOT / "bench" / "results" / "corpus.json"
PACKAGES = (
    ("mmcv", "2.2.0"),
    ("deepspeed", "0.19.8"),
    ("llama-cpp-python", "0.1.78"),
    ("gsplat", "1.5.3"),
    ("auto-gptq", "0.7.1"),
    ("torch-cluster", "1.6.3"),
    ("torch-scatter", "2.1.2"),
    ("rwkv", "0.8.32"),
    ("causal-conv1d", "1.7.0"),
    ("mamba-ssm", "2.3.2.post1"),
)


def index() -> str:
    asked = [sys.executable, "-m", "pip", "config", "get", "global.index-url"]
    found = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    from pip._internal.models.index import PyPI  # pip's own default, so that no host is named here

    return (os.environ.get("PIP_INDEX_URL") or found or PyPI.simple_url).rstrip("/")


def fetch(folder: Path, name: str, version: str) -> None:
    """Download, check and unpack one source archive below `folder`/NAME-VERSION."""
    target = folder / f"{name}-{version}"
    if target.exists():
        return
    page = f"{index()}/{name}/"
    request = urllib.request.Request(page, headers={"Accept": "application/vnd.pypi.simple.v1+json"})
    with urllib.request.urlopen(request) as answer:
        files: list[dict[str, Any]] = json.load(answer)["files"]
    wanted = f"{name}-{version}.tar.gz".replace("-", "_").lower()
    entry = next(f for f in files if f["filename"].replace("-", "_").lower() == wanted)
    with urllib.request.urlopen(urllib.parse.urljoin(page, entry["url"])) as answer:
        data = answer.read()
    if hashlib.sha256(data).hexdigest() != entry["hashes"]["sha256"]:
        raise SystemExit(f"{name}: the archive's sha256 is not the published one")
    archive = folder / entry["filename"]
    archive.write_bytes(data)
    with tarfile.open(archive) as opened:
        opened.extractall(target, filter="data")
    archive.unlink()


def reported(path: Path) -> dict[str, Any]:
    """`cu2mlx report --json` of one package."""
    done = subprocess.run(
        [sys.executable, "-m", "cu2mlx", "report", "--json", str(path)],
        capture_output=True,
        text=True,
        check=True,
    )
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def totals_of(path: Path) -> dict[str, int]:
    totals: dict[str, int] = reported(path)["totals"]
    return totals


def causes_of(answer: dict[str, Any]) -> Counter[str]:
    """What stands in the way of the kernels that are not type-checked: the code of each one's first error."""
    kernels = (kernel for file in answer["files"] for kernel in file["kernels"] if not kernel["checked"])
    errors = ([d["code"] for d in kernel["diagnostics"] if d["severity"] == "error"] for kernel in kernels)
    return Counter(codes[0] for codes in errors if codes)


def report(folder: Path) -> tuple[dict[str, dict[str, int]], Counter[str]]:
    """Totals of `cu2mlx report` for each package, and the causes over all."""
    found: dict[str, dict[str, int]] = {}
    causes: Counter[str] = Counter()
    for name, version in PACKAGES:
        answer = reported(folder / f"{name}-{version}")
        found[f"{name} {version}"] = answer["totals"]
        causes += causes_of(answer)
        print(f"{name:<20}", answer["totals"], flush=True)
    found["all"] = {key: sum(t[key] for t in found.values()) for key in next(iter(found.values()))}
    print(f"{'all':<20}", found["all"])
    return found, causes


def write(found: dict[str, dict[str, int]], causes: Counter[str]) -> None:
    LEDGER.parent.mkdir(exist_ok=True)
    ledger = {"date": date.today().isoformat(), "totals": found, "causes": dict(causes.most_common())}
    LEDGER.write_text(json.dumps(ledger, indent=2) + "\n")
    rows = [f"| {n} | {t['kernels']} | {t['translated']} | {t['checked']} |" for n, t in found.items()]
    listed = [f"| {code} {CATALOGUE[code].slug} | {count} |" for code, count in causes.most_common()]
    text = [
        "# The development set",
        "",
        "Every `__global__` function of ten public packages through `cu2mlx report` (translated: its whole reachable",
        "text was; type-checked: our checker, which is not Apple's compiler, accepts the generated Metal of one",
        f"instance). Files that a package holds twice count twice. Measured {date.today().isoformat()} with",
        "`python bench/corpus.py fetch .corpus && python bench/corpus.py report .corpus --write`.",
        "",
        "| package | kernels | translated | type-checked |",
        "|---|---|---|---|",
        *rows,
        "",
        "What stands in the way of the others, by the first error of each (`cu2mlx explain CODE` says the way out):",
        "",
        "| code | kernels |",
        "|---|---|",
        *listed,
    ]
    (ROOT / "docs" / "corpus.md").write_text("\n".join(text) + "\n")


def main(arguments: list[str]) -> None:
    if len(arguments) < 2 or arguments[0] not in ("fetch", "report"):
        raise SystemExit(__doc__)
    folder = Path(arguments[1])
    if arguments[0] == "fetch":
        folder.mkdir(parents=True, exist_ok=True)
        for name, version in PACKAGES:
            fetch(folder, name, version)
            print(name, version)
        return
    found, causes = report(folder)
    if "--write" in arguments:
        write(found, causes)


if __name__ == "__main__":
    main(sys.argv[1:])
