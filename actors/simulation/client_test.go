package simulation_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"equity/captable"
	"equity/captable/exact"
	"equity/http/routing"
	"equity/messages"
	"equity/organization"
)

// operations of clients.
const (
	opIssue = iota
	opTransfer
	opCancel
	opGrant
	opCancelGrant
	opAdjust
	opAuthorize
	opInvite
	opTrial // a dry run
	opRead
	opPast // a read of an earlier sequence
)

// client sends one operation at a time, and repeats it until its outcome is certain.
type client struct {
	number  int
	left    int // operations that are not begun
	begun   int
	current *operation
	views   map[organization.ID]*messages.View // the last read ones
	server  int                                // that it used last
}

// operation is a command or a read of a client.
type operation struct {
	client       *client
	number       int
	kind         int
	keyed        bool
	organization organization.ID
	body         organization.Command
	past         uint64
	attempts     []*attempt
	pinned       bool // to the server of the client
	done         bool
}

// outcome is the knowledge of the client about an attempt.
type outcome string

const (
	waiting outcome = ""
	done    outcome = "done"
	refused outcome = "refused"
	nothing outcome = "nothing" // certainly not carried out
	unknown outcome = "unknown"
)

// attempt is one request of an operation.
type attempt struct {
	*operation
	number int
	to     *node  // the receiver; nil before the delivery
	called int    // the step of the call
	head   uint64 // of the journal at the call, or when the last execution of a forwarded request begins
	// floor is the sequence that the receiver's answer must not be behind; see [node.floors].
	floor    uint64
	outcome  outcome
	returned int    // the step of the answer
	upTo     uint64 // the head of the journal at the time of the answer
	reply    messages.Reply
	view     *messages.View
	err      error
	cancel   context.CancelFunc
	repeated bool // the network delivered it twice
	// deliveries counts the arrivals at nodes.
	deliveries int
}

// delivery is one arrival of an attempt at a node.
type delivery struct {
	*attempt
	name string
	// alone reports that it may have to wait within the node. Only the world uses it.
	alone    bool
	routed   bool      // to the node that is asked first
	crossing *crossing // of a forwarded request; nil for that of a client
	executes routing.Attempt
}

func (o *operation) label() string { return fmt.Sprintf("c%d.%d", o.client.number, o.number) }

func (a *attempt) label() string { return fmt.Sprintf("%s#%d", a.operation.label(), a.number) }

func (d *delivery) label() string { return d.name }

// marker is the author of the recorded rows. All attempts with one idempotency key share it.
func (a *attempt) marker() string {
	if a.keyed {
		return a.operation.label()
	}
	return a.label()
}

func (o *operation) reads() bool { return o.kind == opRead || o.kind == opPast }

// command returns the message to the organization.
func (a *attempt) command(now time.Time) messages.Command {
	m := messages.Command{Organization: a.organization, By: a.marker(), At: now, Body: a.content(), DryRun: a.kind == opTrial}
	if a.kind == opInvite {
		mail := messages.Mail{To: "ada@example.org", Subject: "s", Text: a.operation.label()}
		m.Mails = []messages.EventMail{{Cause: a.token(), Mail: mail}}
	}
	if a.keyed {
		m.IdempotencyKey, m.Fingerprint = a.operation.label(), a.operation.label()
	}
	return m
}

// content returns the command without its author. Each attempt at an invitation has a token of its own, and thus its own mail, as the handler
// draws one for each request.
func (a *attempt) content() organization.Command {
	if a.kind != opInvite {
		return a.body
	}
	hash := a.token()
	return organization.InviteMembers{
		Invites: []organization.Invite{{Fresh: captable.EntityID(hash[:16]), Name: "Guest", Hash: hash}}, Roles: []string{organization.RoleGuest},
	}
}

func (a *attempt) token() [32]byte { return sha256.Sum256([]byte(a.label())) }

// isRepeatable reports whether two attempts with one command id are executed once.
func (o *operation) isRepeatable() bool { return o.keyed || o.number%4 > 0 }

