# All targets need Go, git, make and, the first time, a Go module proxy.

GO          ?= go
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOVULNCHECK := golang.org/x/vuln/cmd/govulncheck@v1.9.0
FUZZTIME    ?= 30s
SOURCES     := cmd diag docs emit generator internal markers objects rules schema

# Nested modules that users import by name: a fake client and adapters for webhooks. They have a .mod file for each other minor version
# of controller-runtime that they support.
CLIENTS := fakeclient fakeclient/crds webhook

# The nested module that generated helpers import. Its files are those of internal/support.
RUNTIME := crd

# The nested module that runs suites in go test.
SUITETEST := suitetest

# The example of the documentation, whose helpers import the runtime.
QUICKSTART := testdata/quickstart

# The tests of fakeclient and webhook are in a module of their own, with one example API for both. It has a .mod file for each
# minor version, too.
CLIENT_TESTS := testdata/clients testdata/clients/crds

# The nested module of the API server for tests. Its go.work replaces crdproof, so that its go.mod can do without.
SERVER := server

# The nested module of the plugin for golangci-lint and the tool for go vet. It has a go.work, as the server has.
ANALYZER := analyzer

# Modules with a go.work.
WORKSPACES := $(SERVER) $(ANALYZER)

# Nested modules with programs that compare crdproof with controller-gen, Go and Kubernetes, and that check its modules.
MODULES := $(CLIENTS) $(RUNTIME) $(SUITETEST) $(QUICKSTART) $(WORKSPACES) $(CLIENT_TESTS) testdata/parity testdata/circle testdata/declarative testdata/conformance testdata/golangci testdata/helm testdata/licenses

# lint runs go vet, so tests skip it. Linking a test binary without symbols and debug information takes a third less time.
TEST := $(GO) test -vet=off -ldflags='-s -w'

# Arguments for the programs behind the targets, such as `make parity ARGS='-run keda'`.
ARGS ?=
# The module of bench-profile: a case of testdata/parity.
MODULE ?= gateway-api

.DEFAULT_GOAL := help
.PHONY: help build test ci lint tidy licenses vulnerabilities parity circle declarative conformance conformance-helpers conformance-typed conformance-writes conformance-fakes minors histories bench bench-profile bench-helpers fuzz long update

# Otherwise compilers and tests spend a quarter of their time in the garbage collector.
test ci lint: export GOGC ?= 800

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | while IFS="$$(printf '\t')" read -r name text; do \
		printf '  %-19s %s\n' "$$name" "$$text"; done

build: ## build bin/crdproof
	$(GO) build -o bin/crdproof ./cmd/crdproof

# All modules are downloaded first: cases about missing modules need the whole module graph, without a network. Each comparison runs
# on a sample. controller-gen itself runs for all cases of generator. The answers of real API servers and of Kubernetes' own validators
# are in files, in the cases of objects/write and the samples of testdata/generate; ci compares them again.
test: ## test all packages, all golden files and a sample of each comparison
	$(GO) mod download
	$(TEST) -short -timeout 10m ./...
	cd testdata/circle && $(TEST) -short -timeout 10m ./harness

# These packages run fewer tests in test. Comparisons never use the test cache, which does not notice that they build crdproof.
ci: lint tidy licenses vulnerabilities ## run what test skips: lint, long random runs, the documentation, all comparisons
	$(GO) mod download
	packages=$$(grep -rl --include='*_test.go' 'testing\.Short()' $(SOURCES) | sed 's|^|./|; s|/[^/]*$$||' | sort -u) && \
		$(TEST) -timeout 20m $$packages
	$(TEST) -timeout 40m ./cmd/crdproof -run 'TestUnchanged$$' -changes 500
	$(MAKE) fuzz FUZZTIME=300x ARGS=-test.short
	cd testdata/parity && $(TEST) -count=1 -timeout 20m ./...
	cd testdata/circle && $(TEST) -timeout 20m ./...
	cd testdata/declarative && $(TEST) -timeout 20m ./...
	cd testdata/conformance && $(TEST) -count=1 -timeout 20m ./...
	cd testdata/golangci && $(TEST) -count=1 -timeout 20m ./...
	cd testdata/helm && $(TEST) -count=1 -timeout 20m ./...
	cd $(SERVER) && $(TEST) -timeout 20m ./...
	cd $(RUNTIME) && $(TEST) ./...
	cd $(SUITETEST) && $(TEST) ./...
	@for module in $(CLIENT_TESTS); do for file in go.mod $$(cd "$$module" && ls 0.*.mod); do \
		(set -x; cd "$$module" && $(TEST) -modfile="$$file" ./...) || exit 1; done; done

