# make demo    installs what is missing, builds, runs the main job on a real buggy program
# make install what make build makes, without symbols, with pages of the manual and completions, in PREFIX (/usr/local; DESTDIR before it); make uninstall
# make release  bin/release: archives for amd64 and arm64, packages of Debian, lists of what is in them, SHA256SUMS; built twice and compared
# make deb     bin/gulo_VERSION_ARCH.deb of what is committed, for this processor, with the helper where it was built (make instrument)
# make try-install  that package in a clean Debian, as an ordinary user (debootstrap; needs root)
# make try-container  the container made of it (podman)
# make test    the same, and runs all checks and tests: what CI runs (docs/testing.md says what it leaves to make nightly)
# make nightly everything: all tests as a whole, then fuzzing; it keeps what came out in docs/nightly.md (two hours)
# make page    the page of gulo web: checks its types, makes the bundle
# make site    README, docs and the other Markdown as pages of HTML, in bin/site
# make pictures  the pictures of the page in docs, in the browser
# make vscode  the extension of VS Code: checked, tested, packaged as bin/gulo.vsix
# make editor  the extension in a real editor, from F5 to the repaired file: code-server and headless Chromium (npm, node 20)
# make emacs   a session in Emacs' dap-mode
# make nvim    a session in Neovim's nvim-dap (NVIM_DAP=folder that it is in)
# make page-speed  frames while panning 1,000 nodes, a step, a heap of 20,000 nodes, start-up, in the browser
# make slow    what each package's tests take of the processor, and the slowest tests (PACKAGES=./internal/app; ARGS=-short)
# make figures  what the structure measures: lines of code and tests, calls between files that go upward, methods of types
# make speed   programs on the machine, natively and under valgrind --tool=none (some minutes)
# make users   thirty sessions of users who draw what is right, with the time of repair
# make candidates  candidates of every place of the programs in the tests, and edits of their text: written, compiled, run beside the edit (CANDIDATES=name of a program; MOST=2500 of each, 0: all, which takes hours)
# make bench   the benchmarks, with the figures of the papers beside them
# make tables  faults injected into forty programs and repaired: the tables of gulo bench, over an hour
# make agreement  all repair engines on thousands of random faults (about half an hour)
# make instrument  the helper that puts memory debuggers into programs (clang-19, llvm-19-dev)
# make debuggers   small programs with an error under gulo and others
# make real-programs  seven programs from Debian's sources with gulo cc and their own tests (a quarter of an hour)
# make run-programs  bzip2, bc, Lua (LUA_TESTS=folder of its tests) and gzip on the machine, on their own tests, beside native runs (ten minutes; PROGRAMS="bc gzip" takes only these)
# make real-projects  six programs opened from their own build, SQLite among them; a fault in three corrected by drawing; times beside gdb (ten minutes; PROGRAMS as above)
# make real-bugs   bugs put back into four of them; make overhead  what debuggers cost on six (half an hour)
# make judges  300 right programs with a variant each through gulo fix with every method: what is called right or proved and is not (an hour)
# make opaque   every C file of the repository as gulo debug loads it: none is refused; docs/opaque.md lists what is opaque
# make outside  sixty programs as people write them, compiled and run, then through fix and locate (half an hour; LIMIT=10s)
# make said     the sixty by contracts and by assertions (half an hour; LIMIT=10s)
# make apart   24 more programs with references written apart, and 24 held back (make held), in the same way from reference and tests (ten minutes each; LIMIT=10s)
# make later   twenty more of them, and twenty held back (make kept), in the same way
# make fresh   twelve more of them, and twelve held back (make sealed), in the same way
# make csmith  N random programs natively and on the machine (N=1000, SEED=1, SETS=all or names of option sets)

GO      ?= go
BIN     := bin/gulo
N       ?= 1000
SEED    ?= 1
SETS    ?= all
FUZZ    ?= 4s
LIMIT   ?= 10s
MOST    ?= 2500
PACKAGES ?= ./...

# One set of flags for all that is built, so that it is built once; only the helper needs cgo.
export GOFLAGS ?= -trimpath
export CGO_ENABLED := 0

