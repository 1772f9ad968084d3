# Teasel: a facade over Meson.  `make help` lists what there is.

BUILD     ?= build
PREFIX    ?= /usr/local
DESTDIR   ?=
BOOTSTRAP ?= yes
JOBS      ?= $(shell nproc 2>/dev/null || echo 2)

# The runtime uses calling conventions that only clang has.
ifneq ($(filter default undefined,$(origin CC)),)
CC = clang-19
endif
export CC

VERSION := $(shell sed -n "s/.*version: '\([0-9][^']*\)'.*/\1/p" meson.build | head -n 1)
NINJA   := ninja --quiet -j $(JOBS)

.DEFAULT_GOAL := all
.PHONY: all help packages demo check check-long lint format bench install asan cov clean

all: packages $(BUILD)/build.ninja
	@said=$$($(NINJA) -C $(BUILD) 2>&1) || { echo "$$said" >&2; exit 1; }; \
	    [ "$$said" = "ninja: no work to do." ] || [ -z "$$said" ] || echo "$$said"
	@tools/stage $(BUILD)

help:
	@echo 'make              build bin/teasel and bin/teasel-cc'
	@echo 'make demo         build, then find, show and replay a lost update'
	@echo 'make check        build and run all tests (a few minutes)'
	@echo 'make check-long   the long ones: aarch64 under qemu, many more runs'
	@echo 'make lint         formatting, layers, static analysis;  make format  reformats'
	@echo 'make bench        measurements'
	@echo 'make asan         tests with the tool under AddressSanitizer and UBSan'
	@echo 'make cov          tests with a coverage table'
	@echo 'make install      PREFIX=$(PREFIX) DESTDIR=$(DESTDIR)'
	@echo 'make clean        remove what was built'
	@echo 'BOOTSTRAP=no      never install packages'

packages:
ifeq ($(BOOTSTRAP),yes)
	@./bootstrap.sh
endif

$(BUILD)/build.ninja: | packages
	@meson setup $(BUILD) >$(BUILD).log 2>&1 || { cat $(BUILD).log >&2; rm -rf $(BUILD); exit 1; }
	@rm -f $(BUILD).log

demo: all
	@tools/demo

check: all
	@tools/check --build $(BUILD) -j $(JOBS)

check-long: all
ifeq ($(BOOTSTRAP),yes)
	@./bootstrap.sh long
endif
	@tools/build-runtime aarch64 $(BUILD)
	@tools/stage $(BUILD)
	@tools/check --build $(BUILD) -j $(JOBS) --long

lint: all
ifeq ($(BOOTSTRAP),yes)
	@./bootstrap.sh lint
endif
	@tools/lint --build $(BUILD) -j $(JOBS)

format:
ifeq ($(BOOTSTRAP),yes)
	@./bootstrap.sh lint
endif
	@tools/lint --format

bench: all
ifeq ($(BOOTSTRAP),yes)
	@./bootstrap.sh bench
endif
	@bench/run

asan: all
ifeq ($(BOOTSTRAP),yes)
	@./bootstrap.sh asan
endif
	@tools/variant asan -j $(JOBS)

cov: all
ifeq ($(BOOTSTRAP),yes)
	@./bootstrap.sh asan
endif
	@tools/variant cov -j $(JOBS)

install: all
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' VERSION='$(VERSION)' tools/install-files

clean:
	rm -rf $(BUILD) $(BUILD)-asan $(BUILD)-cov bin lib teasel-out
