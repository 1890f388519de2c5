package onboarding

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"equity/captable/exact"
	"equity/messages"
	"equity/organization"
	"equity/sheet"
)

// analysisTime bounds an analysis.
const analysisTime = 90 * time.Second

// Start begins the first analysis of a new onboarding. It waits a moment for the result.
func (s *Service) Start(ctx context.Context, id messages.OnboardingID) (messages.Onboarding, error) {
	find := func() (messages.Onboarding, error) { return s.Get(ctx, id, organization.UserID{}) }
	return s.analyze(ctx, find, func(*messages.Onboarding) {}, time.Second)
}

// Analyze analyzes the description again, or a new one, which also replaces an attached package. It waits for the result for the given time.
func (s *Service) Analyze(
	ctx context.Context, id messages.OnboardingID, user organization.UserID, prompt string, wait time.Duration,
) (messages.Onboarding, error) {
	find := func() (messages.Onboarding, error) { return s.Own(ctx, id, user) }
	return s.analyze(ctx, find, func(o *messages.Onboarding) {
		if prompt != "" && prompt != o.Prompt {
			o.Prompt, o.Answers, o.Corrections, o.Added, o.Removed, o.Facts = prompt, nil, nil, nil, nil, nil
		}
	}, wait)
}

// Attach stores a package of the Open Cap Format, which replaces the description, or the facts of a spreadsheet, which complete it.
func (s *Service) Attach(
	ctx context.Context, id messages.OnboardingID, user organization.UserID, file messages.OnboardingFile, facts messages.CompanyFacts,
) (messages.Onboarding, error) {
	return s.changeOwn(ctx, id, user, func(o *messages.Onboarding) error {
		if err := s.analyzable(o); err != nil {
			return err
		}
		if facts.Package != "" {
			if err := s.Store.Attach(ctx, id, file); err != nil {
				return messages.Unavailable(ctx, "store attachment", err)
			}
		}
		o.Answers, o.Corrections, o.Added, o.Removed, o.Failed, o.Rows = nil, nil, nil, nil, nil, nil
		if facts.Package == "" {
			rows := valid(facts)
			o.Rows = &rows
			facts = described(o)
		}
		s.take(o, facts)
		return nil
	})
}

// described returns the facts of the description; none without one or with a package in its place.
func described(o *messages.Onboarding) messages.CompanyFacts {
	if o.Facts == nil || o.Facts.Package != "" {
		return messages.CompanyFacts{}
	}
	return *o.Facts
}

// analyzable returns an error if the onboarding cannot be analyzed now.
func (s *Service) analyzable(o *messages.Onboarding) error {
	switch o.Status {
	case messages.OnboardingAnalyzing, messages.OnboardingBuilding:
		if s.leased(o) || o.Status == messages.OnboardingBuilding {
			return messages.ErrOnboardingBusy
		}
	case messages.OnboardingBuilt, messages.OnboardingComplete:
		return messages.ErrOnboardingBuilt
	case messages.OnboardingExpired:
		return messages.ErrOnboardingExpired
	case messages.OnboardingCreated, messages.OnboardingFailed, messages.OnboardingQuestions, messages.OnboardingAnalyzed:
	}
	return nil
}

func (s *Service) analyze(
	ctx context.Context, find func() (messages.Onboarding, error), prepare func(*messages.Onboarding), wait time.Duration,
) (messages.Onboarding, error) {
	started, err := s.change(ctx, find, func(o *messages.Onboarding) error {
		if err := s.analyzable(o); err != nil {
			return err
		}
		prepare(o)
		o.Status = messages.OnboardingAnalyzing
		s.lease(o)
		return nil
	})
	if err != nil {
		return started, err
	}
	s.await(ctx, wait, func() { s.finishAnalysis(started) }) //nolint:contextcheck // it outlives the request
	return find()
}

// await runs the function in a goroutine, and waits for its end at most for the given time.
func (s *Service) await(ctx context.Context, wait time.Duration, run func()) {
	done := make(chan struct{})
	s.running.Go(func() {
		defer close(done)
		run()
	})
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	case <-ctx.Done():
	}
}

// finishAnalysis reads the facts and stores the plan, unless another analysis has started since.
func (s *Service) finishAnalysis(started messages.Onboarding) {
	ctx, cancel := context.WithTimeout(s.ctx, analysisTime)
	defer cancel()
	facts, failed := s.read(ctx, started)
	if failed != nil {
		s.Log.Warn("a description was not analyzed", "cause", failed)
	}
	if failed != nil && s.ctx.Err() != nil {
		return // the server stops; another one, or this one after its next start, continues the analysis
	}
	storing, end := context.WithTimeout(context.WithoutCancel(s.ctx), storeTime)
	defer end()
	_, err := s.change(storing, func() (messages.Onboarding, error) { return s.Store.Find(storing, started.ID) }, func(o *messages.Onboarding) error {
		if !sameLease(o, &started) {
			return errSame
		}
		if o.Status = messages.OnboardingFailed; failed == nil {
			s.take(o, facts)
		}
		return nil
	})
	if err != nil {
		s.Log.Warn("the analysis of a description was not stored", "cause", err)
	}
}

