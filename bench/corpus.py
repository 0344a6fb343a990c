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
from datetime import date
from pathlib import Path
from typing import Any

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


def totals_of(package: Path) -> dict[str, int]:
    """What `cu2mlx report` counts in a package's folder."""
    done = subprocess.run(
        [sys.executable, "-m", "cu2mlx", "report", "--json", str(package)],
        capture_output=True,
        text=True,
        check=True,
    )
    totals: dict[str, int] = json.loads(done.stdout)["totals"]
    return totals


def report(folder: Path) -> dict[str, dict[str, int]]:
    """Totals of `cu2mlx report` for each package."""
    found: dict[str, dict[str, int]] = {}
    for name, version in PACKAGES:
        totals = totals_of(folder / f"{name}-{version}")
        found[f"{name} {version}"] = totals
        print(f"{name:<20}", totals, flush=True)
    found["all"] = {key: sum(t[key] for t in found.values()) for key in next(iter(found.values()))}
    print(f"{'all':<20}", found["all"])
    return found


def write(found: dict[str, dict[str, int]]) -> None:
    LEDGER.parent.mkdir(exist_ok=True)
    LEDGER.write_text(json.dumps({"date": date.today().isoformat(), "totals": found}, indent=2) + "\n")
    rows = [f"| {n} | {t['kernels']} | {t['translated']} | {t['checked']} |" for n, t in found.items()]
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
    found = report(folder)
    if "--write" in arguments:
        write(found)


if __name__ == "__main__":
    main(sys.argv[1:])
