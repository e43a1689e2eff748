# The short way in. Everything here is a thin layer over CMake presets.
#   make demo     install what is missing, build, draw some trees
#   make test     install what is missing, build, run every test
SHELL := /bin/bash
JOBS ?= $(shell nproc)
# Headers compiled once, and several files compiled as one, make a cold build faster; PCH=OFF for who has
# a compiler cache that is warm, TOGETHER=0 too for who works on the code.
PCH ?= ON
TOGETHER ?= 8
RELEASE_OPTIONS = -DCOPSE_PCH=$(PCH) -DCOPSE_TOGETHER=$(TOGETHER)
CHECK_OPTIONS = -DCOPSE_PCH=$(PCH) -DCOPSE_TOGETHER=8
SOURCES = $(shell git ls-files 'copse/*.h' 'copse/*.cc' 'tests/*.h' 'tests/*.cc' 'benchmarks/*.cc' 'benchmarks/*.h' 'fuzz/*.cc' 'fuzz/*.h' 'examples/*.cc')

# Debian's Python, whatever comes first in PATH: another one has neither pybind11 nor numpy from Debian.
PYTHON ?= /usr/bin/python3

.PHONY: demo test build python python-test deb deb-test packages data-test asan tsan coverage damage fuzz bench page-test format check-format lint install uninstall clean

build: packages
	@cmake --preset release $(RELEASE_OPTIONS) > build.log 2>&1 || { cat build.log; rm -f build.log; exit 1; }; rm -f build.log
	@cmake --build --preset release -j $(JOBS) --target copse_program

demo: build
	@scripts/demo $(if $(TEXT),"$(TEXT)")

test: packages
	@scripts/install-packages test
	cmake --preset release $(RELEASE_OPTIONS) -DCOPSE_TESTS=ON
	cmake --build --preset release -j $(JOBS)
	ctest --preset release -j $(JOBS) -E 'Data\.'

# The Python module, in build/python: PYTHONPATH=build/python $(PYTHON) -c 'import copse'.
python: packages
	@scripts/install-packages python
	cmake --preset release $(RELEASE_OPTIONS) -DCOPSE_PYTHON=ON -DPython_EXECUTABLE=$(PYTHON) \
	  -DCOPSE_PYTHON_INSTALL=ON
	cmake --build --preset release -j $(JOBS) --target copse_python_package

python-test: python
	@scripts/install-packages test && scripts/install-packages python-test
	cmake --preset release $(RELEASE_OPTIONS) -DCOPSE_TESTS=ON -DCOPSE_PYTHON_TESTS=ON
	cmake --build --preset release -j $(JOBS) --target copse_program copse_python_package
	ctest --preset release -j $(JOBS) -R '^python\.'

# The Debian packages, in build-deb; deb-test looks at them with lintian, installs and uses them in a
# clean Debian root, and builds them again to compare the bytes. It needs root and a mirror.
deb: packages
	@scripts/install-packages packages
	scripts/make-deb build-deb

deb-test: deb
	lintian --fail-on error build-deb/*.deb
	tests/packages/clean-root build-deb
	tests/packages/same-bytes build-deb

# The suite on real treebanks; COPSE_DATA names the folder they are in.
data-test:
	@test -n "$(COPSE_DATA)" || { echo "set COPSE_DATA to a folder with treebanks"; exit 2; }
	COPSE_DATA=$(abspath $(COPSE_DATA)) ctest --preset release -j $(JOBS) -R 'Data\.'

packages:
	@scripts/install-packages build

# Every test of every room, in a Debug build with asserts. The examples of
# the documentation train whole models and the walk over all formats calls every command: `make test` has them.
asan: packages
	@scripts/install-packages test && scripts/install-packages develop
	cmake --preset asan $(CHECK_OPTIONS)
	cmake --build --preset asan -j $(JOBS)
	ctest --preset asan $(CTEST_OPTIONS) -j $(JOBS) -E 'Data\.|cli\.(examples|tokens)'

# Only what runs in threads: the ordered stream, the commands over it, learners, and the server.
tsan: packages
	@scripts/install-packages test && scripts/install-packages develop
	cmake --preset tsan $(CHECK_OPTIONS)
	cmake --build --preset tsan -j $(JOBS) --target test_base test_learning test_cluster test_tag test_dependency test_constituency test_rerank test_pipeline test_server copse_program
	ctest --preset tsan $(CTEST_OPTIONS) -j $(JOBS) -R '^(Stream|cli|server|DocumentPipe|ModelShelf)\.|Thread' -E 'cli\.(examples|tokens)'

# Which lines of the library the tests run: 95 % at least. build-coverage/uncovered.txt has the others.
coverage: packages
	@scripts/install-packages test && scripts/install-packages develop
	cmake --preset coverage $(CHECK_OPTIONS)
	cmake --build --preset coverage -j $(JOBS)
	@rm -rf build-coverage/counts
	LLVM_PROFILE_FILE=$(CURDIR)/build-coverage/counts/%4m.profraw ctest --preset coverage -j $(JOBS) -E 'Data\.'
	scripts/coverage build-coverage

# 4,500 damaged models of every kind, their checksums made right, under the sanitizers.
damage: packages
	@scripts/install-packages test && scripts/install-packages develop
	cmake --preset asan $(CHECK_OPTIONS)
	cmake --build --preset asan -j $(JOBS) --target fuzz_damage
	build-asan/fuzz/fuzz_damage $(if $(COUNT),$(COUNT),4500)

# Every target for MINUTES (10); build-fuzz/fuzz.log keeps the results.
fuzz: packages
	@scripts/install-packages develop
	cmake --preset fuzz $(CHECK_OPTIONS)
	cmake --build --preset fuzz -j $(JOBS)
	scripts/fuzz build-fuzz $(if $(MINUTES),$(MINUTES),10)

bench: packages
	@scripts/install-packages test
	cmake --preset release $(RELEASE_OPTIONS) -DCOPSE_BENCHMARKS=ON
	cmake --build --preset release -j $(JOBS)

# The page of `copse serve` in Debian's Chromium, and the types of its modules. Needs chromium, nodejs and npm.
page-test: build
	tests/page/run.sh build/copse build

format:
	clang-format -i $(SOURCES)

check-format:
	@scripts/install-packages develop
	clang-format --dry-run -Werror $(SOURCES)

# LINT_SECONDS=N begins no other file after so long.
lint: packages
	@scripts/install-packages develop
	cmake --preset dev -DCOPSE_TESTS=OFF -DCOPSE_BENCHMARKS=OFF -DCOPSE_TOGETHER=8
	scripts/lint --jobs $(JOBS) $(if $(LINT_SECONDS),--seconds $(LINT_SECONDS)) build-dev

# PREFIX=/somewhere puts it there; `make uninstall` removes what was put where last.
install: build
	@cmake --build --preset release -j $(JOBS) --target copse_product
	cmake --install build $(if $(PREFIX),--prefix "$(abspath $(PREFIX))")
	@cp build/install_manifest.txt build/installed.txt

uninstall:
	@scripts/uninstall build/installed.txt

clean:
	rm -rf build build-dev build-deb build-pip build-asan build-tsan build-coverage build-fuzz
