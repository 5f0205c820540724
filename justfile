# What can be done here. `./go NAME` runs a recipe after it has installed the tools; each line can also be typed.

python := ".venv/bin/python"

# list the recipes
default:
    @.venv/bin/just --list

# the whole check: what has to be green before a change goes in
test: check shared browser docs

# the check for every commit: format, lint, types, contracts, tests, generated pages
check: format lint types contracts pages
    {{python}} -m pytest -n auto -m "not browser and not shared"

# tests that read third-party data beside the project; skipped by name where it is absent
shared:
    {{python}} -m pytest -n auto -m shared

# feed the compiled kernels what nobody should write, under the sanitizers of the compiler
fuzz EXECUTIONS="1000000" SEED="1":
    {{python}} tests/fuzz/fuzzing.py {{EXECUTIONS}} {{SEED}}

# how many recorded values of other tools are compared, equal, and excused by reason
golden:
    {{python}} tests/golden/tallying.py

# is everything formatted?
format:
    .venv/bin/ruff format --check .

# ruff's lints
lint:
    .venv/bin/ruff check .

# mypy, strict
types:
    .venv/bin/mypy

# who may import whom
contracts:
    .venv/bin/lint-imports --no-cache

# are the generated pages what the code says?
pages:
    .venv/bin/cog -I docs --check --check-fail-msg="run: ./go fix" docs/reference/*.md

# tests that look at the pages in a browser; skipped by name where Chromium is absent
browser:
    {{python}} -m pytest -m browser

# build the documentation into site/
docs:
    .venv/bin/zensical build --clean --strict

# format, mend what can be mended, write the generated pages anew
fix:
    .venv/bin/ruff check --fix .
    .venv/bin/ruff format .
    .venv/bin/cog -I docs -r docs/reference/*.md

# write what the examples of the pages print now into them; look at the difference before you keep it
examples:
    {{python}} docs/examples.py README.md README.zh-CN.md docs/*.md docs/*/*.md

# speed and memory against peers, as ratios in one run; --quick is a smoke test, --write keeps the figures
bench *ARGS:
    {{python}} benchmarks {{ARGS}}

# how many instructions the scanner needs for a line, against the recorded figure; --write records it anew
instructions *ARGS:
    {{python}} benchmarks/instructions.py {{ARGS}}

# the kernels one by one, with pytest-benchmark
kernels *ARGS:
    {{python}} -m pytest benchmarks/kernels.py --benchmark-only {{ARGS}}

# write the locks anew: plain name==version lines
lock:
    {{python}} -m pip install --quiet uv
    .venv/bin/uv pip compile --universal --no-header --no-annotate --python-version 3.11 pyproject.toml -o requirements/core.txt
    .venv/bin/uv pip compile --universal --no-header --no-annotate --python-version 3.11 --extra dev pyproject.toml -o requirements/dev.txt