.PHONY: release deb try-install try-container install uninstall prepared nightly slow figures candidates run-programs opaque speed page pictures vscode emacs nvim page-speed users outside said apart held later kept fresh sealed judges real-projects real-programs real-bugs overhead debuggers all build instrument deps demo test check bench tables agreement csmith fuzz clean editor site

all: build

deps:
	@./scripts/deps gcc:gcc gdb:gdb
	@./scripts/deps z3:z3 || echo 'z3 is optional: without it gulo fix --assert, gulo explore and constants that the program does not mention are out of reach'
	@./scripts/deps tcc:tcc || echo 'tcc is optional: without it gulo fix --tests takes half as long again'

build: deps
	@mkdir -p bin
	$(GO) build -o $(BIN) ./cmd/gulo

# The helper that puts memory debuggers into programs; gulo itself needs no LLVM.
instrument:
	@./scripts/deps clang-19:clang-19 llvm-config-19:llvm-19-dev
	@mkdir -p bin
	CGO_ENABLED=1 $(GO) build -tags llvm19 -o bin/gulo-instrument ./cmd/gulo-instrument

PREFIX  ?= /usr/local
DESTDIR ?=
INSTALLED := $(DESTDIR)$(PREFIX)

# What is installed has no symbols, and no HTTP/2, which the page of gulo web, on this machine, does not need.
SMALL   := -tags nethttpomithttp2 -ldflags '-s -w'

# The helper is installed where it was built (make instrument). Pages have the date of the commit, so that the same commit makes the same files.
# They are made by a program of this machine, whatever gulo is built for.
install: deps
	@mkdir -p bin/installed $(INSTALLED)/bin
	$(GO) build $(SMALL) -o bin/installed/gulo ./cmd/gulo
	install -m 755 bin/installed/gulo $(INSTALLED)/bin/gulo
	@if test -x bin/gulo-instrument; then install -m 755 bin/gulo-instrument $(INSTALLED)/bin/gulo-instrument; \
		else echo 'gulo check and gulo cc need the helper: make instrument, and make install once more'; fi
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct 2>/dev/null || date +%s) GOARCH= $(GO) run ./scripts/manpages $(INSTALLED)

uninstall:
	rm -f $(INSTALLED)/bin/gulo $(INSTALLED)/bin/gulo-instrument $(INSTALLED)/share/man/man1/gulo.1 $(INSTALLED)/share/man/man1/gulo-*.1
	rm -f $(INSTALLED)/share/bash-completion/completions/gulo $(INSTALLED)/share/zsh/site-functions/_gulo $(INSTALLED)/share/fish/vendor_completions.d/gulo.fish

release:
	./scripts/release

deb:
	./scripts/deb

try-install: deb
	./scripts/try-install

try-container: deb
	./scripts/try-container

# Pages of HTML from the Markdown; fails where a link leads nowhere.
site:
	@rm -rf bin/site
	$(GO) run ./scripts/site bin/site

# Types of the page of gulo web, and the bundle that is embedded.
page:
	@./scripts/deps npm:npm
	cd internal/web/ui && npm ci --no-audit --no-fund --loglevel=error && npx tsc --noEmit
	$(GO) generate ./internal/web

# The pictures of the page that the README and the manual show.
pictures: page
	@./scripts/deps chromium:chromium
	$(GO) test ./internal/web -count=1 -run '^(TestDrag|TestTree|TestCrash)$$' -pictures

# The extension of VS Code: types, the adapter under VS Code's own client, the package bin/gulo.vsix.
vscode: build
	@./scripts/deps npm:npm
	cd editors/vscode && npm ci --no-audit --no-fund --loglevel=error && npx tsc --noEmit
	$(GO) test ./internal/web -run Bundle
	cd editors/vscode && GULO=$(CURDIR)/$(BIN) node --test test/
	cd editors/vscode && npx vsce package --no-dependencies --allow-missing-repository --out ../../bin/gulo.vsix

# The extension in code-server, which npm installs in bin/editor: F5, the picture, a repair, attaching. SHOTS=FOLDER keeps pictures. It ends
# with an error where code-server cannot be installed; scripts/vscode then ends with 3.
editor: build
	./scripts/vscode $(BIN)

