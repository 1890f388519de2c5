package http

import (
	"context"
	"time"

	"equity/captable"
	"equity/captable/exact"
	"equity/messages"
	"equity/organization"
	"equity/people/profile"
)

// Profiles stores the profiles of entities.
type Profiles interface {
	ByEntity(ctx context.Context, entity captable.EntityID) (messages.Profile, error)
	// Amend returns an error with code stale if the profile does not have the expected version; nil
	// accepts any version.
	Amend(
		ctx context.Context, entity captable.EntityID, expected *uint64, now time.Time,
		edit func(profile.Particulars) (profile.Particulars, error),
	) (messages.Profile, error)
}

func (s *Server) profileHandlers() map[string]Handler {
	return map[string]Handler{
		"getProfile":   s.getProfile,
		"amendProfile": s.amendProfile,
		"getAddress":   s.getAddress,
		"amendAddress": s.amendAddress,
	}
}

// profileRecord is the JSON form of a profile. The profile and its address have the id of the entity.
type profileRecord struct {
	ID captable.EntityID `json:"id"`
	profile.Particulars
	UpdatedAt *captable.Instant `json:"updatedAt,omitempty"`
	Version   uint64            `json:"version"`
}

// addressRecord is the JSON form of a profile's address.
type addressRecord struct {
	ID captable.EntityID `json:"id"`
	organization.Address
	UpdatedAt *captable.Instant `json:"updatedAt,omitempty"`
	Version   uint64            `json:"version"`
}

func (c *Call) showProfile(p messages.Profile) any {
	record := profileRecord{p.Entity, p.Particulars, instant(p.UpdatedAt), p.Version}
	if !mayUpdateSubject(c) {
		record.Particulars = p.Particulars.Public()
	}
	return record
}

func (c *Call) showAddress(p messages.Profile) any {
	return addressRecord{p.Entity, p.Particulars.HomeAddress, instant(p.UpdatedAt), p.Version}
}

// profile returns the profile of the path. Missing fields come from the account.
func (s *Server) profile(ctx context.Context, c *Call) (messages.Profile, error) {
	found, err := s.beside.Profiles.ByEntity(ctx, c.subject.entity)
	if err != nil {
		return found, unavailable(doing(ctx, "read profile", err))
	}
	account, err := s.accounts.ByEntity(ctx, c.subject.entity)
	if err != nil && !isUnknownUser(err) {
		return found, unavailable(doing(ctx, "find account", err))
	}
	return withAccount(found, account), nil
}

// withAccount completes the profile with the name and address of the account.
func withAccount(p messages.Profile, account messages.User) messages.Profile {
	if account.ID.IsZero() {
		return p
	}
	if p.Particulars.FullName == "" {
		p.Particulars.FullName = fullName(account)
	}
	if p.Particulars.Email == "" {
		p.Particulars.Email = account.Email
	}
	return p
}

func (s *Server) getProfile(ctx context.Context, c *Call) (Answer, error) {
	found, err := s.profile(ctx, c)
	if err != nil {
		return Answer{}, err
	}
	return s.digested(c, found.Version, c.showProfile(found))
}

func (s *Server) getAddress(ctx context.Context, c *Call) (Answer, error) {
	if !mayUpdateSubject(c) {
		return Answer{}, errForbidden()
	}
	found, err := s.profile(ctx, c)
	if err != nil {
		return Answer{}, err
	}
	return s.digested(c, found.Version, c.showAddress(found))
}

func (s *Server) amendProfile(ctx context.Context, c *Call) (Answer, error) {
	return s.alterProfile(ctx, c, c.showProfile, func(p profile.Particulars) (profile.Particulars, error) {
		return captable.Patched(p, c.Body)
	})
}

func (s *Server) amendAddress(ctx context.Context, c *Call) (Answer, error) {
	return s.alterProfile(ctx, c, c.showAddress, func(p profile.Particulars) (profile.Particulars, error) {
		var err error
		p.HomeAddress, err = captable.Patched(p.HomeAddress, c.Body)
		return p, err
	})
}

// alterProfile changes the profile of the path, or returns the preview of a dry run.
func (s *Server) alterProfile(
	ctx context.Context, c *Call, show func(messages.Profile) any, change func(profile.Particulars) (profile.Particulars, error),
) (Answer, error) {
	expected, err := c.expected()
	if err != nil {
		return Answer{}, err
	}
	edit := func(p profile.Particulars) (profile.Particulars, error) {
		wish, err := change(p)
		if err == nil {
			err = wrongFields(wish.Faults(exact.DateOf(c.At.UTC())))
		}
		return wish, err
	}
	if c.DryRun() {
		return s.rehearseProfile(ctx, c, show, edit)
	}
	amended, err := s.beside.Profiles.Amend(ctx, c.subject.entity, expected, c.At, edit)
	if err != nil {
		return Answer{}, unavailable(doing(ctx, "amend profile", err))
	}
	account, err := s.accounts.ByEntity(ctx, c.subject.entity)
	if err != nil && !isUnknownUser(err) {
		return Answer{}, unavailable(doing(ctx, "find account", err))
	}
	return s.digested(c, amended.Version, show(withAccount(amended, account)))
}

func (s *Server) rehearseProfile(
	ctx context.Context, c *Call, show func(messages.Profile) any, edit func(profile.Particulars) (profile.Particulars, error),
) (Answer, error) {
	found, err := s.beside.Profiles.ByEntity(ctx, c.subject.entity)
	if err != nil {
		return Answer{}, unavailable(doing(ctx, "read profile", err))
	}
	found.Particulars, err = edit(found.Particulars)
	return s.preview(c, messages.Reply{}, show(found)), err
}

// digested returns a record from outside the journals. Its ETag consists of the version and a digest
// of the content.
func (s *Server) digested(c *Call, version uint64, record any) (Answer, error) {
	text, err := renderJSON(record)
	if err != nil {
		return Answer{}, err
	}
	tag := c.contentTag(version, string(text))
	if c.operation.method == "GET" && c.unchanged(tag) {
		return notModified(tag), nil
	}
	return Answer{Rendered: text, ContentType: contentJSON, ETag: tag}, nil
}
