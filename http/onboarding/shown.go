package onboarding

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"equity/captable"
	"equity/http/api"
	"equity/messages"
	"equity/onboarding"
	"equity/organization"
)

// state is the JSON form of the state of an analysis.
type state struct {
	ID               captable.ID[kind]         `json:"id"`
	Status           messages.OnboardingStatus `json:"status"`
	AnalysisComplete bool                      `json:"analysisComplete"`
	HasQuestions     bool                      `json:"hasQuestions"`
}

// record is the JSON form of an onboarding.
type record struct {
	state
	OnboardingID  captable.ID[kind] `json:"onboardingId"`
	Email         string            `json:"email"`
	InitialPrompt string            `json:"initialPrompt"`
	CreatedAt     captable.Instant  `json:"createdAt"`
	ExpiresAt     *captable.Instant `json:"expiresAt,omitempty"`
}

func stateOf(o messages.Onboarding) state {
	complete := o.Facts != nil && o.Status != messages.OnboardingAnalyzing && o.Status != messages.OnboardingFailed
	return state{o.ID, o.Status, complete, asks(o)}
}

// asks reports whether questions are open.
func asks(o messages.Onboarding) bool {
	for _, one := range o.Questions {
		if one.Answer == nil {
			return o.Organization.IsZero()
		}
	}
	return false
}

func show(o messages.Onboarding) record {
	shown := record{
		state: stateOf(o), OnboardingID: o.ID, Email: masked(o.Email), InitialPrompt: o.Prompt, CreatedAt: captable.InstantOf(o.CreatedAt),
	}
	if o.User.IsZero() {
		expires := captable.InstantOf(o.ExpiresAt)
		shown.ExpiresAt = &expires
	}
	return shown
}

// masked returns an e-mail address of which only the first character and the domain are readable.
func masked(email string) string {
	local, domain, _ := strings.Cut(email, "@")
	if local == "" {
		return "***"
	}
	return string([]rune(local)[:1]) + "***@" + domain
}

// questionRecord is the JSON form of a question.
type questionRecord struct {
	messages.PlanQuestion
	Options []string `json:"options"`
}

func showQuestion(q messages.PlanQuestion) questionRecord {
	return questionRecord{q, append([]string{}, q.Options...)}
}

// planRecord is the JSON form of a plan.
type planRecord struct {
	ID      captable.ID[kind]         `json:"id"`
	Status  messages.OnboardingStatus `json:"status"`
	Summary string                    `json:"summary"`
	Items   []planItem                `json:"items"`
	Records []api.Records             `json:"records,omitempty"`
	Totals  onboarding.Totals         `json:"totals"`
	Unused  []messages.UnusedText     `json:"unused"`
}

// planItem is the JSON form of an item of a plan, with its fields in words.
type planItem struct {
	messages.PlanItem
	Details []api.Detail `json:"details"`
}

func (s base) describePlan(ctx context.Context, c *api.Call, o messages.Onboarding) (planRecord, error) {
	changes := make([]api.Contained, len(o.Items))
	for i, item := range o.Items {
		changes[i] = api.Contained{Operation: item.Operation, Body: item.Fields, Refers: refersTo(o.Items)}
	}
	details, err := s.Describer.Contained(ctx, c, changes)
	if err != nil {
		return planRecord{}, err
	}
	items := make([]planItem, len(o.Items))
	for i, item := range o.Items {
		items[i] = planItem{item, details[i].Details}
	}
	plan := planRecord{
		ID: o.ID, Status: o.Status, Summary: summary(o), Items: items, Totals: onboarding.TotalsOf(o), Unused: onboarding.Unused(o),
	}
	if o.Facts != nil {
		plan.Records, err = s.Describer.Package(ctx, c, o.Facts.Contents)
	}
	return plan, err
}

// refersTo returns the items that ids in the fields of items stand for. As an entity, the organization stands for the user.
func refersTo(items []messages.PlanItem) func(pointer, text string) api.Reference {
	return func(pointer, text string) api.Reference {
		at := slices.IndexFunc(items, func(item messages.PlanItem) bool { return item.ID == text })
		switch {
		case at < 0:
			return api.Reference{}
		case strings.HasSuffix(pointer, "/entity") && items[at].Kind == "organization":
			return api.Reference{Kind: "member", Name: "you"}
		default:
			return api.Reference{Kind: items[at].Kind, Name: items[at].Title}
		}
	}
}

