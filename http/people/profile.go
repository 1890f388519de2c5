package people

import (
	"context"
	"time"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
	"equity/http/api"
	"equity/messages"
	"equity/organization"
	"equity/organization/document"
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

// ProfileFiles finds the files of profiles.
type ProfileFiles interface {
	// ByID returns the record of a file, or an error with code resourceNotFound.
	ByID(ctx context.Context, id document.FileID) (messages.ProfileFile, error)
	// Of returns the records of the files of a profile, oldest first.
	Of(ctx context.Context, entity captable.EntityID) ([]messages.ProfileFile, error)
}

func (s profiles) operations() map[string]api.Handler {
	return map[string]api.Handler{
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

func showProfile(c *api.Call, p messages.Profile) any {
	record := profileRecord{p.Entity, p.Particulars, api.Instant(p.UpdatedAt), p.Version}
	if !api.MayUpdateSubject(c) {
		record.Particulars = p.Particulars.Public()
	}
	return record
}

func showAddress(p messages.Profile) any {
	return addressRecord{p.Entity, p.Particulars.HomeAddress, api.Instant(p.UpdatedAt), p.Version}
}

// profile returns the profile of the path. Missing fields come from the account.
func (s *base) profile(ctx context.Context, c *api.Call) (messages.Profile, error) {
	found, err := s.Profiles.ByEntity(ctx, c.Subject.Entity)
	if err != nil {
		return found, api.Unavailable(api.Wrap(ctx, "read profile", err))
	}
	account, err := s.Accounts.ByEntity(ctx, c.Subject.Entity)
	if err != nil && !api.IsUnknownUser(err) {
		return found, api.Unavailable(api.Wrap(ctx, "find account", err))
	}
	return found.WithAccount(account), nil
}

func (s profiles) getProfile(ctx context.Context, c *api.Call) (api.Answer, error) {
	found, err := s.profile(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	return s.Digested(c, found.Version, showProfile(c, found))
}

func (s profiles) getAddress(ctx context.Context, c *api.Call) (api.Answer, error) {
	if !api.MayUpdateSubject(c) {
		return api.Answer{}, api.Forbidden()
	}
	found, err := s.profile(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	return s.Digested(c, found.Version, showAddress(found))
}

func (s profiles) amendProfile(ctx context.Context, c *api.Call) (api.Answer, error) {
	if err := s.checkPhoto(ctx, c); err != nil {
		return api.Answer{}, err
	}
	return s.alterProfile(ctx, c, func(p messages.Profile) any { return showProfile(c, p) }, func(p profile.Particulars) (profile.Particulars, error) {
		return captable.Patched(p, c.Body)
	})
}

// checkPhoto refuses a photo that is not an image of the profile.
func (s profiles) checkPhoto(ctx context.Context, c *api.Call) error {
	given, err := api.Decode[struct {
		Photo *document.FileID `json:"photo"`
	}](c)
	if err != nil || given.Photo == nil || given.Photo.IsZero() {
		return err
	}
	found, err := s.ProfileFiles.ByID(ctx, *given.Photo)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return api.Unavailable(api.Wrap(ctx, "read file of a profile", err))
	}
	if err != nil || found.Entity != c.Subject.Entity || !found.IsPicture() {
		return api.WrongField("/photo", "unknownReference", "The profile has no such image.")
	}
	return nil
}

func (s profiles) amendAddress(ctx context.Context, c *api.Call) (api.Answer, error) {
	return s.alterProfile(ctx, c, showAddress, func(p profile.Particulars) (profile.Particulars, error) {
		var err error
		p.HomeAddress, err = captable.Patched(p.HomeAddress, c.Body)
		return p, err
	})
}

// alterProfile changes the profile of the path, or returns the preview of a dry run.
func (s profiles) alterProfile(
	ctx context.Context, c *api.Call, show func(messages.Profile) any, change func(profile.Particulars) (profile.Particulars, error),
) (api.Answer, error) {
	expected, err := c.Expected()
	if err != nil {
		return api.Answer{}, err
	}
	edit := func(p profile.Particulars) (profile.Particulars, error) {
		input, err := change(p)
		if err == nil {
			err = api.WrongFields(input.Faults(exact.DateOf(c.At.UTC())))
		}
		return input, err
	}
	if c.DryRun() {
		return s.rehearseProfile(ctx, c, show, edit)
	}
	amended, err := s.Profiles.Amend(ctx, c.Subject.Entity, expected, c.At, edit)
	if err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "amend profile", err))
	}
	account, err := s.Accounts.ByEntity(ctx, c.Subject.Entity)
	if err != nil && !api.IsUnknownUser(err) {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "find account", err))
	}
	return s.Digested(c, amended.Version, show(amended.WithAccount(account)))
}

func (s profiles) rehearseProfile(
	ctx context.Context, c *api.Call, show func(messages.Profile) any, edit func(profile.Particulars) (profile.Particulars, error),
) (api.Answer, error) {
	found, err := s.Profiles.ByEntity(ctx, c.Subject.Entity)
	if err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "read profile", err))
	}
	found.Particulars, err = edit(found.Particulars)
	return s.Preview(c, messages.Reply{}, show(found)), err
}
