// Package docs renders the contract as a reference page: every operation with its permission, parameters, bodies,
// responses, an example and a curl command, then every schema.
//
// The page is rendered once. It needs no script and no external resource.
package docs
