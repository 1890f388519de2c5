# Targets of the project. `make` alone lists them. Everything needs Go; what else a target needs, it installs.
SHELL := /usr/bin/env bash
.DEFAULT_GOAL := help
GO ?= go
TORTURE_SECONDS ?= 600
TORTURE_SCHEDULES ?= 100000
RACE_COUNT ?= 5

# Packages whose tests drive whole processes: they run apart, as they want the machine for themselves.
PROCESSES := ./cmd/equity/processtest
# Packages that compute in one goroutine. The race detector makes their tests several times slower. A test of cmd/equity checks that they start no
# goroutine; the tests of the packages that share their values between goroutines run with the detector. The long run has it for these packages too.
SEQUENTIAL := ./captable/... ./http/schema ./sheet
PACKAGES = $$($(GO) list ./... | grep -v /processtest | grep -vxF "$$($(GO) list $(SEQUENTIAL))")
# Packages whose properties over random histories run for TORTURE_SECONDS each in the long run.
PROPERTIES := ./captable ./captable/exit ./captable/ocf ./captable/waterfall ./http ./http/properties ./sheet
PROPERTY_TESTS := LimitsOfEveryDay|Invariant|PastDay|FixedPoint|CachedAnswersEqual|KnownAt|SumsBalance|Explanations|FormsOf
# The simulation runs at least TORTURE_SCHEDULES new schedules, for at least TORTURE_SECONDS. It runs without the race detector, which makes it about five times slower.
SIMULATION := ./actors/simulation
# Packages of the domain, which need no service.
DOMAIN := $(SEQUENTIAL) ./organization/... ./membership/... ./people/... ./account/... ./onboarding/... ./messages/...
# Packages where goroutines meet.
CONCURRENT := ./actors/... ./persistence/... ./http

# The race detector leaves out two packages that only compute: SQLite, which is translated from C, and argon2. They would
# take half of the time of the tests. Neither contains generic code: the linker would use its copies in other packages too.
# The checks of unsafe pointers leave out the library that SQLite calls, whose memory is that of C.
# The tests that build the program read the flags from the environment.
export RACE := -race -gcflags=modernc.org/...=-d=checkptr=0 -gcflags=modernc.org/sqlite/lib=-race=false -gcflags=golang.org/x/crypto/argon2=-race=false

# Builds contain no path of this folder, so that other clones find their compiled packages in the cache.
export GOFLAGS := $(strip $(filter-out -trimpath,$(GOFLAGS)) -trimpath)

# All builds without the race detector use no C, like a release, so that they share the compiled packages. The race detector requires C.
STATIC := env CGO_ENABLED=0 $(GO)
RACED := env CGO_ENABLED=1 $(GO) test $(RACE)

# The linter is built here once, unless the machine has just this version.
LINTER_VERSION := 2.15.0
LINTER = $(shell (golangci-lint version 2>/dev/null | grep -q 'version $(LINTER_VERSION) ' && command -v golangci-lint) || echo $(CURDIR)/bin/golangci-lint-$(LINTER_VERSION))

# The browser app. Its packages are pinned in web/package-lock.json. The built files in web/dist are committed.
NPM = npm --prefix web
WEB_PACKAGES := web/node_modules/.package-lock.json

# The linters of the contract. Their modules are pinned with their checksums, in a go.mod and a package-lock.json of their own.
VACUUM := $(CURDIR)/bin/vacuum
REDOCLY_PACKAGES := .ci/tools/redocly/node_modules/.package-lock.json
REDOCLY := REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true .ci/tools/redocly/node_modules/.bin/redocly

# The tools of a release. The modules of the second one are pinned with their checksums in its own go.mod.
RELEASER_VERSION := 2.16.0
RELEASER := $(CURDIR)/bin/goreleaser-$(RELEASER_VERSION)
CYCLONEDX := $(CURDIR)/bin/cyclonedx-gomod

.PHONY: help run test check compile test-packages test-processes test-web web-unit e2e race lint generate web verify verify-web bench web-check images torture release

help: ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1	/' | expand -t 12

run: ## start the server with a demo company; Go is all it needs
	$(STATIC) run ./cmd/equity serve --demo

test: ## install what the tests need, start private services, run everything
	@. .ci/packages.sh && need_packages compiler chromium perlclient
	MEANWHILE='$(MAKE) --no-print-directory --jobs=2 --output-sync=line compile' .ci/with-services $(MAKE) --no-print-directory --keep-going test-sequential test-packages test-processes e2e

