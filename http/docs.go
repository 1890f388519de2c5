package http

import (
	"net/http"

	"equity/http/docs"
)

// newDocs renders the reference page once: the contract does not change while the
// server runs.
func newDocs(c *contract) (http.Handler, error) { return docs.New(c.doc, c.text) }
