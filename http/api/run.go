package api

import (
	"context"
	"crypto/subtle"
	"fmt"
	"strconv"
	"strings"
	"time"

	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// Run executes an operation for its caller. It checks, in this order: the feature is enabled, the
// caller is signed in, the path is valid and leads to a record that the caller may know of, their
// roles permit the operation, and the rest of the request is valid. Then it calls the handler. All
// operations run through it.
func (s *Kernel) Run(ctx context.Context, r *Request) (Answer, error) {
	op := s.operations[r.Operation]
	if op == nil || op.Off {
		return Answer{}, NoPath()
	}
	c := &Call{
		Caller: r.Caller, ID: r.ID, At: r.At, Operation: op, path: r.Path, header: r.Header,
		tagKey: s.settings.TagKey, uploads: s.settings.UploadFolder, route: r.Route, within: r.Within,
	}
	defer func() { _ = c.upload.Close() }()
	if err := s.admit(c); err != nil {
		return Answer{}, err
	}
	if err := s.mayWrite(op); err != nil {
		return Answer{}, err
	}
	if !r.Forwarded {
		if err := s.paceNetwork(ctx, c); err != nil {
			return Answer{}, err
		}
	}
	if err := op.checkPath(c.path); err != nil {
		return Answer{}, err
	}
	if op.TakesFiles() && !op.streamed { // its body may be large and may contain the organization
		ticket, err := s.imports.enter(ctx, c)
		if err != nil {
			return Answer{}, err
		}
		defer ticket.Leave()
		r = lend(ctx, ticket, r)
	}
	answer, err := s.execute(ctx, c, r)
	if err != nil && r.Repeated {
		return s.repeated(ctx, c, r, err)
	}
	return answer, err
}

// execute makes the checks that depend on the organization, and runs the handler.
func (s *Kernel) execute(ctx context.Context, c *Call, r *Request) (Answer, error) {
	op := c.Operation
	if err := s.place(ctx, c, r); err != nil {
		return Answer{}, err
	}
	if op.ID != queryOperation && !c.Caller.Token.Reaches(c.Organization) {
		return Answer{}, messages.ErrOtherOrganization
	}
	if !r.Within.IsZero() && !c.Organization.IsZero() && c.Organization != r.Within {
		return Answer{}, fault.Refuse(fault.Forbidden, "This request is confined to another organization.")
	}
	if op.guard != nil && !op.guard(c) {
		return Answer{}, Forbidden()
	}
	if err := op.checkFactor(c.Caller.SecondFactorAt, c.At); err != nil {
		return Answer{}, err
	}
	if err := s.check(ctx, c, r); err != nil {
		return Answer{}, s.withTrial(ctx, c, err)
	}
	if err := s.pin(ctx, c); err != nil {
		return Answer{}, err
	}
	if r.Admit != nil {
		if err := r.Admit(ctx, c.Organization); err != nil {
			return Answer{}, err
		}
	}
	if r.CheckOnly || c.unchanged != nil && c.DryRun() {
		return s.Describer.described(ctx, c, Answer{Record: preview{DryRun: true, Events: []previewEvent{}}}, s.checked(c))
	}
	if c.unchanged != nil {
		return *c.unchanged, nil
	}
	if c.isExport() {
		return s.exports.run(ctx, c, op.handler)
	}
	answer, err := op.handler(ctx, c)
	return s.Describer.described(ctx, c, answer, err)
}

// mayWrite refuses operations that may write while the store is read-only.
func (s *Kernel) mayWrite(op *Operation) error {
	if s.writable == nil || op.Reads() {
		return nil
	}
	return s.writable()
}

// admit checks the caller as far as that does not depend on an organization.
func (s *Kernel) admit(c *Call) error {
	switch c.Operation.Permission {
	case PermissionPublic:
		return nil
	case PermissionGateway:
		token, found := strings.CutPrefix(c.header("Authorization"), "Bearer ")
		expected := s.settings.GatewayToken
		if !found || expected == "" || subtle.ConstantTimeCompare([]byte(token), []byte(expected)) != 1 {
			return fault.Refuse(fault.Unauthorized, "The token is missing or wrong.")
		}
		return nil
	}
	if c.Caller.Component != "" && c.Operation.Permission != permissionSession && c.Operation.Permission != permissionSite {
		return nil
	}
	if c.Caller.User.IsZero() {
		return Unauthorized()
	}
	if err := c.Caller.Token.Check(messages.ToolClass(c.Operation.agent)); err != nil {
		return err
	}
	if c.Caller.MustChangePassword && !c.Operation.beforeChange {
		return fault.Refuse(fault.MustChangePassword, "You signed in with a temporary password. Choose a new password first.")
	}
	return nil
}

// factorValid is the time for which a second factor counts as recent.
const factorValid = 10 * time.Minute

// checkFactor refuses an operation that requires a recent second factor if the session received its last one at another time.
func (o *Operation) checkFactor(given, at time.Time) error {
	if !o.factor {
		return nil
	}
	if given.IsZero() || at.Sub(given) >= factorValid || given.Sub(at) >= factorValid {
		return fault.Refuse(
			fault.SecondFactorNeeded, "Give a code of your second factor first. It is valid for 10 minutes in this session.",
		)
	}
	return nil
}

func pathOrganization(c *Call) organization.ID {
	return PathID[organization.Organization](c, "organization")
}

// enter reads the organization and the caller's membership. Stranger is the error for callers who are
// not members.
func (s *Kernel) enter(ctx context.Context, c *Call, id organization.ID, stranger error) error {
	if !c.Caller.Token.Reaches(id) {
		if IsNotFound(stranger) {
			return stranger
		}
		return messages.ErrOtherOrganization
	}
	if c.route != nil {
		if err := c.route(id, c.inBody != nil); err != nil {
			return err
		}
	}
	view, err := c.past, error(nil)
	if view == nil {
		view, err = s.organizations.View(ctx, id)
	}
	if err != nil {
		return Unavailable(err)
	}
	if view == nil || view.State.ID().IsZero() {
		return NotFound()
	}
	noteStaleness(ctx, view)
	c.Organization, c.View, c.Present = id, view, view
	if c.Caller.Component != "" {
		reader, ok := view.State.HookReader(c.Caller.HookToken)
		if !ok {
			return stranger
		}
		c.Member, c.Permissions = reader.Member, reader.Permissions
		return nil
	}
	reader, ok := view.State.Reader(c.Caller.User, c.Caller.Token.Bound(id))
	if !ok {
		return stranger
	}
	c.Member, c.Permissions = reader.Member, reader.Permissions
	return nil
}

// pin replaces the present view with the view at knownAt or at the cursor's sequence.
func (s *Kernel) pin(ctx context.Context, c *Call) error {
	known, paged := c.query["knownAt"], c.query["cursor"]
	if c.Operation.ownCursor {
		paged = ""
	}
	if paged != "" {
		after, ok := parseCursor(paged)
		if !ok {
			return errCursor()
		}
		c.after = after
	}
	if c.View == nil || known == "" && (paged == "" || c.after.Sequence == c.View.Sequence) {
		return nil
	}
	sequence := c.after.Sequence
	if paged == "" {
		var err error
		if sequence, err = s.sequenceAt(ctx, c.Organization, known); err != nil {
			return err
		}
	}
	if sequence == 0 {
		return fault.Refuse(fault.NotFound, "The organization had no events at that time. Choose a later time.")
	}
	view, err := s.organizations.ViewAt(ctx, c.Organization, sequence)
	if err != nil {
		return Unavailable(err)
	}
	c.View = view
	return nil
}

// sequenceAt parses knownAt, which is an event number or a time.
func (s *Kernel) sequenceAt(ctx context.Context, id organization.ID, known string) (uint64, error) {
	if sequence, err := strconv.ParseUint(known, 10, 64); err == nil {
		return sequence, nil
	}
	at, err := time.Parse(time.RFC3339Nano, known)
	if err != nil {
		return 0, WrongField("/query/knownAt", "invalidMoment", "Use a time (RFC 3339) or the number of an event in the journal.")
	}
	sequence, err := s.journal.SequenceAt(ctx, id, at)
	if err != nil {
		return 0, Unavailable(fmt.Errorf("sequence at %s: %w", known, err))
	}
	return sequence, nil
}

// WrongField returns an error with one fault.
func WrongField(pointer, code, message string) error {
	var faults fault.Fields
	faults.Add(pointer, code, message)
	return WrongFields(faults)
}

// View returns the organization's present view, for operations without an organization in the path.
func (s *Kernel) View(ctx context.Context, id organization.ID) (*messages.View, error) {
	view, err := s.organizations.View(ctx, id)
	noteStaleness(ctx, view)
	return view, Unavailable(err)
}