# The tests and the compiler allocate much. With fewer garbage collections the tests take half of the processor time.
compile-code test-sequential test-packages test-processes: export GOGC := 400
# A program with the race detector sleeps for a second before it ends, by default.
test-packages test-processes: export GORACE := atexit_sleep_ms=50
# Each run checks the properties with the same histories; torture searches with new ones.
test-sequential test-packages check-code: export RAPID_SEED := 1

# What does not need the services: the code compiles while they start, beside the checks of the app, which use one processor for most of their time.
compile: web-unit compile-code

compile-code:
	$(STATIC) vet ./...
	$(STATIC) build -o bin/ ./cmd/equity ./cmd/providers
	env CGO_ENABLED=1 $(GO) build $(RACE) ./...

# The same command as in check, so that both share its results. Snapshots are the exception of SEQUENTIAL: they are read by several goroutines.
test-sequential:
	$(STATIC) test -vet=off $(SEQUENTIAL)
	$(RACED) -vet=off -run '^TestPack' ./captable

test-packages:
	$(RACED) -vet=off -timeout 60m $(PACKAGES)

test-processes:
	$(RACED) -vet=off -timeout 30m -count=1 $(PROCESSES)

test-web: web-unit ## check the types and the style of the browser app, run its unit tests, and its journeys in Chromium
	@. .ci/packages.sh && need_packages chromium
	$(STATIC) build -o bin/ ./cmd/equity ./cmd/providers
	SERVICES='postgres chat' .ci/with-services $(MAKE) --no-print-directory e2e

web-unit: $(WEB_PACKAGES)
	$(NPM) run --silent typecheck
	$(NPM) run --silent lint
	$(NPM) run --silent test

e2e:
	$(NPM) run --silent e2e

check: $(LINTER) $(WEB_PACKAGES) ## check code and app, and run their tests that need no service
	$(MAKE) --no-print-directory --jobs=2 --output-sync=line web-unit check-code

check-code:
	$(STATIC) vet ./...
	$(STATIC) run ./.ci/tools/house
	CGO_ENABLED=0 $(LINTER) run --allow-parallel-runners ./...
	$(STATIC) test -vet=off $(DOMAIN)

race: ## run the tests of what is concurrent RACE_COUNT times, looking for rare orders of events
	@. .ci/packages.sh && need_packages compiler perlclient
	.ci/with-services $(RACED) -timeout 2h -count=$(RACE_COUNT) $(CONCURRENT)

lint: $(LINTER) $(VACUUM) $(REDOCLY_PACKAGES) ## check the code and the contract with the linters that are pinned here
	$(STATIC) run ./.ci/tools/house
	CGO_ENABLED=0 $(LINTER) run --allow-parallel-runners ./...
	$(VACUUM) lint --remote=false --ruleset $(CURDIR)/.vacuum.yaml --no-style --no-banner --timeout 120 --fail-severity error http/openapi.yaml
	$(REDOCLY) lint --config .redocly.yaml --format stylish http/openapi.yaml

$(CURDIR)/bin/golangci-lint-$(LINTER_VERSION):
	GOBIN=$(CURDIR)/bin $(STATIC) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v$(LINTER_VERSION)
	mv bin/golangci-lint $@

generate: $(WEB_PACKAGES) ## write what is generated: the bundled contract, and the types of the browser app
	$(STATIC) generate ./...
	$(NPM) run --silent api

web: generate ## build the browser app into web/dist
	$(NPM) run --silent build

$(WEB_PACKAGES): web/package-lock.json
	@. .ci/packages.sh && need_packages node
	PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 $(NPM) ci --no-audit --no-fund --loglevel=error
	@touch $@

$(REDOCLY_PACKAGES): .ci/tools/redocly/package-lock.json
	@. .ci/packages.sh && need_packages node
	npm --prefix .ci/tools/redocly ci --no-audit --no-fund --loglevel=error
	@touch $@

verify: verify-web ## fail when something generated is stale or a module is not what it was
	@stored=$$(mktemp) && trap 'rm -f "$$stored"' EXIT && cp http/openapi.yaml "$$stored" && \
		$(STATIC) generate ./... && diff -u "$$stored" http/openapi.yaml || \
		{ echo "http/openapi.yaml was stale; it has been written anew" >&2; exit 1; }
	$(GO) mod verify

