# Targets of the project. `make` alone lists them. Everything needs Go; what else a target needs, it installs.
SHELL := /usr/bin/env bash
.DEFAULT_GOAL := help
GO ?= go
LINTER := $(CURDIR)/bin/golangci-lint
LINTER_VERSION := v2.15.0
TORTURE_SECONDS ?= 600
# Packages whose tests drive whole processes: they run apart, as they want the machine for themselves.
PROCESSES := ./cmd/equity/processtest
PACKAGES = $$($(GO) list ./... | grep -v /processtest)

.PHONY: help run test race lint generate verify bench torture

help: ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1	/' | expand -t 12

run: ## start the server with a demo company; Go is all it needs
	$(GO) run ./cmd/equity serve --demo

test: race ## install what the tests need, start private services, run everything

race: ## the tests, with the race detector
	@. .ci/packages.sh && need_packages compiler
	$(GO) vet ./...
	.ci/with-services $(MAKE) --no-print-directory test-with-services

.PHONY: test-with-services
test-with-services:
	$(GO) test -race -timeout 20m $(PACKAGES)
	$(GO) test -race -timeout 20m -count=1 $(PROCESSES)

lint: $(LINTER) ## the linter, in the version that is pinned here
	$(LINTER) run ./...

$(LINTER):
	GOBIN=$(CURDIR)/bin $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(LINTER_VERSION)

generate: ## write what is generated: the bundled contract
	$(GO) generate ./...

verify: generate ## fail when something generated is stale or the module files are untidy
	git diff --exit-code -- http/openapi.yaml
	$(GO) mod verify

bench: ## measure the server against plain SQL on private services that wait for the disk
	$(GO) build -o bin/equity ./cmd/equity
	DURABLE=1 .ci/with-services sh -c 'bin/equity bench --database-url "$$TEST_DATABASE_URL" --redis-url "$$TEST_REDIS_URL"'

torture: ## put the program under fire for TORTURE_SECONDS
	TORTURE_SECONDS=$(TORTURE_SECONDS) .ci/with-services $(GO) test -race -count=1 -timeout 24h -v $(PROCESSES)