# A session in Emacs' dap-mode, in batch.
emacs:
	@./scripts/deps emacs:emacs-nox /usr/share/doc/elpa-dap-mode:elpa-dap-mode
	$(GO) test -count=1 -run TestEmacs -v ./internal/dap

# A session in Neovim, headless; Debian does not have nvim-dap.
nvim: build
	@./scripts/deps nvim:neovim
	@test -d "$(NVIM_DAP)/lua/dap" || { echo "NVIM_DAP is not the folder of nvim-dap: $(NVIM_DAP)"; exit 2; }
	PATH=$(CURDIR)/bin:$$PATH NVIM_DAP=$(NVIM_DAP) nvim --headless -u NONE -c 'luafile editors/nvim/test.lua' -c 'cq'

# What the page takes in the browser: frames while panning, a step, large heaps, start-up.
page-speed: page
	@./scripts/deps chromium:chromium
	$(GO) test ./internal/web -count=1 -timeout 20m -run 'TestSpeed$$' -speed -v | grep -E ' (ms|kB) |^(---|ok|FAIL)'

# Sessions of users who draw what the right program would show: what they get, and how long repair takes.
users:
	$(GO) test -count=1 -timeout 30m -run 'TestUsers$$' -v ./internal/shell | grep -E '^(---|ok|FAIL)|sessions:'

# Every candidate of a repair is written, compiled by gcc, and run; make test takes a sample.
candidates: deps
	$(GO) test -count=1 -timeout 6h -run 'TestEveryCandidate/$(CANDIDATES)' -v ./internal/patch -every -candidates $(MOST) | grep -E '^ *---|candidates|every_test|^(ok|FAIL)'
	$(GO) test -count=1 -timeout 6h -run 'TestEveryText/$(CANDIDATES)' -v ./internal/repair/woven -every | grep -E '^ *---|edits|every_test|^(ok|FAIL)'

demo: build
	@./scripts/demo $(BIN)

check:
	@test -z "$$(gofmt -s -l cmd internal scripts)" || { echo "gofmt -s needed:"; gofmt -s -l cmd internal scripts; exit 1; }
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

# LONG is for the packages whose tests take longest: they begin first, beside each other, so that none is left alone
# at the end. One package more than there are processors is tested at a time: tests wait for gdb, the browser and solvers.
# Tests collect garbage as rarely as gulo itself does (process.MostGarbage). make check has vetted the tests already.
LONG    := ./internal/app ./internal/shell ./internal/pipeline ./internal/repair/runs ./internal/web ./internal/campaign ./internal/logic

prepared: build instrument check page
	@./scripts/deps chromium:chromium g++:g++ cmake:cmake csmith:csmith /usr/include/csmith/csmith.h:libcsmith-dev
	CGO_ENABLED=1 $(GO) vet -tags llvm19 ./cmd/gulo-instrument
	CGO_ENABLED=1 $(GO) test -vet=off -tags llvm19 ./cmd/gulo-instrument

BESIDE  := $(shell expr `nproc` + 1)
GARBAGE := GOGC=400

test: prepared
	$(GARBAGE) $(GO) run ./scripts/slowest -- -p $(BESIDE) -vet=off -short -timeout 60m $(LONG) ./...

# Every test as a whole, then fuzzing. What came out is written into docs/nightly.md.
nightly: prepared
	./scripts/nightly

figures:
	@$(GO) run ./scripts/figures

slow: build
	$(GARBAGE) $(GO) run ./scripts/slowest -processor -- -vet=off -count=1 -timeout 60m $(ARGS) $(PACKAGES)