lint: ## gofmt, go vet, staticcheck
	@bad=$$(gofmt -l $(SOURCES) $(MODULES)) && \
		if [ -n "$$bad" ]; then echo "gofmt would change:"; echo "$$bad"; exit 1; fi
	GOBIN="$$PWD/bin" $(GO) install $(STATICCHECK)
	$(GO) vet ./...
	bin/staticcheck ./...
	@for module in $(MODULES); do (set -x; cd "$$module" && $(GO) vet ./... && $(CURDIR)/bin/staticcheck ./...) || exit 1; done

# go mod tidy ignores a go.work, so the replacement in it is made in a copy of the module's go.mod.
tidy: ## check that go mod tidy changes no module
	@for module in . $(filter-out $(WORKSPACES),$(MODULES)); do for file in go.mod $$(cd "$$module" && ls 0.*.mod 2>/dev/null); do \
		(set -x; cd "$$module" && $(GO) mod tidy -diff -modfile="$$file") || exit 1; done; done
	@mkdir -p bin
	@for module in $(WORKSPACES); do \
		cp "$$module/go.mod" "bin/$$module.mod" && cp "$$module/go.sum" "bin/$$module.sum" && \
		$(GO) mod edit -replace=github.com/crdproof/crdproof=.. "bin/$$module.mod" && \
		(set -x; cd "$$module" && GOWORK=off $(GO) mod tidy -diff -modfile="../bin/$$module.mod") || exit 1; done

licenses: ## check the licenses of the modules that are linked into crdproof
	cd testdata/licenses && $(TEST) -count=1 ./...

# Whoever cannot reach the database, as behind a proxy, can still run everything else.
vulnerabilities: ## report known vulnerabilities in the code that crdproof calls
	GOBIN="$$PWD/bin" $(GO) install $(GOVULNCHECK)
	@out=$$(bin/govulncheck ./cmd/... 2>&1); code=$$?; echo "$$out"; case "$$code $$out" in \
		0*) ;; \
		*"govulncheck: fetching vulnerabilities: "*) echo "skipped: the database of vulnerabilities cannot be reached" ;; \
		*) exit 1 ;; \
	esac

parity: ## compare with controller-gen on all pinned API modules
	cd testdata/parity && $(GO) run . $(ARGS)

circle: ## compare Go's JSON of random types with their schemas, as in ARGS='-seed 7 -types 5000'
	cd testdata/circle && $(GO) run . $(ARGS)

declarative: ## compare CRDs of declarative validation tags with Kubernetes' own Go validators, as in ARGS='-seed 7 -values 5000'
	cd testdata/declarative && $(GO) run . $(ARGS)

conformance: ## compare verdicts on CRDs with the real API server's, as in ARGS='-seed 7 -mutations 5000'
	cd testdata/conformance && $(GO) run . $(ARGS)

minors: ## compare verdicts on CRDs and objects with the API servers of each version, as in ARGS='-kube=1.34 -seed 7 -rules 500 -objects 300 dir'
	cd testdata/conformance && $(GO) run ./minors $(ARGS)

conformance-helpers: ## compare helpers with the API server, as in ARGS='-seed 7 -objects 100000 -expressions 20000 -sample 20'
	cd testdata/conformance && $(GO) run ./helpers $(ARGS)

conformance-typed: ## compare helpers for Go types with those for JSON, as in ARGS='-seed 7 -objects 50000 -run keda'
	cd testdata/conformance && $(GO) run ./typed $(ARGS)

conformance-writes: ## compare answers to writes with the API server, as in ARGS='-seed 7 -objects 200 -crds=/dir/*.yaml'
	cd testdata/conformance && $(GO) test -count=1 -timeout 2h -v ./writes -args $(ARGS)

