# make demo   set up, then run RoTA's four baselines on the 100 test tasks and compare them with the paper; where pictures
#             can be drawn, also an episode of SpatialScout's scripted explorer, and ChainSpace's baselines on the
#             chains of its first three walks
# make test   set up, then lint, type-check and test
# make test-slow   the tests that take minutes or need npm

PYTHON ?= python3
BIN := .venv/bin
# The CPU build; a plain `torch` brings several GB of CUDA.
TORCH ?= torch==2.13.0

.PHONY: demo test test-slow vulkan clean

demo: .venv/installed-eval vulkan
	$(BIN)/spatialdojo sweep RoTA-v0 --out runs/demo --resume
	@why="$$($(BIN)/python -c 'from scoutbench_gym.rendering import why_unavailable; print(why_unavailable())')"; \
		if [ -n "$$why" ]; then echo "SpatialScout and ChainSpace are left out: $$why"; else \
		$(BIN)/spatialdojo eval SpatialScout-v0 --policy scripted-explorer --env-arg scene=ithor/FloorPlan201 \
			--episodes 1 --out runs/demo-scout --resume && \
		$(BIN)/spatialdojo sweep ChainSpace-v0 --episodes 11 --seeds 1 --out runs/demo-chainspace --resume; fi

test: .venv/installed-test vulkan
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest --numprocesses auto

test-slow: .venv/installed-test vulkan
	$(BIN)/pytest -m slow

# A driver for SpatialScout's pictures, where it may be installed.
vulkan:
	@.ci/install-vulkan

.venv/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "spatialdojo needs Python 3.11 or newer: make PYTHON=python3.11 ..."; exit 1; }
	$(PYTHON) -m venv .venv || { echo "Debian and Ubuntu: install the package python3-venv"; exit 1; }
	touch $@

.venv/installed-eval: .venv/python pyproject.toml
	$(BIN)/pip install --quiet --editable ".[eval,scout]"
	touch $@

.venv/installed-test: .venv/python pyproject.toml
	$(BIN)/pip install --quiet "$(TORCH)"
	$(BIN)/pip install --quiet --editable ".[test]"
	touch $@

clean:
	rm -rf .venv dist runs
