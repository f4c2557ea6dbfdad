# SPDX-License-Identifier: MIT
# The commands; each sets up what it needs first, and finds it in place the next time.
#	V=1 shows everything a test prints; FUZZ_SECONDS, SCALE, THOUSANDS, PROGRAMS, INPUTS and SOAK_SECONDS say how long
#	and how much, SEED from where on, JOBS in how many processes, MACHINES where; with OF=8 one random program
#	in eight is compiled by LLVM, and all in half the time.

PYTHON_BIN := .venv/bin/python
# one ninja: two versions would each build again what the other has built
export PATH := $(CURDIR)/.venv/bin:$(PATH)
FUZZ_SECONDS ?= 600
SCALE ?= 8
THOUSANDS ?= 1000
MACHINES ?= i686 aarch64 ppc64 ppc64le s390x
PROGRAMS ?= 100000
SEED ?= 0
JOBS ?= $(shell nproc)
INPUTS ?= 1000
SOAK_SECONDS ?= 600

.DEFAULT_GOAL := help
.PHONY: help demo test test-all check bench report docs docs-check lint grid arithmetic oracle fuzz prove lisp python ironclad foreign single tune kernel-test kunit kernel-patch kernel-measure kernel-soak deb wheel man bare clean

help: ## what can be made
	@sed -n 's/^\([a-z-]*\): .*## /make \1\t/p' Makefile | expand -t21

demo: ## the five carries at work, in under a minute
	@tools/setup demo
	@.venv/bin/carrychain demo

test: ## what a commit could break: this machine, foreign ones, kernels, sanitizers, proofs; its cases are the commit's
	@tools/setup test
	@$(PYTHON_BIN) tools/test test

test-all: ## all of it: every machine and kernel, longer proofs and fuzzing, with a seed of the day
	@tools/setup test
	@$(PYTHON_BIN) tools/test all --fuzz-seconds $(FUZZ_SECONDS)

check: ## the quick part, in three minutes: this machine, gcc, no root
	@tools/setup check
	@$(PYTHON_BIN) tools/test check

bench: ## time everything beside its peers
	@tools/setup demo peers
	@.venv/bin/carrychain bench

report: ## the papers' tables and figures beside ours
	@tools/setup check peers lisp
	@.venv/bin/carrychain report

docs-check: ## every figure in the pages beside the measurement that it quotes
	@tools/docs-check

lint: ## style
	@tools/setup check
	@$(PYTHON_BIN) tools/test lint

grid: ## the C tests with SCALE times as many vectors: at 8, every length at every offset
	@tools/setup check
	@CC_TEST_SCALE=$(SCALE) CC_TEST_HUGE=1 meson test -C build --suite c -t 0

arithmetic: ## small Lisp programs: each operator, signedness, width and place of the mask, beside SBCL
	@tools/setup check lisp
	@$(PYTHON_BIN) tests/python/ring_arithmetic.py --no-big

oracle: ## constant-time products, THOUSANDS thousand a width, beside GMP, CPython and, on foreign MACHINES, the schoolbook
	@tools/setup check peers foreign
	@CC_TEST_SCALE=$(THOUSANDS) meson test -C build -t 0 -v oracle
	@CC_TEST_SCALE=$(THOUSANDS) CARRYCHAIN_BUILD=$(CURDIR)/build $(PYTHON_BIN) -m pytest -q -k products \
		tests/python/test_fixed.py
	@for machine in $(MACHINES); do \
		[ -e build-cross/$$machine/build.ninja ] || meson setup build-cross/$$machine \
			-Dtests=true -Dbench=disabled --cross-file tests/cross/$$machine.ini || exit; \
		CC_TEST_SCALE=$(THOUSANDS) meson test -C build-cross/$$machine -t 0 -v oracle || exit; \
	done

