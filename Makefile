# Two commands do everything: `make demo` and `make test`. Both make .venv on first use.
# VENV=path uses (or makes) another environment; one that already has torch keeps it.
VENV  ?= .venv
TORCH ?= torch==2.13.0
BIN   := $(VENV)/bin
PY    := $(BIN)/python
JOBS  ?= 2
STAMP := $(VENV)/.cudasmith-installed

.PHONY: demo test lint unit gpu clean

demo: $(STAMP)
	@$(BIN)/cudasmith port examples/reverse_cumsum.py -o $(or $(TMPDIR),/tmp)/model_new.py

test: lint unit

lint: $(STAMP)
	$(BIN)/ruff check src tests examples benchmarks
	$(BIN)/ruff format --check src tests examples benchmarks
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

unit: $(STAMP)
	$(PY) -m pytest -n $(JOBS) --dist worksteal

gpu: $(STAMP)
	$(PY) -m pytest tests/gpu -rs

$(STAMP): pyproject.toml
	@test -x $(PY) || python3 -m venv $(VENV)
	@$(PY) -c "import torch" 2>/dev/null || $(PY) -m pip install --quiet --disable-pip-version-check "$(TORCH)"
	@$(PY) -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	@touch $(STAMP)

clean:
	rm -rf .venv .mypy_cache .ruff_cache build
