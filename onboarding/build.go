package onboarding

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// Build carries out the plan as the user. It waits for the end for the given time. With defaults, the defaults of open questions count
// as answers. A build that was interrupted, or of which items failed, continues.
func (s *Service) Build(
	ctx context.Context, id messages.OnboardingID, user organization.UserID, defaults bool, wait time.Duration,
) (messages.Onboarding, error) {
	started, err := s.changeOwn(ctx, id, user, func(o *messages.Onboarding) error { return s.begin(o, defaults) })
	if err != nil {
		return started, err
	}
	if started.Status == messages.OnboardingBuilding {
		s.await(ctx, wait, func() { s.finishBuild(started) }) //nolint:contextcheck // it outlives the request
	}
	return s.Own(ctx, id, user)
}

// begin takes the lease of a build.
func (s *Service) begin(o *messages.Onboarding, defaults bool) error {
	switch o.Status {
	case messages.OnboardingBuilding:
		if s.leased(o) {
			return messages.ErrOnboardingBusy
		}
	case messages.OnboardingBuilt, messages.OnboardingComplete:
		if len(o.Failed) == 0 || o.Status == messages.OnboardingComplete {
			return errSame
		}
	case messages.OnboardingCreated, messages.OnboardingAnalyzing, messages.OnboardingQuestions, messages.OnboardingAnalyzed,
		messages.OnboardingFailed, messages.OnboardingExpired:
		if err := s.editable(o); err != nil {
			return err
		}
		if open(o.Questions, defaults) {
			return messages.ErrQuestionsOpen
		}
		if defaults {
			s.takeDefaults(o)
		}
	}
	o.Status, o.Failed = messages.OnboardingBuilding, nil
	s.lease(o)
	return nil
}

// takeDefaults answers the open questions with their defaults.
func (s *Service) takeDefaults(o *messages.Onboarding) {
	for _, question := range o.Questions {
		if question.Answer == nil && question.Default != nil {
			if o.Answers == nil {
				o.Answers = map[string]string{}
			}
			o.Answers[question.ID] = *question.Default
		}
	}
	s.replan(o)
}

// Resume continues the analyses and builds that no server executes.
func (s *Service) Resume(ctx context.Context) error {
	all, err := s.Store.Unfinished(ctx, s.Now())
	if err != nil {
		return messages.Unavailable(ctx, "list onboardings", err)
	}
	for _, id := range all {
		found, err := s.Store.Find(ctx, id)
		if err != nil {
			return messages.Unavailable(ctx, "find onboarding", err)
		}
		if found.Status == messages.OnboardingBuilding {
			_, err = s.Build(ctx, id, found.User, false, 0)
		} else {
			find := func() (messages.Onboarding, error) { return s.Get(ctx, id, found.User) }
			_, err = s.analyze(ctx, find, func(*messages.Onboarding) {}, 0)
		}
		if err != nil && !errors.Is(err, messages.ErrOnboardingBusy) { // another server was faster
			s.Log.Warn("an onboarding was not continued", "cause", err)
		}
	}
	return nil
}

// build is the execution of a plan.
type build struct {
	*Service
	of messages.Onboarding
}

// finishBuild carries out the items without a record, in their order.
func (s *Service) finishBuild(started messages.Onboarding) {
	b := &build{s, started}
	for _, item := range started.Items {
		if _, done := created(&b.of, item.ID); done {
			continue
		}
		if !b.carryOut(item) {
			b.release()
			return
		}
		if item.Kind == kindOrganization && b.of.Organization.IsZero() {
			break // nothing else can be created
		}
	}
	b.store(func(o *messages.Onboarding) {
		endLease(o, time.Time{})
		if o.Status = messages.OnboardingBuilt; o.Organization.IsZero() {
			o.Status = status(o.Questions)
		}
	})
}

// release ends the lease of an interrupted build, so that its user can continue it at once. Otherwise a server continues it: at once if this one
// stops, else after a pause.
func (b *build) release() {
	var until time.Time
	if b.ctx.Err() == nil {
		until = b.Now().Add(pauseTime).Truncate(time.Microsecond)
	}
	b.store(func(o *messages.Onboarding) { endLease(o, until) })
}

// errLeaseLost ends a build that another server continues.
var errLeaseLost = errors.New("another server continues the build")

// store applies a change of the build, unless its lease was lost. It reports whether the change was stored.
func (b *build) store(apply func(*messages.Onboarding)) bool {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(b.ctx), storeTime)
	defer cancel()
	changed, err := b.change(ctx, func() (messages.Onboarding, error) { return b.Store.Find(ctx, b.of.ID) }, func(o *messages.Onboarding) error {
		if !sameLease(o, &b.of) {
			return errLeaseLost
		}
		apply(o)
		return nil
	})
	if err != nil {
		b.Log.Warn("the state of a build was not stored", "cause", err)
		return false
	}
	b.of = changed
	return true
}

// attempts bounds the attempts of an item while a part of the server is unavailable.
const attempts = 4

// carryOut creates the record of an item. It returns false if the build has to stop.
func (b *build) carryOut(item messages.PlanItem) bool {
	for attempt := range attempts {
		if b.ctx.Err() != nil || attempt > 0 && !b.store(b.lease) {
			return false
		}
		result, ready := b.call(item)
		switch {
		case !ready:
			return b.fail(item, "dependencyFailed", "An item that it refers to was not created.")
		case result.Succeeded():
			return b.succeed(item, result)
		case !result.Repeatable():
			code, text := refusal(result.Body)
			return b.fail(item, code, text)
		}
		timer := time.NewTimer(time.Second << attempt)
		select {
		case <-timer.C:
		case <-b.ctx.Done():
		}
		timer.Stop()
	}
	return false
}