conformance-fakes: ## compare the fake client with the API server, as in ARGS='-seed 7 -calls 5000 -crds=/dir/*.yaml'
	cd testdata/conformance && $(GO) test -count=1 -timeout 2h -v ./fakes -args $(ARGS)

histories: ## compare CRDs of releases, as in ARGS='-pairs /dir/pairs.tsv'
	cd testdata/conformance && $(GO) test -count=1 -timeout 2h -v ./histories -args $(ARGS)

bench: ## measure time and memory of crdproof and controller-gen, as in ARGS='-doc ../../docs/compare.md'
	cd testdata/parity && $(GO) run ./bench $(ARGS)

bench-profile: ## write crdproof.prof, the profile of a run on one module, as in MODULE=keda
	cd testdata/parity && $(GO) run ./bench -profile $(CURDIR)/crdproof.prof -run '^$(MODULE)$$'

bench-helpers: ## measure Go helpers and the API server's library, and helpers for Go types and for JSON
	cd testdata/conformance && $(GO) run ./bench $(ARGS)
	cd testdata/conformance && $(GO) run ./typed -bench

# A test binary of each package is linked once. New inputs are kept in bin/fuzz. A number of inputs, as in FUZZTIME=300x, includes the
# seeds, of which some targets have fewer with ARGS=-test.short.
fuzz: ## run each fuzz target for FUZZTIME
	@grep -rlE --include='*_test.go' '^func Fuzz' $(SOURCES) | sed 's|/[^/]*$$||' | sort -u | while read -r package; do \
		$(TEST) -c -fuzz . -o bin/fuzz/test "./$$package" </dev/null || exit 1; \
		for func in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\).*/\1/p' "$$package"/*_test.go); do \
			echo "$$package $$func"; \
			(cd "$$package" && exec "$(CURDIR)/bin/fuzz/test" -test.run '^$$' -test.fuzz "^$$func$$" \
				-test.fuzztime $(FUZZTIME) -test.fuzzminimizetime 1x -test.fuzzcachedir "$(CURDIR)/bin/fuzz/$$package" \
				-test.timeout 0 $(ARGS) </dev/null) || exit 1; \
		done; \
	done

# The numbers that are too large for ci.
long: ## run each fuzz target for 15 minutes, many disturbed runs, all versions, and all rules of the modules as beginners write them
	$(TEST) -count=1 -timeout 2h -v ./cmd/crdproof -run '^(TestShaken|TestParallelRuns|TestKilledRuns|TestPreCommit)$$' -shakes 20
	cd testdata/parity && $(TEST) -count=1 -timeout 2h -v . -run '^TestRules$$' -all-rules
	cd testdata/parity && $(TEST) -count=1 -timeout 2h -v . -run '^TestFix$$' -all-modules
	cd testdata/parity && $(TEST) -count=1 -timeout 3h -v ./random -run '^TestFix$$' -fix-seeds 2000 -first-seed $$(date +%s)
	cd testdata/conformance && $(GO) run ./minors -seed $$(date +%s) -rules 1000 -each 10 -mutations 1000 ../minors/cases crds
	cd testdata/conformance && $(GO) run ./minors -seed $$(date +%s) -objects 300
	$(MAKE) fuzz FUZZTIME=15m

# Only packages that have an -update flag accept it.
update: ## rewrite the golden files
	@packages=$$(grep -rlE --include='*_test.go' 'flag\.Bool(Var)?\(.*"update"' $(SOURCES) | sed 's|^|./|; s|/[^/]*$$||' | sort -u); \
	if [ -n "$$packages" ]; then $(GO) test -timeout 20m $$packages -update; fi
	cd $(SERVER) && $(GO) test . -run TestTopology -update
	cd testdata/parity && $(GO) test -timeout 20m . -run TestSmall/quickstart -update
	cd testdata/declarative && $(GO) test -timeout 20m ./program -run TestValidators -update
	cd testdata/golangci && $(GO) test -timeout 20m . -update
	cd testdata/conformance && $(GO) test -timeout 20m ./writes -run TestCases -update
