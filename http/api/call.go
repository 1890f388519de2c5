package api

import (
	"encoding/json"
	"maps"
	"net/netip"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// Caller identifies the client that requests an operation.
type Caller struct {
	// User is the signed-in user; the zero ID if the request has no session.
	User      organization.UserID
	SiteAdmin bool
	// MustChangePassword reports that the user signed in with a temporary password.
	MustChangePassword bool
	// Session is the public handle of the session or of the bearer token; empty without either.
	Session string
	// SecondFactorAt is the time at which the session received its last second factor; zero without one.
	SecondFactorAt time.Time
	// Component is the name of a part of the server that reads in place of a user; empty for users.
	Component string
	// HookToken is the token with whose rights the component reads; zero for that of the operator.
	HookToken organization.HookTokenID
	// Token is the grant of the bearer token; nil if the request has none.
	Token *messages.TokenGrant
	// Address is the client's address, as reported by trusted proxies.
	Address netip.Addr
}

// Call is one execution of an operation. Its request has passed all checks.
type Call struct {
	Caller Caller
	// ID identifies the request in logs and answers.
	ID string
	// At is the time at which the request was received.
	At time.Time

	// Organization is the organization of the path; the zero ID if the path has no organization.
	Organization organization.ID
	// View is the organization at present, or at the time of knownAt or of the cursor; nil without an
	// organization.
	View *messages.View
	Access

	// Body is the JSON body; nil if the request has no body.
	Body []byte
	// Files are the uploaded files.
	Files []File

	Subject   Standing // towards the entity in the path
	Operation *Operation
	inBody    *bodyChecked
	// unchanged is the answer to a body that equals the record; nil for other bodies.
	unchanged *Answer
	// asSent is the body as the client sent it, with the read-only fields of its record and amounts in their other form; nil if it is Body.
	asSent []byte
	// replaced is the record that the operation replaces, if its body has faults; nil for other operations.
	replaced map[string]any
	path     map[string]string
	query    map[string]string
	rawQuery string
	header   func(name string) string
	route    func(id organization.ID, read bool) error
	// within confines the call to an organization; the zero ID permits all.
	within organization.ID
	// past replaces the present view in the second run of a repeated request; see [Kernel.repeated].
	past  *messages.View
	after Cursor
	// Personal is set when the answer contains particulars. Such an answer is not cached, because
	// particulars are erased without an event.
	Personal bool
	tagKey   []byte
	// upload holds the content of Files; nil without files. Uploads is the folder of temporary files.
	upload  *spools
	uploads string
}

// Decode parses the body into T. The body conforms to the contract; values that T still does not
// accept become field errors.
func Decode[T any](c *Call) (T, error) {
	var value T
	if c.Body == nil {
		return value, nil
	}
	if err := json.Unmarshal(c.Body, &value); err != nil {
		return value, &fault.Error{
			Code: fault.Invalid, Message: someFields,
			Fields: []fault.Field{{Code: "wrongType", Message: err.Error()}},
		}
	}
	return value, nil
}

// DecodeOnly is decode for a body schema that several kinds of record share. It refuses the fields of
// other kinds by name. The names in others belong to the body itself.
func DecodeOnly[T any](c *Call, others ...string) (T, error) {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(c.Body, &given); err != nil {
		return Decode[T](c)
	}
	known := map[string]bool{}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		known[name] = true
	}
	var faults fault.Fields
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !known[name] && !slices.Contains(others, name) && !isAsRead(c, name, given[name]) {
			faults.Add("/"+name, "notOfThisKind", "This kind of holding does not have this field.")
		}
	}
	value, err := Decode[T](c)
	if err == nil {
		err = faults.Err()
	}
	return value, err
}

// PathID returns the id in a path parameter.
func PathID[Of any](c *Call, name string) captable.ID[Of] {
	id, _ := captable.ParseID[Of](c.path[name]) // valid by the contract
	return id
}

// QueryID returns the id in a query parameter; the zero ID if it is absent.
func QueryID[Of any](c *Call, name string) captable.ID[Of] {
	id, _ := captable.ParseID[Of](c.query[name])
	return id
}

// Path returns a path parameter.
func (c *Call) Path(name string) string { return c.path[name] }

// Query returns a query parameter; empty if it is absent.
func (c *Call) Query(name string) string { return c.query[name] }

// Header returns a request header; empty if it is absent.
func (c *Call) Header(name string) string { return c.header(name) }

// Accept returns the Accept header.
func (c *Call) Accept() string { return c.header("Accept") }

// By returns the author of the caller's changes.
func (c *Call) By() string {
	if c.Caller.Component != "" {
		return "system:" + c.Caller.Component
	}
	return c.Caller.User.String()
}

// DryRun reports whether the request must not change anything.
func (c *Call) DryRun() bool { return c.query["dryRun"] == "true" }

// AsOf returns the requested day, or the present day in UTC.
func (c *Call) AsOf() captable.Date {
	if day, err := exact.ParseDate(c.query["asOf"]); err == nil {
		return day
	}
	return exact.DateOf(c.At.UTC())
}

const pageSize = 50

// Limit returns the maximum number of records of a page.
func (c *Call) Limit() int {
	if n, err := strconv.Atoi(c.query["limit"]); err == nil {
		return n
	}
	return pageSize
}

// Command returns the command with the metadata of the request. Record is the id of the record to
// which If-Match applies; nil if the operation does not support If-Match.
func (c *Call) Command(command organization.Command, record any) (messages.Command, error) {
	message := messages.Command{
		Organization: c.Organization, By: c.By(), At: c.At, DryRun: c.DryRun(), Body: command,
		Bound: c.Caller.Token.Bound(c.Organization),
	}
	if key := c.IdempotencyKey(); key != "" && !message.DryRun {
		message.IdempotencyKey, message.Fingerprint = key, c.fingerprint()
	}
	expected, err := c.Expected()
	if err == nil && expected != nil && record != nil {
		message.Expect = &messages.Expectation{Record: record, Version: *expected}
	}
	return message, err
}

// OperationID returns the id of the operation.
func (c *Call) OperationID() string { return c.Operation.ID }
