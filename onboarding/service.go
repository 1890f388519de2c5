// Package onboarding builds an organization from the description of a company. The description is analyzed to a plan, which the user
// completes and corrects, and which is then carried out with the operations of the contract. It has no transport.
package onboarding

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"

	"equity/fault"
	"equity/messages"
	"equity/onboarding/grammar"
	"equity/organization"
)

// Store keeps onboardings.
type Store interface {
	// Find returns an onboarding, or [messages.ErrNoOnboarding].
	Find(ctx context.Context, id messages.OnboardingID) (messages.Onboarding, error)
	// Save replaces an onboarding of the same revision, and increments the revision. It reports whether no other change came first.
	Save(ctx context.Context, changed messages.Onboarding) (bool, error)
	// Unfinished returns the analyses and builds without a lease at the time, except for expired ones.
	Unfinished(ctx context.Context, now time.Time) ([]messages.OnboardingID, error)
	// Attach stores the attachment, in place of an earlier one. Attachment returns it.
	Attach(ctx context.Context, id messages.OnboardingID, file messages.OnboardingFile) error
	Attachment(ctx context.Context, id messages.OnboardingID) (messages.OnboardingFile, error)
}

// Reader extracts facts from a description.
type Reader interface {
	// Read uses the budget of the payer.
	Read(ctx context.Context, payer messages.ModelPayer, prompt string) (messages.CompanyFacts, error)
}

// Operations carries out operations of the contract as a user.
type Operations interface {
	// Call carries out an operation. Import imports a package into the organization.
	Call(ctx context.Context, call messages.ToolCall) messages.ToolResult
	Import(ctx context.Context, file messages.OnboardingFile, key string) messages.ToolResult
}

// Services are the dependencies of the use cases.
type Services struct {
	Store  Store
	Reader Reader
	// Node is the id of this server, which holds leases.
	Node string
	Now  func() time.Time
	Log  *slog.Logger
}

// Contract checks and carries out operations of the contract.
type Contract interface {
	// CheckBody returns the faults of the body of an operation.
	CheckBody(operation string, body []byte) fault.Fields
	// As returns the operations of a user in an organization, or outside organizations for the zero ID. It returns an error if the account is disabled or
	// erased.
	As(ctx context.Context, user organization.UserID, in organization.ID) (Operations, error)
}

// Service carries out the use cases. It is safe for concurrent use.
type Service struct {
	Services
	contract Contract
	ctx      context.Context //nolint:containedctx // the lifetime of analyses and builds
	cancel   context.CancelFunc
	running  sync.WaitGroup
}

// New returns a service. Close ends its analyses and builds.
func New(services Services) *Service {
	ctx, cancel := context.WithCancel(context.Background())
	return &Service{Services: services, ctx: ctx, cancel: cancel}
}

// Use sets the contract, once, before all other calls.
func (s *Service) Use(contract Contract) { s.contract = contract }

// Close stops the running analyses and builds between two items, and waits for them.
func (s *Service) Close() {
	s.cancel()
	s.running.Wait()
}

// Valid is the time after which an onboarding without a user expires.
const Valid = 30 * 24 * time.Hour

// leaseTime is the time after which an interrupted analysis or build may be continued by another server. It exceeds the time of an analysis, and of
// one attempt to create a record.
const leaseTime = 2 * time.Minute

// pauseTime is the time after which a build continues that was interrupted because a part of the server was unavailable.
const pauseTime = 10 * time.Minute

// lease begins or extends the lease of this server, in the precision of the store.
func (s *Service) lease(o *messages.Onboarding) {
	o.LeasedUntil, o.LeasedBy = s.Now().Add(leaseTime).Truncate(time.Microsecond), s.Node
}

// leased reports whether a server holds the lease.
func (s *Service) leased(o *messages.Onboarding) bool {
	return o.LeasedBy != "" && s.Now().Before(o.LeasedUntil)
}

// endLease ends the lease, and pauses the work until the time.
func endLease(o *messages.Onboarding, until time.Time) { o.LeasedUntil, o.LeasedBy = until, "" }

// sameLease reports whether both have the same lease.
func sameLease(a, b *messages.Onboarding) bool {
	return a.Status == b.Status && a.LeasedBy == b.LeasedBy && a.LeasedUntil.Equal(b.LeasedUntil)
}

