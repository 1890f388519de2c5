package http

import (
	"context"
	"slices"
	"strings"
	"time"

	"equity/captable"
	"equity/organization"
)

// enteringTime is how long addresses that are being entered are nobody else's to enter, at most.
const enteringTime = time.Minute

// enters keeps addresses to the caller until they are entered in the organization, so that two of them, on whatever
// servers, do not make two members of one address: the journal, which holds no addresses, cannot tell. Done ends that.
func (s *Server) enters(ctx context.Context, c *Call, emails ...string) (done func(), err error) {
	var subjects []string
	for _, email := range emails {
		subject := "address " + canonical(email)
		if canonical(email) != "" && !slices.Contains(subjects, subject) {
			subjects = append(subjects, subject)
		}
	}
	return s.entersAlone(ctx, c, subjects)
}

// entersAlone keeps subjects of the organization to the caller; 409 where somebody else does. A dry run keeps nothing.
func (s *Server) entersAlone(ctx context.Context, c *Call, subjects []string) (done func(), err error) {
	var kept []string
	done = func() {
		for _, subject := range kept {
			if err := s.throttle.Forgive(context.WithoutCancel(ctx), subject); err != nil {
				s.log.Warn("a subject stays kept for a minute", "request", c.ID, "cause", err)
			}
		}
	}
	for _, subject := range subjects {
		if c.DryRun() {
			break
		}
		subject = "entering " + c.Organization.String() + " " + subject
		wait, err := s.throttle.Take(ctx, subject, 1, enteringTime)
		if err == nil && wait > 0 {
			err = captable.Refuse(captable.CodeConflict, "Somebody is entering the same at this moment. Try again.")
		}
		if err != nil {
			done()
			return nil, unavailable(doing(ctx, "enter", err))
		}
		kept = append(kept, subject)
	}
	return done, nil
}

// knownHere finds whom the organization knows by an address; the zero id for nobody. Of several, one who is still there
// goes before one who was removed. The account with the address counts only where it is a member already: whether
// there is one is told to nobody.
func (s *Server) knownHere(ctx context.Context, c *Call, email string) (captable.EntityID, error) {
	if strings.TrimSpace(email) == "" {
		return captable.EntityID{}, nil
	}
	now, err := s.view(ctx, c.Organization) // the call's is of before the address was kept
	if err != nil {
		return captable.EntityID{}, err
	}
	account, err := s.accounts.ByEmail(ctx, email)
	if err != nil && !isUnknownUser(err) {
		return captable.EntityID{}, unavailable(doing(ctx, "find account", err))
	}
	if member, ok := now.State.MemberBy(account.ID); ok && err == nil {
		return member.Entity, nil
	}
	known, err := s.index.KnownBy(ctx, email)
	if err != nil {
		return captable.EntityID{}, unavailable(doing(ctx, "find holders", err))
	}
	var found captable.EntityID
	for _, one := range known {
		if one.Organization != c.Organization {
			continue
		}
		member, ok := now.State.MemberOf(one.Entity)
		if ok && (found.IsZero() || member.Status != organization.StatusRemoved) {
			found = one.Entity
		}
	}
	return found, nil
}
