// Package onboarding serves onboardings: the description of a company, its plan, and the build of its organization.
package onboarding

import (
	"context"
	"io"
	"net/http"
	"time"

	"equity/captable"
	"equity/captable/ocf"
	"equity/http/api"
	"equity/http/tables"
	"equity/messages"
	"equity/onboarding"
	"equity/organization"
	"equity/sheet"
)

// Store keeps onboardings.
type Store interface {
	// Create stores a new onboarding. A replayed request returns the first one.
	Create(ctx context.Context, once messages.Once, created messages.Onboarding) (stored messages.Onboarding, replayed bool, err error)
	// Latest returns the last onboarding of the user, else the last one of the address without a user, else [messages.ErrNoOnboarding].
	Latest(ctx context.Context, user organization.UserID, email string, now time.Time) (messages.Onboarding, error)
	// Welcome remembers that the user completed or skipped the first steps. Welcomed reports whether it did.
	Welcome(ctx context.Context, user organization.UserID) error
	Welcomed(ctx context.Context, user organization.UserID) (bool, error)
}

// Services are the dependencies of the package. They are empty if the assistant is disabled.
type Services struct {
	Service *onboarding.Service
	Store   Store
	// Packages reads an attached package.
	Packages Packages
	// Tables reads spreadsheets.
	Tables Tables
	NewID  func() [16]byte
	Now    func() time.Time
	Random io.Reader
}

// Tables reads spreadsheets of a group, which shares the places of children with others in turns.
type Tables interface {
	Read(ctx context.Context, group string, content []byte, asked tables.Request) (sheet.Recognition, error)
}

// Packages reads packages of a group.
type Packages interface {
	Archive(ctx context.Context, group string, file api.File) (*ocf.Package, ocf.Findings, error)
}

type base struct {
	*api.Kernel
	Services
}

// Operations returns the handlers of the package by operation id.
func Operations(kernel *api.Kernel, services Services) map[string]api.Handler {
	s := base{kernel, services}
	if s.Service != nil {
		s.Service.Use(contract{kernel, services.NewID, services.Now})
	}
	return map[string]api.Handler{
		"createOnboarding": s.create, "getOnboarding": s.get, "getAnalysisStatus": s.state, "listOnboardingQuestions": s.questions,
		"getShowcase": s.showcase, "linkOnboarding": s.link, "analyzeOnboarding": s.analyze, "uploadOnboardingFile": s.attach,
		"answerQuestion": s.answer, "correctItem": s.correct, "addOnboardingItem": s.add, "removeOnboardingItem": s.remove,
		"buildOnboarding": s.build, "setupOnboarding": s.setup,
		"getFirstLogin": s.firstLogin, "completeOnboarding": s.complete,
	}
}

// kind types the ids of onboardings.
type kind struct{}

func inPath(c *api.Call) messages.OnboardingID {
	return messages.OnboardingID(api.PathID[kind](c, "onboarding"))
}

const (
	createdPerHour = 5
	createdPerDay  = 3
)

// create begins an onboarding.
func (s base) create(ctx context.Context, c *api.Call) (api.Answer, error) {
	given, err := api.Decode[struct {
		Email         string `json:"email"`
		InitialPrompt string `json:"initialPrompt"`
	}](c)
	if err != nil {
		return api.Answer{}, err
	}
	if err := s.Throttle(ctx, "onboarding "+c.Caller.Network(), createdPerHour, time.Hour); err != nil {
		return api.Answer{}, err
	}
	if err := s.Throttle(ctx, "onboarding "+messages.CanonicalEmail(given.Email), createdPerDay, 24*time.Hour); err != nil {
		return api.Answer{}, err
	}
	created := messages.Onboarding{ // for a minute, only this request begins the analysis
		Email: given.Email, Status: messages.OnboardingCreated, CreatedAt: c.At, LeasedUntil: c.At.Add(time.Minute),
		ExpiresAt:      c.At.Add(onboarding.Valid),
		OnboardingWork: messages.OnboardingWork{Prompt: given.InitialPrompt, Network: c.Caller.Network()},
	}
	if _, err := io.ReadFull(s.Random, created.ID[:]); err != nil {
		return api.Answer{}, err
	}
	created.ID[6], created.ID[8] = created.ID[6]&0x0f|0x40, created.ID[8]&0x3f|0x80
	stored, replayed, err := s.Store.Create(ctx, c.Once(), created)
	if err != nil {
		return api.Answer{}, api.Unavailable(err)
	}
	if !replayed {
		if stored, err = s.Service.Start(ctx, stored.ID); err != nil {
			return api.Answer{}, err
		}
	}
	record := show(stored)
	record.Email = given.Email
	answer := api.Created(record, "/agent/onboarding/"+record.ID.String(), "")
	answer.Private, answer.Replayed = true, replayed
	return answer, nil
}

// find returns the onboarding of the path, for its viewer.
func (s base) find(ctx context.Context, c *api.Call) (messages.Onboarding, error) {
	return s.Service.Get(ctx, inPath(c), c.Caller.User)
}