fuzz: ## look for inputs that break something, for FUZZ_SECONDS
	@tools/setup check compilers peers
	@$(PYTHON_BIN) tools/test fuzz --fuzz-seconds $(FUZZ_SECONDS)

wheel: ## the wheel and the source distribution in build-wheel/dist, tried on each Python; ARCH=aarch64: another machine's
	@tools/setup wheel $(ARCH)
	@tools/wheel $(ARCH)

man: ## the commands' manual pages and the shells' completions, in build/man
	@tools/setup demo
	@$(PYTHON_BIN) tools/man build/man

docs: ## these pages, and a reference of all headers, as a searchable site that works offline, in build/docs
	@tools/setup docs
	@$(PYTHON_BIN) tools/docs build/docs

prove: ## kernels and compiled functions from their bytes; what the compiler rests on, at every width; damages; and PROGRAMS random programs
	@tools/setup check compilers
	@$(PYTHON_BIN) -m proofs.prove
	@$(PYTHON_BIN) -m proofs.mutants
	@$(PYTHON_BIN) -m proofs.emitted examples/lisp/*.lisp
	@$(PYTHON_BIN) -m carrychain.ring.prove examples/lisp/*.lisp
	@$(PYTHON_BIN) tests/python/ring_damage.py
	@$(PYTHON_BIN) tests/python/ring_differential.py --programs $(PROGRAMS)

lisp: ## random Lisp programs, PROGRAMS of them from SEED on, compiled and in other ways that must agree
	@tools/setup check
	@$(PYTHON_BIN) tests/python/ring_differential.py --programs $(PROGRAMS) --first $(SEED) --jobs $(JOBS) $(OF:%=--of %)

python: ## random Python programs compiled by @jit, PROGRAMS of them, and each operation on each kind, beside CPython
	@tools/setup check
	@$(PYTHON_BIN) tests/python/jit_differential.py --programs $(PROGRAMS) --first $(SEED) --jobs $(JOBS) \
		$(OF:%=--way words --of %)
	@CC_TEST_SCALE=220 CARRYCHAIN_BUILD=$(CURDIR)/build $(PYTHON_BIN) -m pytest -q tests/python/test_jit_kinds.py

ironclad: ## Ironclad's digests and ciphers from Debian's package, beside SBCL, on INPUTS random inputs each
	@tools/setup check lisp
	@$(PYTHON_BIN) tests/python/ring_ironclad.py --inputs $(INPUTS)

foreign: ## other people's Python from its package index under jit, beside CPython, on INPUTS random inputs each
	@tools/setup check
	@$(PYTHON_BIN) tests/python/jit_foreign.py --inputs $(INPUTS)

single: ## u128.h as one file to copy; bigint, checksum and fixed as a header and a source each; in build/single
	@tools/single u128.h bigint checksum fixed

tune: ## measure the thresholds on this machine
	@tools/setup demo peers
	@ninja -C build bench/tune/carrychain-tune
	@build/bench/tune/carrychain-tune src/limbs/thresholds.h

kernel-test: ## the modules and /dev/fibonacci inside real kernels
	@tools/setup demo
	@tools/kernel-test

kunit: ## the suites inside User-Mode Linux, also under KASAN, lockdep, kmemleak and failslab
	@tools/setup demo
	@tools/kunit

kernel-patch: ## the 128-bit API as a patch series for Linux, applied, built and tested
	@tools/kernel-patch

kernel-measure: ## what is measured inside the kernel; the results go to bench/results
	@tools/kernel-measure

kernel-soak: ## the modules under all loads at once, SOAK_SECONDS in each of two kernels that watch
	@tools/kernel-soak $(SOAK_SECONDS)

deb: ## Debian's packages, built and tried in chroots and in an emulated machine; as root
	@tools/deb

bare: ## make demo, wheel, check and test in a bare Debian, by root and an ordinary user (WITH="user check"); as root
	@tools/bare $(WITH)

clean: ## remove all that was built
	rm -rf build build-* .venv