// itemTime bounds the creation of a record.
const itemTime = time.Minute

// call carries out the operation of an item; false if a record that it refers to does not exist.
func (b *build) call(item messages.PlanItem) (messages.ToolResult, bool) {
	fields, ready := b.resolved(item.Fields)
	if !ready {
		return messages.ToolResult{}, false
	}
	ctx, cancel := context.WithTimeout(b.ctx, itemTime)
	defer cancel()
	operations, err := b.contract.As(ctx, b.of.User, b.of.Organization)
	if err != nil {
		b.Log.Warn("a build cannot act as its user", "cause", err)
		return messages.UnavailableResult(), true
	}
	key := "onboarding:" + uuid.UUID(b.of.ID).String() + ":" + item.ID
	arguments := map[string]any{"body": fields}
	switch item.Operation {
	case importPackage:
		file, err := b.Store.Attachment(ctx, b.of.ID)
		if err != nil {
			return messages.UnavailableResult(), true
		}
		return operations.Import(ctx, file, key), true
	case amendMember:
		own, result := b.membership(ctx, operations)
		if !result.Succeeded() {
			return result, true
		}
		arguments["member"] = own.ID
	}
	encoded, err := json.Marshal(arguments)
	if err != nil {
		return messages.UnavailableResult(), true
	}
	return operations.Call(
		ctx, messages.ToolCall{Operation: item.Operation, Arguments: encoded, Mode: messages.ToolExecutes, Key: key},
	), true
}

// membership returns the member record of the user in the new organization.
func (b *build) membership(ctx context.Context, operations Operations) (messages.BuiltItem, messages.ToolResult) {
	result := operations.Call(ctx, messages.ToolCall{Operation: "listMembers", Arguments: json.RawMessage("{}"), Mode: messages.ToolReads})
	var found struct {
		Data []struct {
			ID     string `json:"id"`
			Entity string `json:"entity"`
			User   string `json:"user"`
		} `json:"data"`
	}
	if !result.Succeeded() || json.Unmarshal(result.Body, &found) != nil {
		return messages.BuiltItem{}, result
	}
	for _, one := range found.Data {
		if one.User == b.of.User.String() {
			return messages.BuiltItem{ID: one.ID, Entity: one.Entity}, result
		}
	}
	return messages.BuiltItem{}, messages.UnavailableResult()
}

// succeed stores the id of the record of an item.
func (b *build) succeed(item messages.PlanItem, result messages.ToolResult) bool {
	var record struct {
		ID     string `json:"id"`
		Entity string `json:"entity"`
	}
	if json.Unmarshal(result.Body, &record) != nil {
		return false
	}
	built := messages.BuiltItem{Item: item.ID, Kind: item.Kind, ID: record.ID, Entity: record.Entity}
	in := b.of.Organization
	switch item.Kind {
	case kindPackage:
		built.ID = in.String()
	case kindOrganization:
		id, err := captable.ParseID[organization.Organization](record.ID)
		if err != nil {
			return false
		}
		ctx, cancel := context.WithTimeout(b.ctx, itemTime)
		defer cancel()
		operations, err := b.contract.As(ctx, b.of.User, id)
		if err != nil {
			return false
		}
		own, listed := b.membership(ctx, operations)
		if !listed.Succeeded() {
			return false // the next attempt finds the organization by its key
		}
		in, built.Entity = id, own.Entity
	}
	return b.store(func(o *messages.Onboarding) {
		o.Organization = in
		b.lease(o)
		o.Created = append(o.Created, built)
	})
}

// fail stores the refusal of an item. The other items continue.
func (b *build) fail(item messages.PlanItem, code, text string) bool {
	return b.store(func(o *messages.Onboarding) {
		b.lease(o)
		o.Failed = append(o.Failed, messages.FailedItem{Item: item.ID, Code: code, Message: text})
	})
}

// refusal returns the code and the text of a refused operation.
func refusal(body []byte) (code, text string) {
	var told struct {
		Code   string `json:"code"`
		Error  string `json:"error"`
		Errors []struct {
			Pointer string `json:"pointer"`
			Message string `json:"message"`
		} `json:"errors"`
	}
	if json.Unmarshal(body, &told) != nil || told.Code == "" {
		return "refused", "The operation was refused."
	}
	parts := []string{told.Error}
	for _, field := range told.Errors {
		parts = append(parts, field.Pointer+": "+field.Message)
	}
	return told.Code, strings.Join(parts, " ")
}

// created returns the record of an item.
func created(o *messages.Onboarding, item string) (messages.BuiltItem, bool) {
	i := slices.IndexFunc(o.Created, func(one messages.BuiltItem) bool { return one.Item == item })
	if i < 0 {
		return messages.BuiltItem{}, false
	}
	return o.Created[i], true
}

// resolved returns the fields with the ids of records in place of those of items; false if such a record does not exist.
func (b *build) resolved(fields json.RawMessage) (any, bool) {
	value, err := exactJSON(fields)
	if err != nil {
		return nil, false
	}
	items := map[string]bool{}
	for _, item := range b.of.Items {
		items[item.ID] = true
	}
	ready := true
	var resolve func(name string, value any) any
	resolve = func(name string, value any) any {
		switch inner := value.(type) {
		case map[string]any:
			for key := range inner {
				inner[key] = resolve(key, inner[key])
			}
		case []any:
			for i := range inner {
				inner[i] = resolve(name, inner[i])
			}
		case string:
			if !items[inner] {
				return inner
			}
			record, found := created(&b.of, inner)
			if ready = ready && found; name == "entity" {
				return record.Entity
			}
			return record.ID
		}
		return value
	}
	return resolve("", value), ready
}