verify-web: $(WEB_PACKAGES) ## fail when the types or the built files of the browser app are stale
	@fresh=$$(mktemp -d) && trap 'rm -rf "$$fresh"' EXIT && cp web/src/api/schema.d.ts web/src/api/operations.gen.json web/src/routeTree.gen.ts "$$fresh" && \
		$(NPM) run --silent api >/dev/null && (cd web && npx vite build --logLevel error --outDir "$$fresh/dist" --emptyOutDir) && \
		for file in src/api/schema.d.ts src/api/operations.gen.json src/routeTree.gen.ts; do cmp "web/$$file" "$$fresh/$$(basename $$file)" || exit 1; done && \
		diff -r web/dist "$$fresh/dist" || { echo "the browser app was stale: run make web" >&2; exit 1; }

bench: ## measure the server against plain SQL on private services that wait for the disk
	$(STATIC) build -o bin/equity ./cmd/equity
	DURABLE=1 CHAT=0 .ci/with-services sh -c 'bin/equity bench --database-url "$$TEST_DATABASE_URL" --redis-url "$$TEST_REDIS_URL"'

web-check: $(WEB_PACKAGES) ## measure the browser app: bundle, layout shift, latency, Lighthouse
	@. .ci/packages.sh && need_packages chromium
	$(STATIC) build -o bin/ ./cmd/equity ./cmd/providers
	cd web && npx playwright test --config playwright.check.config.ts

images: $(WEB_PACKAGES) ## take the screenshots of docs/images/app
	@. .ci/packages.sh && need_packages chromium fonts
	$(STATIC) build -o bin/ ./cmd/equity ./cmd/providers
	$(NPM) run --silent images

torture: ## check the properties with random histories, run TORTURE_SCHEDULES simulated schedules, then put the program under fire, each for TORTURE_SECONDS
	@. .ci/packages.sh && need_packages compiler
	TORTURE_SECONDS=$(TORTURE_SECONDS) CHAT=0 .ci/with-services $(STATIC) test -count=1 -timeout 24h -v -run '$(PROPERTY_TESTS)' $(PROPERTIES)
	$(RACED) -vet=off -count=1 -timeout 24h $(SEQUENTIAL)
	TORTURE_SECONDS=$(TORTURE_SECONDS) TORTURE_SCHEDULES=$(TORTURE_SCHEDULES) $(STATIC) test -count=1 -timeout 24h -v -run '^TestSchedule(s|IsReproducible)$$' $(SIMULATION)
	TORTURE_SECONDS=$(TORTURE_SECONDS) CHAT=0 .ci/with-services $(RACED) -count=1 -timeout 24h -v $(PROCESSES)

release: $(RELEASER) $(CYCLONEDX) ## tag the version at the top of CHANGELOG.md, and build its archives into dist/, with checksums and lists of components; nothing is published
	@refuse() { echo "$$1" >&2; exit 1; }; tag=$$(sed -nE '/^## /{ s/^## ([0-9]+\.[0-9]+\.[0-9]+) - .*/v\1/p; q; }' CHANGELOG.md); \
		[ -n "$$tag" ] || refuse "the first section of CHANGELOG.md must have a version and a date"; \
		[ -z "$$(git status --porcelain)" ] || refuse "commit the changes of the working tree first"; \
		git rev-parse --quiet --verify "refs/tags/$$tag" >/dev/null || git tag --annotate --message "equity $${tag#v}" "$$tag" || exit 1; \
		[ "$$(git rev-parse "$$tag^{commit}")" = "$$(git rev-parse HEAD)" ] || refuse "$$tag exists at another commit"
	RELEASE="$$(git describe --tags --always --dirty | sed 's/^v//')" RELEASE_DATE="$$(git log -1 --format=%cI)" \
		RELEASE_TIME="$$(git log -1 --format=%ct)" PATH="$(CURDIR)/bin:$$PATH" $(RELEASER) release --snapshot --clean --parallelism=$${RELEASE_PARALLEL:-2}

$(RELEASER):
	GOBIN=$(CURDIR)/bin $(STATIC) install github.com/goreleaser/goreleaser/v2@v$(RELEASER_VERSION)
	mv bin/goreleaser $@

$(CYCLONEDX): .ci/tools/cyclonedx-gomod/go.mod
	GOBIN=$(CURDIR)/bin $(STATIC) -C .ci/tools/cyclonedx-gomod install github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod

$(VACUUM): .ci/tools/vacuum/go.mod
	GOBIN=$(CURDIR)/bin $(STATIC) -C .ci/tools/vacuum install github.com/daveshanley/vacuum
