"""The development set against its ledger, which may only improve. Its sources are downloaded, never committed."""

import json
from pathlib import Path

import pytest

from bench.corpus import totals_of

ROOT = Path(__file__).parent.parent.parent
CORPUS = ROOT / ".corpus"
LEDGER = json.loads((ROOT / "bench" / "results" / "corpus.json").read_text(encoding="utf-8"))["totals"]


@pytest.mark.skipif(
    not CORPUS.exists(), reason="python bench/corpus.py fetch .corpus downloads the development set"
)
@pytest.mark.parametrize("package", [name for name in LEDGER if name != "all"])
def test_no_package_got_worse(package: str) -> None:
    totals = totals_of(CORPUS / package.replace(" ", "-"))
    assert totals["translated"] >= LEDGER[package]["translated"]
    assert totals["checked"] >= LEDGER[package]["checked"]


def test_readme_and_page_say_what_the_ledger_holds() -> None:
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    sentence = (
        "Of the {kernels} kernels in ten public packages, {translated} translate whole and {checked} of those"
    )
    assert sentence.format(**LEDGER["all"]) in readme
    page = (ROOT / "docs" / "corpus.md").read_text(encoding="utf-8")
    for name, totals in LEDGER.items():
        assert "| {} | {kernels} | {translated} | {checked} |".format(name, **totals) in page


def test_most_of_the_small_packages_type_check() -> None:
    small = ("rwkv 0.8.32", "torch-cluster 1.6.3", "torch-scatter 2.1.2", "causal-conv1d 1.7.0")
    assert sum(LEDGER[name]["kernels"] for name in small) == 38
    assert sum(LEDGER[name]["checked"] for name in small) >= 26
