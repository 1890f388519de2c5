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

// LoadContract returns the contract of this build. It is compiled once per process.
//
//nolint:gochecknoglobals // a contract is immutable
var LoadContract = sync.OnceValues(func() (*api.Contract, error) { return api.ReadContract(openapi) })
