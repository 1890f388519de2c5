package http

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
	"equity/messages"
	"equity/organization"
)

// Caller is on whose behalf an operation runs.
type Caller struct {
	// User is who is signed in; zero for nobody.
	User      organization.UserID
	SiteAdmin bool
	// MustChangePassword says that they signed in by a temporary password.
	MustChangePassword bool
	// Session names the session they call in; empty for none.
	Session string
	// Address is the client's, as far as it can be known.
	Address netip.Addr
}

// Call is one run of an operation, after everything about it was checked.
type Call struct {
	Caller Caller
	// ID names the request in logs and answers.
	ID string
	// At is when the request was received.
	At time.Time

	// Organization is what the path leads to; zero when it leads to none.
	Organization organization.ID
	// View is the organization as of now, or as knownAt or the cursor ask; nil without
	// an organization.
	View *messages.View
	// Member is the caller's own membership, and Permissions what its roles allow.
	Member      *organization.Member
	Permissions organization.Permissions

	// Body is the JSON that was sent; nil when there was none.
	Body []byte
	// Files are what was uploaded.
	Files []File

	subject   standing // towards the entity in the path
	operation *operation
	inBody    *bodyChecked
	path      map[string]string
	query     map[string]string
	rawQuery  string
	header    func(name string) string
	present   *messages.View // as of now, which permissions are judged by
	after     cursor
	tagKey    []byte
	// personal is set once particulars are read: the answer is not cached, as they can be erased without an event.
	personal bool
}

// decode reads the body into the type that the domain decides on. The body was found
// to fit the contract; what still does not fit the type is told as a wrong field.
func decode[T any](c *Call) (T, error) {
	var value T
	if c.Body == nil {
		return value, nil
	}
	if err := json.Unmarshal(c.Body, &value); err != nil {
		return value, &captable.Error{
			Code: captable.CodeInvalid, Message: someFields,
			Fields: []captable.FieldError{{Code: "wrongType", Message: err.Error()}},
		}
	}
	return value, nil
}

// decodeOnly is decode for a body that several kinds of record share: fields that are
// not of this one are refused by name. The others named are of the body as such.
func decodeOnly[T any](c *Call, others ...string) (T, error) {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(c.Body, &given); err != nil {
		return decode[T](c)
	}
	known := map[string]bool{}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		known[name] = true
	}
	var faults captable.Faults
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !known[name] && !slices.Contains(others, name) {
			faults.Add("/"+name, "notOfThisKind", "This kind of holding has no such field.")
		}
	}
	value, err := decode[T](c)
	if err == nil {
		err = faults.Err()
	}
	return value, err
}

// pathID gives the id that a parameter of the path holds.
func pathID[Of any](c *Call, name string) captable.ID[Of] {
	id, _ := captable.ParseID[Of](c.path[name]) // the contract was checked
	return id
}

// queryID gives the id that a parameter of the query holds; zero when it is absent.
func queryID[Of any](c *Call, name string) captable.ID[Of] {
	id, _ := captable.ParseID[Of](c.query[name])
	return id
}

// Path gives a parameter of the path.
func (c *Call) Path(name string) string { return c.path[name] }

// Query gives a parameter of the query; empty when it is absent.
func (c *Call) Query(name string) string { return c.query[name] }

// Header gives a header of the request; empty when it is absent.
func (c *Call) Header(name string) string { return c.header(name) }

// Accept gives the media types that the caller wants, as the header has them.
func (c *Call) Accept() string { return c.header("Accept") }

// By is the author of what the caller changes.
func (c *Call) By() string { return c.Caller.User.String() }

// DryRun reports whether nothing is to be changed.
func (c *Call) DryRun() bool { return c.query["dryRun"] == "true" }

// AsOf gives the day that is asked for; today (UTC) when none is.
func (c *Call) AsOf() captable.Date {
	if day, err := exact.ParseDate(c.query["asOf"]); err == nil {
		return day
	}
	return exact.DateOf(c.At.UTC())
}

const pageSize = 50

// Limit is how many records a page may have.
func (c *Call) Limit() int {
	if n, err := strconv.Atoi(c.query["limit"]); err == nil {
		return n
	}
	return pageSize
}

// Can reports whether the caller's roles allow it.
func (c *Call) Can(p organization.Permission) bool { return c.Permissions.Has(p) }

// command makes the command that carries the body to the organization's actor.
// Record is the id that If-Match is about; nil for none.
func (c *Call) command(command organization.Command, record any) (messages.Command, error) {
	made := messages.Command{
		Organization: c.Organization, By: c.By(), At: c.At, DryRun: c.DryRun(), Body: command,
	}
	if key := c.idempotencyKey(); key != "" && !made.DryRun {
		made.IdempotencyKey, made.Fingerprint = key, c.fingerprint()
	}
	expected, err := c.expected()
	if err == nil && expected != nil && record != nil {
		made.Expect = &messages.Expectation{Record: record, Version: *expected}
	}
	return made, err
}