// read returns the facts of the attached package, or else those of the description.
func (s *Service) read(ctx context.Context, o messages.Onboarding) (messages.CompanyFacts, error) {
	if o.Facts != nil && o.Facts.Package != "" {
		return *o.Facts, nil
	}
	facts, err := s.Reader.Read(ctx, messages.ModelPayer{User: o.User, Network: o.Network}, o.Prompt)
	if err == nil {
		err = bounded(&facts)
	}
	return facts, err //nolint:wrapcheck // it is only logged
}

// The bounds of the facts of a description.
const (
	maxItems     = 500
	maxFactBytes = 256 << 10
)

// bounded returns an error for facts beyond the bounds, which a description cannot contain.
func bounded(facts *messages.CompanyFacts) error {
	items := len(facts.Classes) + len(facts.People) + len(facts.Stakes) + len(facts.Convertibles) + len(facts.Folders)
	text, err := json.Marshal(facts)
	switch {
	case err != nil:
		return fmt.Errorf("read facts: %w", err)
	case items > maxItems || len(text) > maxFactBytes:
		return fmt.Errorf("%w: %d items in %d bytes; at most %d items in %d bytes", errTooMuch, items, len(text), maxItems, maxFactBytes)
	}
	return nil
}

var errTooMuch = errors.New("the facts of a description exceed their bounds")

// storeTime bounds the storing of a result.
const storeTime = 10 * time.Second

// take derives the plan from new facts.
func (s *Service) take(o *messages.Onboarding, facts messages.CompanyFacts) {
	facts = withoutTotals(valid(facts))
	o.Facts, o.AnalyzedOn = &facts, s.Now().UTC().Format(time.DateOnly)
	endLease(o, time.Time{})
	s.replan(o)
}

// withoutTotals returns the facts of a description without holders that are totals of a list.
func withoutTotals(facts messages.CompanyFacts) messages.CompanyFacts {
	facts.People = slices.DeleteFunc(facts.People, func(p messages.PersonFacts) bool { return sheet.IsTotal(p.Name) })
	facts.Stakes = slices.DeleteFunc(facts.Stakes, func(s messages.StakeFacts) bool { return sheet.IsTotal(s.Holder) })
	return facts
}

// valid returns the facts without malformed numbers and dates, and with one entry for each person and class.
func valid(facts messages.CompanyFacts) messages.CompanyFacts {
	number := func(texts ...*string) {
		for _, text := range texts {
			if decimal, err := exact.ParseDecimal(*text); err != nil || decimal.Sign() < 0 {
				*text = ""
			}
		}
	}
	date := func(texts ...*string) {
		for _, text := range texts {
			if _, err := exact.ParseDate(*text); err != nil {
				*text = ""
			}
		}
	}
	number(&facts.Shares)
	date(&facts.FormedOn)
	facts.Classes = unique(facts.Classes, func(c messages.ClassFacts) string { return c.Name })
	for i := range facts.Classes {
		c := &facts.Classes[i]
		number(&c.Authorized, &c.ParValue, &c.Price)
	}
	facts.People = unique(facts.People, func(p messages.PersonFacts) string { return p.Name })
	for i := range facts.Stakes {
		number(&facts.Stakes[i].Shares, &facts.Stakes[i].Price)
		date(&facts.Stakes[i].Date)
		facts.People = known(facts.People, facts.Stakes[i].Holder)
	}
	if facts.Pool != nil {
		number(&facts.Pool.Shares)
	}
	for i := range facts.Convertibles {
		c := &facts.Convertibles[i]
		number(&c.Amount, &c.Cap, &c.Discount, &c.Interest)
		date(&c.Date, &c.Maturity)
		facts.People = known(facts.People, c.Holder)
	}
	if v := facts.Vesting; v != nil {
		const longest = 12 * 20
		if v.Months < 1 || v.Months > longest || v.CliffMonths < 0 || v.CliffMonths > v.Months {
			facts.Vesting = nil
		}
	}
	facts.Folders = unique(facts.Folders, func(name string) string { return name })
	return facts
}

// unique returns the entries with different names, without regard to case. Entries without a name are removed.
func unique[E any](all []E, name func(E) string) []E {
	seen := map[string]bool{"": true}
	var kept []E
	for _, one := range all {
		if key := strings.ToLower(strings.TrimSpace(name(one))); !seen[key] {
			seen[key] = true
			kept = append(kept, one)
		}
	}
	return kept
}

// known returns the people with the holder.
func known(people []messages.PersonFacts, holder string) []messages.PersonFacts {
	if holder == "" || slices.ContainsFunc(people, func(p messages.PersonFacts) bool { return strings.EqualFold(p.Name, holder) }) {
		return people
	}
	return append(people, messages.PersonFacts{Name: holder})
}
