# One command each: demo, test, quick, exhaustive, lint, style, docs, bench, bench-bytes, bench-cost, truth, fuzz,
# fuzz-partition, fuzz-chain, fuzz-why, fuzz-layers, fuzz-search, fuzz-shortcuts, mutate, prove, wheel-compiled, dist.
# Everything is set up in .venv, from Python >= 3.11 and make.
# Hundreds of processes are started, and each would compile all modules again.
unexport PYTHONDONTWRITEBYTECODE
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
N ?= 3000

.PHONY: demo test quick exhaustive lint style docs bench bench-bytes bench-cost truth fuzz fuzz-partition fuzz-chain fuzz-why fuzz-layers fuzz-search fuzz-shortcuts mutate prove wheel-compiled dist clean

demo: $(VENV)/.installed
	mkdir -p build
	$(BIN)/pyshardy propagate examples/transformer_megatron.mlir -o build/transformer_propagated.mlir
	$(BIN)/pyshardy partition examples/transformer_megatron.mlir -o build/transformer_local.mlir
	$(BIN)/pyshardy check examples/transformer_megatron.mlir

# One worker a core; each runs its arrays on its own core alone. A file is run by one worker, which computes once what
# its tests share; in the order of their names, since those of few tests are not the short ones.
WORKERS := -n auto --dist loadfile --no-loadscope-reorder
# mypy runs beside them, since it uses one core.
test: style
	$(BIN)/mypy & types=$$!; \
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest $(WORKERS); tests=$$?; \
	wait $$types && exit $$tests

# For the inner loop, under a minute: no slow test, nothing beside the reference.
quick: $(VENV)/.test-installed
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest $(WORKERS) -m "not slow and not exhaustive" --ignore=tests/differential

# The cases of which the tests try a sample.
exhaustive: $(VENV)/.test-installed
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest $(WORKERS) -m exhaustive

lint: style
	$(BIN)/mypy

style: $(VENV)/.test-installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

# The site, from docs and from the code, in build/site; index.html there opens in any browser.
docs: $(VENV)/.docs-installed
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build

bench-bytes: $(VENV)/.test-installed
	$(BIN)/python -m benchmarks.collective_bytes

# What pyshardy cost counts against what XLA counts.
bench-cost: $(VENV)/.test-installed
	$(BIN)/python -m benchmarks.cost_model

# What pyshardy cost expects against runs on two virtual devices, which are measured first. Let nothing else run.
truth: $(VENV)/.test-installed
	$(BIN)/python -m benchmarks.truth

bench: $(VENV)/.test-installed
	$(BIN)/python -m benchmarks

fuzz-partition: $(VENV)/.test-installed
	$(BIN)/python -m tests.partitioning.fuzz $(N)

# The same programs through Shardy's own passes, which refuse a few in a thousand.
fuzz-chain: $(VENV)/.test-installed
	$(BIN)/python -m tests.partitioning.fuzz $(N) --chain

# Every answer of explain, and causes deleted.
fuzz-why: $(VENV)/.test-installed
	$(BIN)/python -m tests.analysis.why.fuzz $(N)

# Strategies for random programs: what is found is written, read again, costed and checked.
fuzz-search: N := 200
fuzz-search: $(VENV)/.test-installed
	$(BIN)/python -m tests.searching.fuzz $(N)

# Programs of many layers, propagated and partitioned by few of them and by all.
fuzz-layers: $(VENV)/.test-installed
	$(BIN)/python -m tests.folding.fuzz $(N) --propagate
	$(BIN)/python -m tests.folding.fuzz $(N)
	$(BIN)/python -m tests.folding.fuzz $(N) --numbered
	$(BIN)/python -m tests.folding.fuzz $(N) --rated
	$(BIN)/python -m tests.folding.fuzz $(N) --sliced
	$(BIN)/python -m tests.folding.fuzz $(N) --returning
	$(BIN)/python -m tests.folding.fuzz $(N) --updated
	$(BIN)/python -m tests.folding.fuzz $(N) --warned --propagate

# Programs of things that are alike in other ways: no shortcut may fail, or be seen.
fuzz-shortcuts: N := 5000
fuzz-shortcuts: $(VENV)/.test-installed
	$(BIN)/python -m tests.folding.fuzz $(N) --alike --all

fuzz: $(VENV)/.test-installed
	$(BIN)/python -m tests.differential.fuzz $(N)

# Partitions with one mistake each: how many does the check catch?
mutate: $(VENV)/.test-installed
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tests.checking.mutate $(N)

# Every reshard of small meshes and N random ones of larger meshes, on simulated devices.
prove: N := 20000
prove: $(VENV)/.test-installed
	$(BIN)/python -m tests.resharding.collectives.prove $(N)

# A wheel with the hot modules compiled, in dist/; tests run on it, and its results are held to those of the sources.
wheel-compiled: N := 300
wheel-compiled: $(VENV)/.test-installed
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tests.installation.compiled_wheel $(N)

# The sdist and the pure wheel, in dist/; the commands of the demo run on it where nothing else is installed.
dist: $(VENV)/.test-installed
	$(BIN)/python -m tests.installation.distributions

clean:
	rm -rf $(VENV) build dist

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/.test-installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	touch $@ $(VENV)/.installed

$(VENV)/.docs-installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[docs]'
	touch $@ $(VENV)/.installed