// command returns the message to the organization. The id of a forwarded change replaces a missing key.
func (d *delivery) command(now time.Time) messages.Command {
	m := d.attempt.command(now)
	if m.IdempotencyKey == "" && d.executes.Command != [16]byte{} && d.isRepeatable() {
		m.IdempotencyKey, m.Fingerprint = fmt.Sprintf("command %x", d.executes.Command), d.operation.label()
	}
	return m
}

// draw returns the next operation of a client. It is about records that the client has read.
func (w *world) draw(c *client) *operation {
	c.begun++
	op := &operation{client: c, number: c.begun, organization: w.organizations[w.random.IntN(len(w.organizations))]}
	view := c.views[op.organization]
	if view == nil {
		op.kind = opRead
		return op
	}
	weights := []int{25, 12, 8, 10, 5, 3, 4, 10, 3, 20, 3}
	roll := w.random.IntN(103)
	for roll >= weights[op.kind] {
		roll -= weights[op.kind]
		op.kind++
	}
	op.keyed = !op.reads() && op.kind != opTrial && w.random.IntN(3) > 0
	w.fill(op, view)
	return op
}

// fill draws the content of an operation. An operation without a record to change becomes an issue.
func (w *world) fill(op *operation, view *messages.View) {
	table, day := view.State.Table(), exact.DateOf(time.Now())
	shares := exact.NewDecimal(1 + w.random.Int64N(9))
	holder := captable.HolderRef{Entity: w.holders[w.random.IntN(len(w.holders))]}
	var command captable.Command = captable.IssueShareholding{HolderRef: holder, Security: w.security, Shares: shares, IssueDate: day}
	switch op.kind {
	case opTransfer, opCancel:
		var held []captable.ShareholdingID
		for one := range table.Shareholdings() {
			if one.Status.Outstanding() {
				held = append(held, one.ID)
			}
		}
		switch {
		case len(held) == 0:
			op.kind = opIssue
		case op.kind == opTransfer:
			command = captable.TransferShareholding{Shareholding: held[w.random.IntN(len(held))], To: holder, Shares: shares, Date: day, Kind: "sale"}
		default:
			command = captable.CancelShareholding{ID: held[w.random.IntN(len(held))], Shares: &shares, Date: day, Reason: "entered twice"}
		}
	case opGrant:
		command = captable.GrantOption{
			HolderRef: holder, Quantity: shares, ExercisePrice: &captable.Price{Amount: exact.NewDecimal(1)},
			GrantTerms: captable.GrantTerms{Plan: w.pool.Plan, Pool: w.pool.Pool, Type: captable.GrantNSO, IssueDate: day},
		}
	case opCancelGrant:
		var grants []captable.GrantID
		for one := range table.Grants() {
			grants = append(grants, one.ID)
		}
		if len(grants) == 0 {
			op.kind = opIssue
			break
		}
		command = captable.CancelGrant{
			ID: grants[w.random.IntN(len(grants))], Quantity: &shares, Date: day, Reason: "left", Behavior: captable.ReturnToPool,
		}
	case opAdjust:
		command = captable.AdjustPool{PoolRef: w.pool, TotalShares: exact.NewDecimal(10 + w.random.Int64N(40)), EffectiveDate: day}
	case opAuthorize:
		command = captable.ReplaceSecurity{ID: w.security, SecurityTerms: common(60 + w.random.Int64N(100))}
	case opPast:
		op.past = 1 + w.random.Uint64N(view.Sequence)
		return
	case opRead:
		return
	case opInvite:
		return
	}
	op.body = organization.Table{Command: command}
}

// common returns the terms of the only class of shares.
func common(authorized int64) captable.SecurityTerms {
	return captable.SecurityTerms{
		Name: "Common Stock", ShareType: captable.ShareCommon, Prefix: "CS",
		AuthorizedShares: captable.AuthorizedOf(exact.NewDecimal(authorized)),
	}
}

func (o *operation) describe() string {
	if o.kind == opPast {
		return fmt.Sprintf("read of %d", o.past)
	}
	if o.reads() {
		return "read"
	}
	if o.kind == opInvite {
		return "invitation"
	}
	text := fmt.Sprintf("%T", o.body)
	if table, ok := o.body.(organization.Table); ok {
		text = fmt.Sprintf("%T", table.Command)
	}
	if o.kind == opTrial {
		text += " as a trial"
	}
	return text
}
