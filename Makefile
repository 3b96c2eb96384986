# The commands of the project. Each does the set-up that it needs; what is done is stamped under
# .venv, so a second run starts at once. `make help` lists them.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

PYTHON ?= python3
export PYTHON
JOBS ?= $(shell nproc)
VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip --disable-pip-version-check -q
STAMP := $(VENV)/.stamp
BUILD := build/release
export CMAKE_BUILD_PARALLEL_LEVEL := $(JOBS)
export PIP_NO_INPUT := 1

SOURCES := CMakeLists.txt VERSION pyproject.toml $(wildcard README.md LICENSE) \
  $(shell find cmake cpp python -name __pycache__ -prune -o -path cpp/tests -prune -o \
          \( -type f -o -type d \) -print)
PYTHON_SOURCES := $(wildcard bench examples python tests tools)

.PHONY: help demo test bench bench-peers lint tidy format golden wheel dev clean distclean

help:  ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

demo: $(STAMP)-demo $(STAMP)-installed  ## train on handwritten digits, with all set-up
	$(PY) examples/digits.py

test: $(STAMP)-test $(STAMP)-installed-tests  ## every test, C++ then Python
	@status=0; \
	ctest --test-dir $(BUILD) --no-tests=error --output-on-failure -j $(JOBS) || status=$$?; \
	$(PY) -m pytest || status=$$?; \
	exit $$status

bench: $(STAMP)-test $(STAMP)-installed  ## our times and their ratios to the installed peers
	@if [[ -e .venv-peers/.stamp ]]; then $(MAKE) --no-print-directory .venv-peers/.stamp-lucid; \
	   .venv-peers/bin/python tools/peers.py run bench/run.py $(BENCH_ARGS); \
	 else $(PY) bench/run.py $(BENCH_ARGS); fi

bench-peers: .venv-peers/.stamp  ## an environment with the peers, exact versions

wheel: dist/.stamp  ## dist/*.whl
	@ls -l dist/*.whl

dev: $(STAMP)-test $(STAMP)-dev  ## configure and build build/dev; PYTHONPATH=build/dev/stage runs it
	cmake --preset dev
	cmake --build --preset dev

lint: $(STAMP)-test $(STAMP)-dev  ## formats, ruff, types of the stubs, clang++ -fsyntax-only
	$(PY) tools/lint.py

tidy: $(STAMP)-test $(STAMP)-dev  ## clang-tidy over every source
	$(PY) tools/lint.py --only configure tidy

format: $(STAMP)-dev  ## rewrite sources in the project's format
	$(PY) tools/lint.py --fix

golden: $(STAMP)-test  ## rewrite the generated op functions, stubs and the list of exported symbols
	$(PY) tools/gen_ops.py
	cmake --preset release > /dev/null
	cmake --build $(BUILD) --target golden_symbols all
	PYTHONPATH=$(BUILD)/stage $(PY) tools/gen_stubs.py

clean:  ## remove what was built; the environments stay
	rm -rf build dist out $(STAMP)-installed*

distclean: clean  ## remove the environments too
	rm -rf .venv .venv-peers

# --- set-up, stamped ---------------------------------------------------------------------------------

$(STAMP)-venv:
	tools/system_packages.sh build
	$(PYTHON) -m venv $(VENV)
	touch $@

$(STAMP)-build: pyproject.toml tools/requirements.py | $(STAMP)-venv
	@echo "installing what the build needs into $(VENV)"
	$(PIP) install $$($(PY) tools/requirements.py build | sed 's/ //g')
	touch $@

$(STAMP)-demo: pyproject.toml | $(STAMP)-build
	@echo "installing what the demo needs into $(VENV)"
	$(PIP) install $$($(PY) tools/requirements.py demo)
	touch $@

$(STAMP)-test: pyproject.toml tools/system_packages.sh | $(STAMP)-build
	tools/system_packages.sh build test
	@echo "installing what the tests need into $(VENV)"
	$(PIP) install $$($(PY) tools/requirements.py test demo)
	touch $@

$(STAMP)-dev: pyproject.toml tools/system_packages.sh | $(STAMP)-build
	tools/system_packages.sh build lint
	@echo "installing formatters and linters into $(VENV)"
	$(PIP) install $$($(PY) tools/requirements.py dev)
	touch $@

# --- the wheel, built by scikit-build-core in build/release -------------------------------------------

define build_wheel
@echo "building the wheel ($(BUILD), $(JOBS) jobs)"
rm -rf dist
$(PIP) wheel --no-build-isolation --no-deps --config-settings=build-dir=$(BUILD) -w dist .
touch dist/.stamp
endef

dist/.stamp: $(SOURCES) | $(STAMP)-build
	$(build_wheel)

$(STAMP)-installed: dist/.stamp
	$(PIP) install --no-deps --force-reinstall dist/*.whl
	touch $@

# The same, with the C++ tests built beside the library, from the same objects.
$(STAMP)-installed-tests: export LUCID_BUILD_TESTS := ON
$(STAMP)-installed-tests: $(SOURCES) $(shell find cpp/tests -type f) | $(STAMP)-test
	$(build_wheel)
	$(PIP) install --no-deps --force-reinstall dist/*.whl
	touch $(STAMP)-installed $@

# --- the peers that `make bench` measures against ------------------------------------------------------

.venv-peers/.stamp: bench/peers.txt tools/peers.py | $(STAMP)-build
	$(PYTHON) -m venv .venv-peers
	.venv-peers/bin/python tools/peers.py install bench/peers.txt
	touch $@

.venv-peers/.stamp-lucid: dist/.stamp | .venv-peers/.stamp
	.venv-peers/bin/python -m pip -q --disable-pip-version-check install --force-reinstall dist/*.whl
	touch $@
