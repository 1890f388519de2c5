// Package equity serves the cap table: securities, holdings, plans, rounds, certificates and the journal.
package equity

import (
	"log/slog"
	"maps"
	"time"

	"equity/http/api"
)

// Services are the dependencies of the package.
type Services struct {
	Index   api.Index
	Journal api.Journal
	// Certificates stores rendered certificates; nil renders each anew.
	Certificates Certificates
	// Anchors signs the heads of proofs; nil signs none.
	Anchors Anchors
	// PublicURL is the public base URL, for QR codes.
	PublicURL string
	// Page returns an HTML page with its Content-Security-Policy.
	Page func(name string, facts any) (text []byte, policy string, err error)
	Log  *slog.Logger
	Now  func() time.Time
}

// base is the common part of the operations.
type base struct {
	*api.Kernel
	Services
	printer *printer
	archive *archive
}

type (
	capTables      struct{ *base }
	capitalChanges struct{ *base }
	certificates   struct{ *base }
	holdings       struct{ *base }
	issueBlocks    struct{ *base }
	journals       struct{ *base }
	legends        struct{ *base }
	options        struct{ *base }
	plans          struct{ *base }
	portfolios     struct{ *base }
	scenarios      struct{ *base }
	schedules      struct{ *base }
	securities     struct{ *base }
	shareholdings  struct{ *base }
	valuations     struct{ *base }
)

// Operations returns the handlers of the package by operation id.
func Operations(kernel *api.Kernel, services Services) map[string]api.Handler {
	b := &base{kernel, services, newPrinter(), newArchive(services)}
	all := map[string]api.Handler{}
	for _, part := range []interface{ operations() map[string]api.Handler }{
		capTables{b},
		capitalChanges{b},
		certificates{b},
		holdings{b},
		issueBlocks{b},
		journals{b},
		legends{b},
		options{b},
		plans{b},
		portfolios{b},
		scenarios{b},
		schedules{b},
		securities{b},
		shareholdings{b},
		valuations{b},
	} {
		maps.Copy(all, part.operations())
	}
	return all
}
