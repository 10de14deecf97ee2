# Every target says what it does; plain `make` lists them.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help build demo test race lint fuzz bench crash soak update clean setup

# Use the Go that is installed; never fetch another one behind the user's back.
export GOTOOLCHAIN := local

# The version is the latest tag, with the commits since as build metadata
# ("0.1.0+5.g1a2b3c4"). Without git or tags the program's own default stands.
VERSION := $(shell git describe --tags --match 'v[0-9]*' 2>/dev/null | sed -E 's/^v//; s/-([0-9]+)-(g[0-9a-f]+)$$/+\1.\2/')
LDFLAGS := -s -w$(if $(VERSION), -X main.version=$(VERSION))

# Settings to give on the command line: make fuzz FUZZTIME=10m
FUZZTIME ?= 60s
BENCH    ?= .
COUNT    ?= 1
MOMENTS  ?= 100
SOAK     ?= 30

GOLANGCI_VERSION := v2.15.0
GOLANGCI := bin/tools/golangci-lint-$(GOLANGCI_VERSION)

help: ## list the targets (this list)
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

build: ## build bin/distributor
	go build -trimpath -buildvcs=false -ldflags '$(LDFLAGS)' -o bin/distributor ./cmd/distributor

demo: build ## publish an example in ./demo, change it, review, publish again
	@echo
	@echo '== Monday: a producer hands over a bundle; it is planned, reviewed, applied.'
	rm -rf demo && mkdir demo
	cp fixtures/demo/distributor.hcl demo/
	cp -R fixtures/demo/monday demo/weather
	cd demo && ../bin/distributor bundle create weather --id weather.harbour
	cd demo && ../bin/distributor plan --out monday.plan
	cd demo && ../bin/distributor show --stat monday.plan
	cd demo && ../bin/distributor apply monday.plan
	@echo
	@echo '== Tuesday: two files change, one warning goes, another comes.'
	cp -R fixtures/demo/tuesday/. demo/weather/
	rm demo/weather/warnings/fog.md
	cd demo && ../bin/distributor bundle create weather --id weather.harbour
	cd demo && ../bin/distributor plan --out tuesday.plan
	cd demo && ../bin/distributor show --stat tuesday.plan
	cd demo && ../bin/distributor apply tuesday.plan
	cd demo && ../bin/distributor plan --detailed-exitcode
	@echo
	@echo 'Look at: demo/public/index.html              the page, in a browser'
	@echo '         demo/public/.distributor.json       the catalog: what is managed there'
	@echo '         demo/distributor.hcl, demo/weather  what it was made from'
	@echo 'Then change something in demo/weather or demo/public and plan again:'
	@echo '         cd demo && ../bin/distributor plan'

test: setup ## run every test
	go test ./...

race: setup ## run every test under the race detector (needs a C compiler)
	go test -race -timeout 60m ./...

lint: $(GOLANGCI) ## check style, layering and likely mistakes
	$(GOLANGCI) run ./...

fuzz: ## run each fuzz target for FUZZTIME (60s)
	@go test -list '^Fuzz' ./... | \
	awk '/^Fuzz/ { names[n++] = $$1 } /^ok/ { for (i = 0; i < n; i++) print $$2, names[i]; n = 0 }' | \
	while read -r package target; do \
		echo "go test -run '^$$' -fuzz '^$$target$$' -fuzztime $(FUZZTIME) -fuzzminimizetime 10x $$package"; \
		go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x "$$package" || exit 1; \
	done

bench: ## run the benchmarks; BENCH=regexp picks, COUNT=10 repeats
	go test -run '^$$' -bench '$(BENCH)' -benchmem -count $(COUNT) ./...
	@echo
	@echo 'To compare: make bench COUNT=10 > before.txt, then > after.txt, then'
	@echo 'benchstat before.txt after.txt (golang.org/x/perf/cmd/benchstat).'

crash: setup ## kill apply at MOMENTS (100) random moments, recover in each way
	DISTRIBUTOR_CRASH_MOMENTS=$(MOMENTS) go test -run '^TestApplyIsKilled$$' -count 1 -timeout 60m -v ./cmd/distributor

soak: setup ## run the reliability tests on random histories, SOAK (30) minutes
	.ci/soak $(SOAK)

update: ## rewrite what tests compare with; look at the diff after
	go test $(sort $(dir $(shell grep -rl --include='*_test.go' 'flag[.]Bool."update"' .))) -count 1 -update

setup:
	@.ci/need patch chromium

$(GOLANGCI):
	@echo 'Building golangci-lint $(GOLANGCI_VERSION) once; this takes a few minutes.'
	GOBIN='$(CURDIR)/bin/tools' go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)
	mv bin/tools/golangci-lint $@

clean: ## remove what was built and the demo
	rm -rf bin demo
