# Everything here needs Go, git, make and, the first time, a Go module proxy.

GO          ?= go
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
FUZZTIME    ?= 30s
SOURCES     := cmd emit generator markers rules

# Arguments for the programs behind the targets, such as `make parity ARGS='-run keda'`.
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help build test lint parity circle declarative conformance conformance-helpers conformance-writes bench bench-helpers fuzz update

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | while IFS="$$(printf '\t')" read -r name text; do \
		printf '  %-19s %s\n' "$$name" "$$text"; done

build: ## build bin/crdproof
	$(GO) build -o bin/crdproof ./cmd/crdproof

# Everything is downloaded first: cases about modules that there are not ask for the whole module graph, without a network.
# The comparison is never taken from the test cache, which does not know that it builds crdproof.
test: lint ## lint, test, and a little of parity, circle, declarative and conformance
	$(GO) mod download
	$(GO) test ./...
	cd testdata/parity && $(GO) test -count=1 ./...
	cd testdata/circle && $(GO) test ./...
	cd testdata/declarative && $(GO) test ./...
	cd testdata/conformance && $(GO) test -count=1 ./...

# The quickstart is named because ./... passes over testdata.
lint: ## gofmt, go vet, staticcheck
	@files=$$($(GO) list -f '{{$$d := .Dir}}{{range .GoFiles}}{{$$d}}/{{.}} {{end}}{{range .TestGoFiles}}{{$$d}}/{{.}} {{end}}{{range .XTestGoFiles}}{{$$d}}/{{.}} {{end}}' \
		./... ./testdata/quickstart/... && cd testdata && for module in parity circle declarative conformance; do echo "$$PWD/$$module"/*.go "$$PWD/$$module"/*/*.go; done) && \
	bad=$$(gofmt -l $$files) && if [ -n "$$bad" ]; then echo "gofmt would change:"; echo "$$bad"; exit 1; fi
	$(GO) vet ./... ./testdata/quickstart/...
	$(GO) run $(STATICCHECK) ./... ./testdata/quickstart/...
	cd testdata/parity && $(GO) vet ./...
	cd testdata/parity && $(GO) run $(STATICCHECK) ./...
	cd testdata/circle && $(GO) vet ./...
	cd testdata/circle && $(GO) run $(STATICCHECK) ./...
	cd testdata/declarative && $(GO) vet ./...
	cd testdata/declarative && $(GO) run $(STATICCHECK) ./...
	cd testdata/conformance && $(GO) vet ./...
	cd testdata/conformance && $(GO) run $(STATICCHECK) ./...

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
		$(GO) test -run '^$$' -fuzz "^$${func#func }$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1x "./$${file%/*}" </dev/null || exit 1; \
	done

# Only packages that have an -update flag accept it.
update: ## rewrite what the tests expect
	@packages=$$(grep -rlE --include='*_test.go' 'flag\.Bool(Var)?\(.*"update"' $(SOURCES) | sed 's|^|./|; s|/[^/]*$$||' | sort -u); \
	if [ -n "$$packages" ]; then $(GO) test $$packages -update; fi
	cd testdata/parity && $(GO) test . -run TestSmall/quickstart -update
	cd testdata/declarative && $(GO) test ./program -run TestValidators -update
	cd testdata/conformance && $(GO) test ./writes -run TestCases -update
