# `make check` is what CI runs: format, lint, types, import rules, fresh generated files, tests without a device.
PYTHON ?= python3

.PHONY: check format lint types imports generated test bless

check: lint types imports generated test

format:
	$(PYTHON) -m ruff format .
	$(PYTHON) -m ruff check --fix .

lint:
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m ruff check .

types:
	$(PYTHON) -m mypy

imports:
	lint-imports

generated:
	$(PYTHON) -m tests.generated --check

test:
	$(PYTHON) -m pytest -n auto

bless:
	$(PYTHON) -m pytest -n auto --bless
