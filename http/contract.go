package http

import (
	_ "embed"
	"sync"

	"equity/http/api"
)

// openapi is the bundled contract.
//
//go:embed openapi.yaml
var openapi []byte

// Document returns the bundled contract as YAML. Callers must not change it.
func Document() []byte { return openapi }

// contract compiles the contract once per process.
//
//nolint:gochecknoglobals // a contract is immutable
var contract = sync.OnceValues(func() (*api.Contract, error) { return api.ReadContract(openapi) })

// LoadContract returns the contract of this build.
func LoadContract() (*api.Contract, error) { return contract() }