// Get returns an onboarding. Before its link, its id is the only credential. Afterwards only its user sees it.
func (s *Service) Get(ctx context.Context, id messages.OnboardingID, viewer organization.UserID) (messages.Onboarding, error) {
	found, err := s.Store.Find(ctx, id)
	if err != nil {
		return found, messages.Unavailable(ctx, "find onboarding", err)
	}
	if !found.User.IsZero() && found.User != viewer {
		return messages.Onboarding{}, messages.ErrNoOnboarding
	}
	if found.User.IsZero() && !s.Now().Before(found.ExpiresAt) {
		found.Status = messages.OnboardingExpired
	}
	return found, nil
}

// Own returns an onboarding of the user.
func (s *Service) Own(ctx context.Context, id messages.OnboardingID, user organization.UserID) (messages.Onboarding, error) {
	found, err := s.Get(ctx, id, user)
	if err == nil && found.User != user {
		return messages.Onboarding{}, messages.ErrNoOnboarding
	}
	return found, err
}

// errSame ends a change without storing it.
var errSame = errors.New("unchanged")

// change applies a change of an onboarding, again if another change came first. Find returns the onboarding.
func (s *Service) change(
	ctx context.Context, find func() (messages.Onboarding, error), apply func(*messages.Onboarding) error,
) (messages.Onboarding, error) {
	const attempts = 20
	for range attempts {
		found, err := find()
		if err != nil {
			return found, err
		}
		switch err := apply(&found); {
		case errors.Is(err, errSame):
			return found, nil
		case err != nil:
			return found, err
		}
		stored, err := s.Store.Save(ctx, found)
		if err != nil {
			return found, messages.Unavailable(ctx, "store onboarding", err)
		}
		if stored {
			found.Revision++
			return found, nil
		}
	}
	return messages.Onboarding{}, messages.ErrOnboardingBusy
}

// changeOwn applies a change of an onboarding of the user.
func (s *Service) changeOwn(
	ctx context.Context, id messages.OnboardingID, user organization.UserID, apply func(*messages.Onboarding) error,
) (messages.Onboarding, error) {
	return s.change(ctx, func() (messages.Onboarding, error) { return s.Own(ctx, id, user) }, apply)
}

// ErrOtherAddress refuses to link an onboarding of another e-mail address.
var ErrOtherAddress = fault.Refuse(
	fault.Forbidden, "The onboarding was created for another e-mail address. Sign in with that address, and confirm it.",
)

// Link assigns an onboarding to the account with its e-mail address, which must be confirmed.
func (s *Service) Link(ctx context.Context, id messages.OnboardingID, account messages.User) (messages.Onboarding, error) {
	find := func() (messages.Onboarding, error) {
		found, err := s.Store.Find(ctx, id)
		return found, messages.Unavailable(ctx, "find onboarding", err)
	}
	return s.change(ctx, find, func(o *messages.Onboarding) error {
		switch {
		case o.User == account.ID:
			return errSame
		case !o.User.IsZero():
			return messages.ErrOnboardingLinked
		case account.EmailVerifiedAt.IsZero() || !strings.EqualFold(account.Email, o.Email):
			return ErrOtherAddress
		case !s.Now().Before(o.ExpiresAt):
			return messages.ErrOnboardingExpired
		}
		o.User, o.Network = account.ID, ""
		return nil
	})
}

// editable returns an error if the plan cannot be changed now.
func (s *Service) editable(o *messages.Onboarding) error {
	switch o.Status {
	case messages.OnboardingBuilding, messages.OnboardingAnalyzing:
		return messages.ErrOnboardingBusy
	case messages.OnboardingComplete:
		return messages.ErrOnboardingBuilt
	case messages.OnboardingBuilt:
		if len(o.Failed) == 0 {
			return messages.ErrOnboardingBuilt
		}
	case messages.OnboardingCreated, messages.OnboardingFailed:
		return messages.ErrNotAnalyzed
	case messages.OnboardingExpired:
		return messages.ErrOnboardingExpired
	case messages.OnboardingQuestions, messages.OnboardingAnalyzed:
	}
	return nil
}

// Answer answers a question. An answer may change until the build.
func (s *Service) Answer(
	ctx context.Context, id messages.OnboardingID, user organization.UserID, question, answer string,
) (messages.Onboarding, messages.PlanQuestion, error) {
	var answered messages.PlanQuestion
	changed, err := s.changeOwn(ctx, id, user, func(o *messages.Onboarding) error {
		if err := s.editable(o); err != nil {
			return err
		}
		asked, found := questionOf(o, question)
		if !found {
			return errNoQuestion
		}
		if o.Status == messages.OnboardingBuilt {
			return messages.ErrOnboardingBuilt
		}
		given := normalAnswer(asked, answer)
		if err := checkAnswer(asked, given); err != nil {
			return err
		}
		if o.Answers == nil {
			o.Answers = map[string]string{}
		}
		o.Answers[question] = given
		s.replan(o)
		if answered, found = questionOf(o, question); !found { // another answer made it superfluous
			asked.Answer = &given
			answered = asked
		}
		return nil
	})
	return changed, answered, err
}

