# Two commands do all the set-up on a machine with Python 3.11, make and git:
#   make demo   install, then open the workbench on a fresh copy of the demo vault
#   make test   install with the test tools, then run every check
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
# Test processes: three keep two cores busy, since tests of the screen wait now and then.
JOBS   ?= 3

.PHONY: demo test lint types layers vectors unit torture bench figures screenshots contact-sheet docs clean

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo-ready: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.test-ready: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch $@ $(VENV)/.demo-ready

$(VENV)/.docs-ready: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	@touch $@ $(VENV)/.demo-ready

demo: $(VENV)/.demo-ready
	@$(BIN)/proofstone demo

test: lint types layers vectors unit

lint: $(VENV)/.test-ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.test-ready
	$(BIN)/mypy

layers: $(VENV)/.test-ready
	$(BIN)/lint-imports

vectors: $(VENV)/.test-ready
	$(BIN)/python -m proofstone.testing.vectors tests/vectors/*.json

unit: $(VENV)/.test-ready
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal

# In full what `make test` samples: every ruling of a long script killed at every step, a crowd of
# programs on one vault for a minute, ten processes with 200 captures each. Some minutes.
torture: $(VENV)/.test-ready
	$(BIN)/python -m tests.torture.crash --processes 2
	$(BIN)/python -m tests.torture.stores
	$(BIN)/python -m tests.torture.crowd --seconds 60
	TORTURE=1 $(BIN)/python -m pytest tests/crash/test_capture_concurrency.py tests/tui/test_hostile_text.py

bench: $(VENV)/.test-ready
	$(BIN)/python -m bench

# What the last `make bench` measured, into the page of figures.
figures: $(VENV)/.test-ready
	$(BIN)/python -m bench.table bench/results.json --into docs/figures.md

# The pictures in the documents, drawn from the demo vault at the story's time.
SHOT := PROOFSTONE_NOW=2026-11-27T09:00:00Z $(BIN)/proofstone snapshot demo-vault --as "Mira Tal"
screenshots: $(VENV)/.demo-ready
	$(SHOT) -o docs/images/main.svg
	$(SHOT) -o docs/images/boundary.svg --keys slash,d,o,c,k,e,r,enter,b
	$(SHOT) -o docs/images/taint.svg --keys slash,n,e,e,d,space,n,o,enter
	$(SHOT) -o docs/images/memories.svg --screen memories

# The documentation as a site, in site/: its generated pages first, then all pages, with links that
# lead nowhere as errors.
docs: $(VENV)/.docs-ready
	$(BIN)/python docs/generate.py
	$(BIN)/python -m proofstone.tui.keys_page > docs/keys.md
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "built: site/index.html; to search in it too: $(PYTHON) -m http.server --directory site"

# Every screen and state at three sizes, on one page to look over. It takes a minute or two and
# some megabytes, so it is not kept in the repository; `make docs` takes it into the site if it is
# there.
contact-sheet: $(VENV)/.demo-ready
	$(BIN)/python -m proofstone.tui.contact_sheet docs/contact-sheet.html

clean:
	rm -rf $(VENV) dist build site .pytest_cache .mypy_cache .ruff_cache .hypothesis
