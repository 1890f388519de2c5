// Package docs renders the contract as a reference page that people read: every
// operation with its permission, parameters, bodies, answers, an example and the
// line that tries it, then every schema.
//
// The page is rendered once. It needs no script and nothing from elsewhere.
package docs