var (
	errNoQuestion = fault.Refuse(fault.NotFound, "There is no such question.")
	errNoItem     = fault.Refuse(fault.NotFound, "There is no such item.")
)

func questionOf(o *messages.Onboarding, id string) (messages.PlanQuestion, bool) {
	for _, one := range o.Questions {
		if one.ID == id {
			return one, true
		}
	}
	return messages.PlanQuestion{}, false
}

// replan derives the plan again. Faults of the bodies become warnings.
func (s *Service) replan(o *messages.Onboarding) {
	o.Items, o.Questions = newPlan(o)
	s.warn(o.Items)
	o.Status = status(o.Questions)
}

// warn adds the faults of the bodies, and those of the sums, to the warnings.
func (s *Service) warn(items []messages.PlanItem) {
	for i := range items {
		if items[i].Kind == kindPackage {
			continue
		}
		for _, problem := range s.contract.CheckBody(items[i].Operation, items[i].Fields) {
			items[i].Warnings = append(
				items[i].Warnings,
				messages.PlanWarning{Code: problem.Code, Message: strings.TrimPrefix(problem.Pointer+": "+problem.Message, ": ")},
			)
		}
	}
	for _, problem := range exceeded(items) {
		items[0].Warnings = append(items[0].Warnings, messages.PlanWarning{Code: problem.Code, Message: problem.Message})
	}
}

// Correct replaces a field of an item. The body must be valid afterwards, and the sums must hold.
func (s *Service) Correct(
	ctx context.Context, id messages.OnboardingID, user organization.UserID, correction messages.OnboardingCorrection,
) (item messages.PlanItem, err error) {
	_, err = s.changeOwn(ctx, id, user, func(o *messages.Onboarding) error {
		if err := s.editable(o); err != nil {
			return err
		}
		at := indexOf(o.Items, correction.Item)
		if at < 0 {
			return errNoItem
		}
		if _, built := created(o, correction.Item); built {
			return messages.ErrOnboardingBuilt
		}
		if o.Items[at].Kind == kindPackage {
			return wrongField("/fieldPath", "unknownField", "A package is imported as it is. Attach another one.")
		}
		fields, err := corrected(o.Items[at].Fields, correction)
		if err != nil {
			return err
		}
		if faults := s.contract.CheckBody(o.Items[at].Operation, fields); len(faults) > 0 {
			return &fault.Error{Code: fault.Invalid, Message: "The corrected item is invalid.", Fields: faults}
		}
		before := len(exceeded(o.Items))
		o.Items[at].Fields = fields
		if faults := exceeded(o.Items); len(faults) > before {
			faults[0].Pointer = correction.Path
			return &fault.Error{Code: fault.Invalid, Message: "The corrected plan is invalid.", Fields: faults[:1]}
		}
		o.Corrections = append(o.Corrections, correction)
		s.replanChanged(o)
		item = o.Items[indexOf(o.Items, correction.Item)]
		return nil
	})
	return item, err
}

// Complete ends an onboarding after its build.
func (s *Service) Complete(ctx context.Context, id messages.OnboardingID, user organization.UserID) (messages.Onboarding, error) {
	return s.changeOwn(ctx, id, user, func(o *messages.Onboarding) error {
		if o.Status == messages.OnboardingComplete {
			return errSame
		}
		if o.Status != messages.OnboardingBuilt {
			return messages.ErrNotBuilt
		}
		o.Status = messages.OnboardingComplete
		if o.Facts != nil { // the attachment is deleted, too
			facts := *o.Facts
			facts.Contents = nil
			o.Facts = &facts
		}
		return nil
	})
}

// Unused returns the parts of the description that no record of the plan uses; none of a package, which has no description.
func Unused(o messages.Onboarding) []messages.UnusedText {
	if o.Facts == nil || o.Facts.Package != "" {
		return []messages.UnusedText{}
	}
	return grammar.New().Unused(o.Prompt, combined(*o.Facts, o.Rows))
}

// TotalsOf returns the shares of a plan.
func TotalsOf(o messages.Onboarding) Totals { return sumsOf(o.Items).Totals }