func (s base) get(ctx context.Context, c *api.Call) (api.Answer, error) {
	found, err := s.find(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	return s.Digested(c, found.Revision, show(found))
}

func (s base) state(ctx context.Context, c *api.Call) (api.Answer, error) {
	found, err := s.find(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	return s.Digested(c, found.Revision, stateOf(found))
}

func (s base) questions(ctx context.Context, c *api.Call) (api.Answer, error) {
	found, err := s.find(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	page, err := api.ListedByKey(c, found.Questions, api.PlaceKey, showQuestion)
	if err != nil {
		return api.Answer{}, err
	}
	return s.Digested(c, found.Revision, page)
}

func (s base) showcase(ctx context.Context, c *api.Call) (api.Answer, error) {
	found, err := s.find(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	if found.Facts == nil {
		return api.Answer{}, messages.ErrNotAnalyzed
	}
	plan, err := s.describePlan(ctx, c, found)
	if err != nil {
		return api.Answer{}, err
	}
	return s.Digested(c, found.Revision, plan)
}

// reference is the body of an operation on an onboarding.
type reference struct {
	OnboardingID captable.ID[kind] `json:"onboardingId"`
}

func (s base) link(ctx context.Context, c *api.Call) (api.Answer, error) {
	given, err := api.Decode[reference](c)
	if err != nil {
		return api.Answer{}, err
	}
	account, err := s.Account(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	linked, err := s.Service.Link(ctx, messages.OnboardingID(given.OnboardingID), account)
	if err != nil {
		return api.Answer{}, err
	}
	return api.Answer{Record: show(linked), Private: true}, nil
}

const (
	analysisPatience = 10 * time.Second
	buildPatience    = 30 * time.Second
)

func (s base) analyze(ctx context.Context, c *api.Call) (api.Answer, error) {
	given, err := api.Decode[struct {
		reference
		Prompt string `json:"prompt"`
	}](c)
	if err != nil {
		return api.Answer{}, err
	}
	found, err := s.Service.Analyze(ctx, messages.OnboardingID(given.OnboardingID), c.Caller.User, given.Prompt, analysisPatience)
	if err != nil {
		return api.Answer{}, err
	}
	return accepted(stateOf(found), found.Status == messages.OnboardingAnalyzing), nil
}

// accepted returns the answer to a request whose work may continue.
func accepted(record any, continues bool) api.Answer {
	if continues {
		return api.Answer{Status: http.StatusAccepted, Record: record, Private: true}
	}
	return api.Answer{Record: record, Private: true}
}

func (s base) answer(ctx context.Context, c *api.Call) (api.Answer, error) {
	given, err := api.Decode[struct {
		reference
		QuestionID captable.ID[kind] `json:"questionId"`
		Answer     string            `json:"answer"`
	}](c)
	if err != nil {
		return api.Answer{}, err
	}
	found, question, err := s.Service.Answer(
		ctx, messages.OnboardingID(given.OnboardingID), c.Caller.User, given.QuestionID.String(), given.Answer,
	)
	if err != nil {
		return api.Answer{}, err
	}
	return api.Answer{Private: true, Record: struct {
		Question     questionRecord            `json:"question"`
		Status       messages.OnboardingStatus `json:"status"`
		HasQuestions bool                      `json:"hasQuestions"`
	}{showQuestion(question), found.Status, asks(found)}}, nil
}

func (s base) build(ctx context.Context, c *api.Call) (api.Answer, error) {
	return s.carryOut(ctx, c, false)
}

func (s base) setup(ctx context.Context, c *api.Call) (api.Answer, error) {
	return s.carryOut(ctx, c, true)
}

// carryOut builds the organization.
func (s base) carryOut(ctx context.Context, c *api.Call, defaults bool) (api.Answer, error) {
	given, err := api.Decode[reference](c)
	if err != nil {
		return api.Answer{}, err
	}
	found, err := s.Service.Build(ctx, messages.OnboardingID(given.OnboardingID), c.Caller.User, defaults, buildPatience)
	if err != nil {
		return api.Answer{}, err
	}
	record := struct {
		ID          captable.ID[kind]         `json:"id"`
		Status      messages.OnboardingStatus `json:"status"`
		SetupResult *setupRecord              `json:"setupResult,omitempty"`
	}{found.ID, found.Status, showSetup(found)}
	return accepted(record, found.Status == messages.OnboardingBuilding), nil
}

func (s base) firstLogin(ctx context.Context, c *api.Call) (api.Answer, error) {
	account, err := s.Account(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	welcomed, err := s.Store.Welcomed(ctx, account.ID)
	if err != nil {
		return api.Answer{}, api.Unavailable(err)
	}
	email := ""
	if !account.EmailVerifiedAt.IsZero() {
		email = account.Email
	}
	record := struct {
		IsFirstLogin   bool               `json:"isFirstLogin"`
		OnboardingID   *captable.ID[kind] `json:"onboardingId,omitempty"`
		SetupResult    *setupRecord       `json:"setupResult,omitempty"`
		WelcomeMessage string             `json:"welcomeMessage"`
	}{IsFirstLogin: !welcomed, WelcomeMessage: "Welcome to Equity, " + account.FullName() + "."}
	latest, err := s.Store.Latest(ctx, account.ID, email, c.At)
	switch {
	case api.IsNotFound(err):
	case err != nil:
		return api.Answer{}, api.Unavailable(err)
	default:
		id := captable.ID[kind](latest.ID)
		record.OnboardingID, record.SetupResult = &id, showSetup(latest)
	}
	return s.Digested(c, 1, record)
}

func (s base) complete(ctx context.Context, c *api.Call) (api.Answer, error) {
	given, err := api.Decode[reference](c)
	if err != nil {
		return api.Answer{}, err
	}
	if !given.OnboardingID.IsZero() {
		if _, err := s.Service.Complete(ctx, messages.OnboardingID(given.OnboardingID), c.Caller.User); err != nil {
			return api.Answer{}, err
		}
	}
	if err := s.Store.Welcome(ctx, c.Caller.User); err != nil {
		return api.Answer{}, api.Unavailable(err)
	}
	return api.Answer{Private: true, Record: map[string]string{"status": string(messages.OnboardingComplete)}}, nil
}
