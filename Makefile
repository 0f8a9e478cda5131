# Everything here needs Go, git, make and, the first time, a Go module proxy.

GO          ?= go
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
FUZZTIME    ?= 30s
SOURCES     := cmd emit generator markers rules

# The modules beside this one, whose programs hold crdproof against its oracles.
MODULES := testdata/parity testdata/circle testdata/declarative testdata/conformance

# lint vets, so that tests need not. Without symbols and debug information, test binaries are linked in two thirds of the time.
TEST := $(GO) test -vet=off -ldflags='-s -w'

# Arguments for the programs behind the targets, such as `make parity ARGS='-run keda'`.
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help build test ci lint parity circle declarative conformance conformance-helpers conformance-writes bench bench-helpers fuzz update

# Compilers and tests spend a quarter of their time on collecting garbage otherwise.
test ci lint: export GOGC ?= 800

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | while IFS="$$(printf '\t')" read -r name text; do \
		printf '  %-19s %s\n' "$$name" "$$text"; done

build: ## build bin/crdproof
	$(GO) build -o bin/crdproof ./cmd/crdproof

# Everything is downloaded first: cases about modules that there are not ask for the whole module graph, without a network.
# Every oracle is asked here for a sample. controller-gen itself runs beside all cases of generator. What real API servers and
# Kubernetes' own validators have said is in files, of the cases of rules/server and the samples of testdata/generate, which ci asks
# for again. The circle is closed for some types.
test: ## test all packages, all goldens and a sample of each oracle
	$(GO) mod download
	$(TEST) -short -timeout 10m ./...
	cd testdata/circle && $(TEST) -short -timeout 10m ./harness

# Packages whose tests do less in test. The comparisons are never taken from the test cache, which does not know that they build crdproof.
ci: lint ## all that test leaves out: lint, long random runs, the pages of the documentation, the modules of the oracles
	$(GO) mod download
	packages=$$(grep -rl --include='*_test.go' 'testing\.Short()' $(SOURCES) | sed 's|^|./|; s|/[^/]*$$||' | sort -u) && \
		$(TEST) -timeout 20m $$packages
	cd testdata/parity && $(TEST) -count=1 -timeout 20m ./...
	cd testdata/circle && $(TEST) -timeout 20m ./...
	cd testdata/declarative && $(TEST) -timeout 20m ./...
	cd testdata/conformance && $(TEST) -count=1 -timeout 20m ./...

# The quickstart is named because ./... passes over testdata.
lint: ## gofmt, go vet, staticcheck
	@bad=$$(gofmt -l $(SOURCES) testdata/quickstart $(MODULES)) && \
		if [ -n "$$bad" ]; then echo "gofmt would change:"; echo "$$bad"; exit 1; fi
	GOBIN="$$PWD/bin" $(GO) install $(STATICCHECK)
	$(GO) vet ./... ./testdata/quickstart/...
	bin/staticcheck ./... ./testdata/quickstart/...
	@for module in $(MODULES); do (set -x; cd "$$module" && $(GO) vet ./... && ../../bin/staticcheck ./...) || exit 1; done

parity: ## compare with controller-gen on all pinned API modules
	cd testdata/parity && $(GO) run . $(ARGS)

circle: ## hold Go's JSON of random types against their schemas, as in ARGS='-seed 7 -types 5000'
	cd testdata/circle && $(GO) run . $(ARGS)

declarative: ## hold CRDs of declarative validation tags against Kubernetes' own Go validators, as in ARGS='-seed 7 -values 5000'
	cd testdata/declarative && $(GO) run . $(ARGS)

conformance: ## hold verdicts on CRDs against the real API server's, as in ARGS='-seed 7 -mutations 5000'
	cd testdata/conformance && $(GO) run . $(ARGS)

conformance-helpers: ## hold helpers against the API server, as in ARGS='-seed 7 -objects 100000 -expressions 20000 -sample 20'
	cd testdata/conformance && $(GO) run ./helpers $(ARGS)

conformance-writes: ## hold answers to writes against the API server, as in ARGS='-seed 7 -objects 200 -crds=/dir/*.yaml'
	cd testdata/conformance && $(GO) test -count=1 -timeout 2h -v ./writes -args $(ARGS)

bench: ## measure time and memory beside controller-gen
	cd testdata/parity && $(GO) run ./bench $(ARGS)

bench-helpers: ## measure Go helpers beside the API server's library
	cd testdata/conformance && $(GO) run ./bench $(ARGS)

fuzz: ## run each fuzz target for FUZZTIME
	@grep -rnoE --include='*_test.go' '^func Fuzz[A-Za-z0-9_]*' $(SOURCES) | sort | \
	while IFS=: read -r file _ func; do \
		echo "$$file $${func#func }"; \
		$(GO) test -timeout 20m -run '^$$' -fuzz "^$${func#func }$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1x "./$${file%/*}" </dev/null || exit 1; \
	done

# Only packages that have an -update flag accept it.
update: ## rewrite what the tests expect
	@packages=$$(grep -rlE --include='*_test.go' 'flag\.Bool(Var)?\(.*"update"' $(SOURCES) | sed 's|^|./|; s|/[^/]*$$||' | sort -u); \
	if [ -n "$$packages" ]; then $(GO) test -timeout 20m $$packages -update; fi
	cd testdata/parity && $(GO) test -timeout 20m . -run TestSmall/quickstart -update
	cd testdata/declarative && $(GO) test -timeout 20m ./program -run TestValidators -update
	cd testdata/conformance && $(GO) test -timeout 20m ./writes -run TestCases -update
