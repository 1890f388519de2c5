package http

import (
	_ "embed"

	"equity/http/api"
)

// openapi is the bundled contract.
//
//go:embed openapi.yaml
var openapi []byte

// LoadContract compiles the contract of this build.
func LoadContract() (*api.Contract, error) { return api.ReadContract(openapi) }
