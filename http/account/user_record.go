package account

import (
	"cmp"
	"context"
	"slices"

	"equity/captable"
	"equity/http/api"
	"equity/messages"
	"equity/organization"
)

// user is the JSON form of an account for its owner.
type user struct {
	ID                 organization.UserID `json:"id"`
	Email              string              `json:"email"`
	Username           string              `json:"username"`
	FirstName          string              `json:"firstName"`
	LastName           string              `json:"lastName"`
	EmailVerified      bool                `json:"emailVerified"`
	TwoFactorEnabled   bool                `json:"twoFactorEnabled"`
	Entity             captable.EntityID   `json:"entity"`
	AcceptedTermsAt    *captable.Instant   `json:"acceptedTermsAt,omitempty"`
	SiteAdmin          bool                `json:"siteAdmin"`
	MustChangePassword bool                `json:"mustChangePassword"`
	Organizations      []userOrganization  `json:"organizations"`
}

type userOrganization struct {
	ID    organization.ID `json:"id"`
	Name  string          `json:"name"`
	Roles []string        `json:"roles"`
}

func userOf(a messages.User, organizations []userOrganization) user {
	return user{
		ID: a.ID, Email: a.Email, Username: a.Username, FirstName: a.FirstName, LastName: a.LastName,
		EmailVerified: !a.EmailVerifiedAt.IsZero(), Entity: a.Entity, AcceptedTermsAt: api.Instant(a.AcceptedTermsAt),
		TwoFactorEnabled: !a.TwoFactorAt.IsZero(), MustChangePassword: a.MustChangePassword,
		SiteAdmin: a.SiteAdmin, Organizations: organizations,
	}
}

// describe returns the user with their organizations, ordered by name.
func (s *base) describe(ctx context.Context, account messages.User) (user, error) {
	joined, err := s.Memberships.Of(ctx, account.ID)
	if err != nil {
		return user{}, err
	}
	organizations := make([]userOrganization, len(joined))
	for i, one := range joined {
		organizations[i] = userOrganization(one)
	}
	slices.SortFunc(organizations, func(a, b userOrganization) int { return cmp.Compare(a.Name, b.Name) })
	return userOf(account, organizations), nil
}
