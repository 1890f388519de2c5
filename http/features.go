package http

import (
	"context"
	"maps"
	"strings"

	"equity/account"
	"equity/fault"
	httpaccount "equity/http/account"
	"equity/http/admin"
	"equity/http/api"
	"equity/http/assistant"
	"equity/http/billing"
	"equity/http/document"
	"equity/http/equity"
	"equity/http/hook"
	"equity/http/integration"
	"equity/http/letter"
	"equity/http/live"
	"equity/http/member"
	"equity/http/oauth"
	"equity/http/onboarding"
	"equity/http/pages"
	"equity/http/people"
	"equity/http/unpack"
	"equity/membership"
	"equity/messages"
	"equity/organization"
)

// bind sets the operations of all features.
func (s Services) bind(settings Settings, kernel *api.Kernel, screens *pages.Pages) error {
	letters, err := letter.New(settings.PublicURL, s.NewID)
	if err != nil {
		return err
	}
	memberships := s.memberships(kernel, letters)
	packages := unpack.NewReader(s.Packages, settings.Imports.Directory, settings.Imports.PackageLimits())
	users := s.users(settings, memberships, letters)
	accounts := s.accounts(settings, kernel, users, memberships)
	members := member.New(kernel, member.Services{
		Index: s.Index, Memberships: memberships, Features: settings.Features, Imports: settings.Imports, OfficeSuite: s.Documents.Suite,
		NewID: s.NewID, Tables: s.Tables, Packages: packages,
	})
	persons := people.New(kernel, people.Services{
		Index: s.Index, Accounts: s.Accounts, Identities: s.Identities,
		Provider: s.Provider, Wallets: s.People.Wallets, Credit: s.People.Credit, Referrals: s.People.Referrals,
		Waitlist: s.People.Waitlist, Profiles: s.People.Profiles, ProfileFiles: s.People.ProfileFiles, Erasure: users, Letters: letters,
		NewID: s.NewID, Random: s.Random,
		DescribeUser: accounts.DescribeUser, DescribeMember: members.Describe,
	})
	kernel.Describer.Outside = persons.RecordName
	return kernel.Bind(replaced(s.Replace, append(s.ofRooms(kernel),
		accounts.Operations(), members.Operations(), persons.Operations(),
		equity.Operations(kernel, equity.Services{
			Index: s.Index, Journal: s.Journal, Certificates: s.Certificates, Anchors: s.Anchors, PublicURL: settings.PublicURL,
			Page: screens.Page, Log: s.Log, Now: s.Now,
		}),
		integration.Operations(kernel, s.Integrations), live.Operations(s.Live),
		billing.Operations(kernel, s.Billing), document.Operations(kernel, s.documents(settings, letters)),
		assistant.Operations(kernel, s.Assistant, strings.TrimSuffix(settings.PublicURL, "/")+oauth.MCPPath),
		onboarding.Operations(kernel, s.onboardings(packages)),
		hook.Operations(kernel, s.Hooks),
		admin.Operations(kernel, admin.Services{
			Administration: s.People.Administration, Blocklist: s.People.Blocklist, Sessions: s.Sessions, Accounts: s.Accounts, Log: s.Log,
		}),
	)...), accounts.Checks(), persons.Checks())
}

// ofRooms returns the handlers of the rooms by operation id.
func (s Services) ofRooms(kernel *api.Kernel) (all []map[string]api.Handler) {
	for _, room := range s.Rooms {
		if room.Operations != nil {
			all = append(all, room.Operations(kernel))
		}
	}
	return all
}

// onboardings returns the dependencies of onboardings.
func (s Services) onboardings(packages *unpack.Reader) onboarding.Services {
	services := s.Onboarding
	services.Packages = packages
	services.Now, services.NewID, services.Random, services.Tables = s.Now, s.NewID, s.Random, s.Tables
	return services
}

// documents returns the dependencies of the data room.
func (s Services) documents(settings Settings, letters *letter.Letters) document.Services {
	services := s.Documents
	services.Profiles = s.People.ProfileFiles
	services.Letters, services.NewID, services.Random, services.Settings.PublicURL = letters, s.NewID, s.Random, settings.PublicURL
	return services
}

// replaced returns the tables with the replacements in place of their handlers.
func replaced(by map[string]api.Handler, tables ...map[string]api.Handler) []map[string]api.Handler {
	rest := maps.Clone(by)
	for _, table := range tables {
		for id := range table {
			if handler, found := by[id]; found {
				table[id] = handler
				delete(rest, id)
			}
		}
	}
	return append(tables, rest)
}

// accounts returns the feature of accounts.
func (s Services) accounts(
	settings Settings, kernel *api.Kernel, users *account.Service, memberships *membership.Service,
) *httpaccount.Feature {
	return httpaccount.New(kernel, httpaccount.Services{
		Settings: httpaccount.Settings{
			PublicURL: settings.PublicURL, Secure: settings.Secure, SessionMaxAge: settings.SessionMaxAge, Demo: settings.Demo,
		},
		Accounts: users, Memberships: memberships, Sessions: s.Sessions, Tokens: s.Tokens, Log: s.Log, NewID: s.NewID, Random: s.Random,
	})
}

// users returns the use cases of accounts.
func (s Services) users(settings Settings, memberships *membership.Service, letters *letter.Letters) *account.Service {
	return account.New(account.Settings{
		RegistrationIPLimit: settings.RegistrationIPLimit, EmailVerificationLimit: settings.EmailVerificationLimit,
		PasswordCost: settings.PasswordCost,
	}, account.Services{
		Accounts: s.Accounts, Passwords: s.Passwords, TwoFactors: s.TwoFactors, Identities: s.Identities, MagicLinks: s.MagicLinks,
		Provider: s.Provider, Sessions: s.Sessions, Erasure: s.People.Erasure, Memberships: memberships, Throttle: s.Throttle,
		Letters:      httpaccount.Letters{Letters: letters, PublicURL: settings.PublicURL},
		HashingSlots: httpaccount.NewHashingSlots(settings.PasswordHashingParallel, s.HashingSlots, s.Now),
		Log:          s.Log, Now: s.Now, NewID: s.NewID, Random: s.Random,
	})
}

// memberships returns the use cases of memberships.
func (s Services) memberships(kernel *api.Kernel, letters *letter.Letters) *membership.Service {
	return membership.New(membership.Services{
		Organizations: notedViews{s.Organizations, kernel}, Index: s.Index, Stakes: s.Stakes, Accounts: s.Accounts, Throttle: s.Throttle,
		Letters: member.Letters{Letters: letters}, NewID: s.NewID, Random: s.Random,
		CheckMember: func(body []byte) fault.Fields { return kernel.CheckBody("addMember", body) },
	})
}

// notedViews reads views through the kernel, which notes outdated views for the answer of the request.
type notedViews struct {
	api.Organizations
	kernel *api.Kernel
}

// View returns the organization as of its last durable event.
func (n notedViews) View(ctx context.Context, id organization.ID) (*messages.View, error) {
	return n.kernel.View(ctx, id)
}