// summary returns the numbers of records in a sentence.
func summary(o messages.Onboarding) string {
	name := "The company"
	var kinds []string
	counts := map[string]int{}
	for _, item := range o.Items {
		if item.Kind == "organization" {
			if item.Title != "" {
				name = item.Title
			}
			continue
		}
		if counts[item.Kind] == 0 {
			kinds = append(kinds, item.Kind)
		}
		counts[item.Kind]++
	}
	parts := make([]string, 0, len(kinds))
	for _, kind := range kinds {
		parts = append(parts, counted(counts[kind], kind))
	}
	if len(parts) == 0 {
		return name + "."
	}
	return name + ": " + strings.Join(parts, ", ") + "."
}

// counted returns a number with the noun of a kind.
func counted(n int, kind string) string {
	nouns, found := map[string][2]string{
		"vestingSchedule": {"vesting schedule", "vesting schedules"}, "security": {"class", "classes"},
		"plan": {"option plan", "option plans"}, "member": {"person", "people"},
	}[kind]
	if !found {
		nouns = [2]string{kind, kind + "s"}
	}
	if n == 1 {
		return "1 " + nouns[0]
	}
	return strconv.Itoa(n) + " " + nouns[1]
}

// setupRecord is the JSON form of the result of a build.
type setupRecord struct {
	Organization *organization.ID      `json:"organization,omitempty"`
	Created      []builtRecord         `json:"created"`
	Failed       []messages.FailedItem `json:"failed"`
}

type builtRecord struct {
	ItemID string `json:"itemId"`
	Kind   string `json:"kind"`
	ID     string `json:"id"`
}

// showSetup returns the result of a build; nil before it.
func showSetup(o messages.Onboarding) *setupRecord {
	if len(o.Created) == 0 && len(o.Failed) == 0 {
		return nil
	}
	shown := setupRecord{Created: []builtRecord{}, Failed: append([]messages.FailedItem{}, o.Failed...)}
	if !o.Organization.IsZero() {
		shown.Organization = &o.Organization
	}
	for _, one := range o.Created {
		shown.Created = append(shown.Created, builtRecord{one.Item, one.Kind, one.ID})
	}
	return &shown
}

// correct replaces a field of an item.
func (s base) correct(ctx context.Context, c *api.Call) (api.Answer, error) {
	given, err := api.Decode[struct {
		reference
		ItemID    captable.ID[kind] `json:"itemId"`
		FieldPath string            `json:"fieldPath"`
		NewValue  json.RawMessage   `json:"newValue"`
	}](c)
	if err != nil {
		return api.Answer{}, err
	}
	if given.NewValue == nil {
		given.NewValue = json.RawMessage("null")
	}
	item, err := s.Service.Correct(ctx, messages.OnboardingID(given.OnboardingID), c.Caller.User, messages.OnboardingCorrection{
		Item: given.ItemID.String(), Path: given.FieldPath, Value: given.NewValue,
	})
	if err != nil {
		return api.Answer{}, err
	}
	return api.Answer{Record: item, Private: true}, nil
}

// add adds an item of the user to the plan.
func (s base) add(ctx context.Context, c *api.Call) (api.Answer, error) {
	given, err := api.Decode[struct {
		reference
		Kind   string          `json:"kind"`
		Fields json.RawMessage `json:"fields"`
	}](c)
	if err != nil {
		return api.Answer{}, err
	}
	item, err := s.Service.Add(ctx, messages.OnboardingID(given.OnboardingID), c.Caller.User, messages.AddedItem{
		ID: captable.ID[kind](s.NewID()).String(), Kind: given.Kind, Fields: given.Fields,
	})
	if err != nil {
		return api.Answer{}, err
	}
	return api.Answer{Record: item, Private: true}, nil
}

// remove removes an item from the plan.
func (s base) remove(ctx context.Context, c *api.Call) (api.Answer, error) {
	given, err := api.Decode[struct {
		reference
		ItemID captable.ID[kind] `json:"itemId"`
	}](c)
	if err != nil {
		return api.Answer{}, err
	}
	changed, err := s.Service.Remove(ctx, messages.OnboardingID(given.OnboardingID), c.Caller.User, given.ItemID.String())
	if err != nil {
		return api.Answer{}, err
	}
	return api.Answer{Record: stateOf(changed), Private: true}, nil
}
