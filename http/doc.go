// Package http serves the API. The OpenAPI documents in contract/, bundled into
// openapi.yaml, declare the operations, their permissions, requests and answers.
//
// # Adding an operation
//
//  1. Declare it in contract/NOUN.yaml, or in contract.yaml of its room, with operationId, summary, description,
//     tags, x-permission, and x-agent and x-feature where they apply. A GET that
//     stores something has x-writes: true. A change that gives authority has
//     x-confirm: always, and a field that decides has x-mark (see
//     docs/assistant.md). An operation that is open to the holder of
//     its record has x-owner: true. One whose callers need more than its
//     x-permission has x-requires: a permission, the name of another guard, or
//     owner; its handler checks that, and the tests of all rights compare both.
//     One that requires a recent second factor has
//     x-second-factor: true. A PUT, PATCH or DELETE in an organization that
//     changes something outside of its journal has x-repeat: false. A field that
//     names a file has x-file: true, and a file in a form has its text as x-content
//     if only some contents are valid. A field of a form whose description is for
//     programmers has its help text for people as x-help. The tests of all rights send the example of
//     the body, with the ids of their records. Run make generate.
//  2. Write its handler in NOUN.go of a feature package, func(ctx, *api.Call)
//     (api.Answer, error), and add it to the table of that file.
//
// The server does not start if an operation has no handler or an unknown permission
// or feature, or if a handler has no operation. Everything else follows from the
// contract: routing, sessions, permission checks, validation, metrics and the
// reference page. A handler receives only valid and permitted requests. It decodes
// the body with [api.Decode], usually into a command of the domain.
//
// [api.Kernel.Run] executes every operation. HTTP requests and all other code that acts
// for a user call it, so the checks and the answers are the same.
package http

//go:generate go run ./contract/bundle contract openapi.yaml ../features
