package api

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"time"

	"equity/http/admission"
	"equity/membership"
	"equity/organization"
)

// Settings are the operator's settings for the execution of operations.
type Settings struct {
	// Features enables features of the contract by name. A feature of the contract that is absent here is an error.
	Features map[string]bool
	// GatewayToken authorizes the operations of the gateway; empty disables them.
	GatewayToken string
	// ExportsParallel is the number of concurrently generated files (proofs, CSV, XLSX, OCF, PDF); 1
	// when 0.
	ExportsParallel int
	// ImportsParallel is the number of concurrent imports.
	ImportsParallel int
	// FileBytes limits the size of a body with files.
	FileBytes int64
	// StoredBytes limits the size of each file that an operation stores, by operation id.
	StoredBytes map[string]int64
	// UploadFolder is the folder of temporary files of uploads; empty for that of the system.
	UploadFolder string
	// LimitMemory marks the beginning of the import of a package. The caller calls the result at its end; nil for no limit.
	LimitMemory func() (end func())
	// QueryTime is the time after which a query starts no further question; 5 s when 0.
	QueryTime time.Duration
	// RenderedBytes is the size of the answer cache; 64 MB when 0.
	RenderedBytes int64
	// TagKey is the key of the hashes in ETags. Servers with the same key give an answer
	// the same ETag. Empty means a random key for each process.
	TagKey []byte
}

// Services are the dependencies of the kernel.
type Services struct {
	Schema        *organization.Schema
	Organizations Organizations
	Index         Index
	// ProfileFiles finds the profiles of files; nil if profiles have no files.
	ProfileFiles ProfileFiles
	Journal      Journal
	Accounts     AccountByID
	Throttle     Throttle
	// Writable returns the refusal of requests that may write, or nil; nil itself permits all.
	Writable func() error
	Log      *slog.Logger
	// Now returns the time. Random is a secure source, such as crypto/rand.Reader.
	Now      func() time.Time
	Random   io.Reader
	Contract *Contract
	// ExportSlots bounds the concurrent exports; nil makes a queue of the settings.
	ExportSlots *admission.Queue
	// Rooms add names of records, and statuses of refusals.
	Rooms []Room
}

// Kernel executes the operations of the contract: it checks a request, calls the handler of its feature and
// caches its answer. It is safe for concurrent use once its operations are bound.
type Kernel struct {
	problems
	attempts
	settings      Settings
	organizations Organizations
	index         Index
	profileFiles  ProfileFiles
	journal       Journal
	accounts      AccountByID
	writable      func() error
	log           *slog.Logger
	now           func() time.Time

	// Describer describes the arguments of previewed changes.
	Describer Describer
	// Schema decodes events.
	Schema *organization.Schema
	// Rights decides on behalf of which entities callers may act.
	Rights     *membership.Rights
	Contract   *Contract
	operations map[string]*Operation
	checks     map[string]func(*Call) error
	Locator    *locator
	rendered   *rendered
	effects    effects
	exports    exportQueue
	imports    importQueue
}

const renderedBytes = 64 << 20

// NewKernel creates a kernel without operations. See [Kernel.Bind].
func NewKernel(settings Settings, services Services) (*Kernel, error) {
	if len(settings.TagKey) == 0 {
		settings.TagKey = make([]byte, sha256.Size)
		if _, err := io.ReadFull(services.Random, settings.TagKey); err != nil {
			return nil, fmt.Errorf("draw the key of the tags: %w", err)
		}
	}
	if services.ExportSlots == nil {
		services.ExportSlots = newExports(settings.ExportsParallel)
	}
	kernel := &Kernel{
		settings: settings, organizations: services.Organizations, index: services.Index, profileFiles: services.ProfileFiles,
		journal:  services.Journal,
		accounts: services.Accounts, writable: services.Writable, log: services.Log, now: services.Now,
		Contract: services.Contract, Schema: services.Schema, attempts: attempts{services.Throttle}, problems: problems{statuses(services.Rooms), keys()},
		Locator:  newLocator(services.Index, maxCached),
		rendered: newRendered(cmp.Or(settings.RenderedBytes, renderedBytes)), effects: newEffects(),
		exports: exportQueue{services.ExportSlots}, imports: newImports(settings.ImportsParallel),
	}
	kernel.Describer = Describer{index: services.Index, eachHome: kernel.EachHome, Rooms: services.Rooms}
	kernel.Rights = membership.NewRights(services.Index, kernel)
	return kernel, nil
}

// mostStored is the maximum number of files that a request stores.
const mostStored = 20

var errTwice = errors.New("an operation has two handlers")

// Bind sets the handlers of all operations. It fails if the contract and the handlers do not match. Checks are
// the checks of the bodies of operations without a dry run; they report all faults of a body at once.
func (s *Kernel) Bind(handlers []map[string]Handler, checks ...map[string]func(*Call) error) error {
	all := map[string]Handler{}
	if _, declared := s.Contract.operations[queryOperation]; declared {
		all[queryOperation] = queries{s}.run
	}
	for _, table := range handlers {
		for id, handler := range table {
			if all[id] != nil {
				return fmt.Errorf("%w: %s", errTwice, id)
			}
			all[id] = handler
		}
	}
	s.checks = map[string]func(*Call) error{}
	for _, table := range checks {
		maps.Copy(s.checks, table)
	}
	operations, err := s.Contract.bind(all, s.settings.Features)
	if err != nil {
		return err
	}
	for _, op := range operations {
		if op.TakesFiles() { // the contract is shared
			limited := *op.body
			limited.limit = s.settings.FileBytes
			if each := s.settings.StoredBytes[op.ID]; each > 0 {
				limited.each, limited.limit = each, mostStored*each+JSONLimit
			}
			op.body = &limited
		}
	}
	s.operations, s.Describer.operations = operations, operations
	return nil
}

// Operations returns the operations of the contract in the order of their ids.
func (s *Kernel) Operations() []*Operation {
	all := make([]*Operation, 0, len(s.operations))
	for _, id := range slices.Sorted(maps.Keys(s.operations)) {
		all = append(all, s.operations[id])
	}
	return all
}

// Operation returns the operation with the id; nil if it does not exist.
func (s *Kernel) Operation(id string) *Operation { return s.operations[id] }

// LimitMemory marks the beginning of the import of a package. The caller calls the result at its end.
func (s *Kernel) LimitMemory() (end func()) {
	if s.settings.LimitMemory == nil {
		return func() {}
	}
	return s.settings.LimitMemory()
}