# Each fuzz target runs for a short while (FUZZ=30s); make test runs their seeds. Findings are kept in testdata. Go at times calls the end of
# that time a failure ("context deadline exceeded"); that is none. It calls an input hung that takes ten seconds, as any may on a busy
# machine; that is a failure if it fails alone, too.
fuzz:
	@set -e; n=0; for t in $$(grep -rho --include='*_test.go' 'func Fuzz[A-Za-z]*' internal | sed 's/func //' | sort -u); do \
		p=$$(grep -rl --include='*_test.go' "func $$t(" internal | head -n 1 | xargs dirname); \
		echo "fuzz $$t in $$p"; \
		out=$$($(GO) test ./$$p -run '^$$' -fuzz "^$$t\$$" -fuzztime $(FUZZ) 2>&1) || case "$$out" in \
			*"hung or terminated unexpectedly"*"Failing input written"*) \
				$(GO) test ./$$p -timeout 2m -run "$$(echo "$$out" | sed -n 's/.*go test -run=//p')" >/dev/null || { echo "$$out"; exit 1; };; \
			*"Failing input written"*) echo "$$out"; exit 1;; \
			*"context deadline exceeded"*) ;; \
			*) echo "$$out"; exit 1;; esac; \
		echo "$$out" | tail -n 1; n=$$((n + 1)); done; \
	echo "$$n fuzz targets of $(FUZZ), nothing found"

# FAULTS random faults are given to all three repair engines (TestAgreement).
FAULTS  ?= 5060

agreement: deps
	$(GO) test -timeout 3h -run TestAgreement -v ./internal/bench -faults $(FAULTS) -z3 10s

# The paper's numbers of variants: 6,400 sessions (an hour on two cores), 200 faults for the effort.
tables: build
	$(BIN) bench repair --variants 40
	$(BIN) bench effort
	$(BIN) bench batch --variants 3

bench: build
	$(GO) test -run '^$$' -bench . -benchtime 20x ./internal/...

# Programs from Debian's sources, built with gulo cc; the sources are fetched by apt.
real-bugs: build instrument
	./scripts/real-bugs $(BIN)

overhead: build instrument
	./scripts/overhead $(BIN)

# How fast programs run on the machine, beside native code and valgrind --tool=none.
speed: build
	./scripts/speed $(BIN)

# Programs on the machine, on their own tests.
run-programs: build
	LUA_TESTS=$(LUA_TESTS) PROGRAMS="$(PROGRAMS)" ./scripts/run-programs $(BIN)

real-projects: build
	PROGRAMS="$(PROGRAMS)" ./scripts/real-projects $(BIN)

real-programs: build instrument
	./scripts/real-programs $(BIN)

# Every C file of the repository, loaded as for gdb.
opaque: deps
	$(GO) test -count=1 -timeout 20m -run TestOpaquePrograms -v ./internal/agreement -opaque

# Sixty programs, checked first; the limit is that of one search.
outside: build
	$(GO) test ./internal/bench/outside -run TestPrograms -full -timeout 30m
	$(BIN) bench outside --limit $(LIMIT)

# The sixty repaired by contracts and by assertions, which are checked first.
said: build
	$(GO) test ./internal/bench/outside -run TestSaid -full -timeout 60m
	$(BIN) bench outside --mode contract,assertions --limit $(LIMIT)

# Programs with a reference written apart; those in held, kept and sealed are not read by those who work on repair.
apart held later kept fresh sealed: build
	$(GO) test ./internal/bench/outside -run TestApart -every
	$(BIN) bench outside --dir internal/bench/outside/$@ --mode reference,tests --limit $(LIMIT)

# What gulo, AddressSanitizer, MemorySanitizer and Memcheck catch of small programs.
debuggers: build instrument
	@./scripts/deps valgrind:valgrind llvm-symbolizer-19:llvm-19
	$(GO) test ./internal/check -run TestCompare -v -compare

# PAIRS programs with a variant; NATIVE is the time of a native search for what refutes a repair.
PAIRS   ?= 300
NATIVE  ?= 60s

judges: build
	$(BIN) bench judges --pairs $(PAIRS) --native $(NATIVE) --limit 5s

# Programs on which the two differ are kept in bin/csmith. The option sets are in internal/agreement/csmith_test.go.
csmith: deps
	@./scripts/deps csmith:csmith /usr/include/csmith/csmith.h:libcsmith-dev
	$(GO) test -timeout 48h -v -run TestCsmith ./internal/agreement -programs $(N) -seed $(SEED) -sets $(SETS) -keep $(CURDIR)/bin/csmith

clean:
	rm -rf bin
