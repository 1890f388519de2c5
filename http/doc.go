// Package http serves the contract: the OpenAPI documents of contract/, joined into
// openapi.yaml, decide what may be asked, by whom, and what is answered.
//
// # Adding an operation
//
//  1. Declare it in contract/NOUN.yaml, with operationId, summary, description,
//     tags, x-permission, and x-agent and x-feature where they apply; run make
//     generate.
//  2. Write its handler in NOUN.go, func(ctx, *Call) (Answer, error), and name it in
//     the table of that file.
//
// The server does not start while an operation lacks its handler or its permission,
// names a permission or a feature that does not exist, or a handler lacks its
// operation. Everything else follows from the contract: routing, the session, the
// permission check, the checks of parameters and body, the metrics, the reference
// page. A handler sees only requests that are right, and decodes the body with
// decode[T](call) into the type that the domain decides on.
//
// [Server.Run] is the one way in which an operation is run. HTTP calls it, and so
// may everything else that acts as a user: same checks, same answer.
package http

//go:generate go run ./contract/bundle contract openapi.yaml
