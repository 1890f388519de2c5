package main

import (
	"fmt"

	"equity/captable"
	"equity/captable/exact"
	"equity/messages"
	"equity/organization"
)

// demoCompany executes the history of a company as commands, in order, each
// recorded as if entered by a user. The dates are in the past, so that the
// table can be read as of each of them.
type demoCompany struct {
	// do executes one command for the company.
	do func(messages.Command) (messages.Reply, error)
	// failure is the first error. Later commands are skipped.
	failure error

	common, nonVoting, seed, seriesA captable.SecurityID
	act                              captable.LegendID
	holders                          map[string]captable.EntityID
	// block is the current funding round; empty between rounds.
	block string
	// converting are the SAFEs converted by the seed round.
	converting []captable.InstrumentID
	// issued maps a holder and security to the last issued shareholding.
	issued map[demoHolding]captable.ShareholdingID
}

type demoHolding struct {
	holder   string
	security captable.SecurityID
}

// The holders by role. The first founder is the demo user.
func demoFounders() []string { return []string{"Ada Lindqvist", "Björn Okafor", "Chiara Moretti"} }

func demoAngels() []string {
	return []string{
		"Harbour Street Angels LLC", "Dmitri Sokolov", "Émilie Laurent", "Yuki Tanaka 田中由紀", "Fatima Al-Sayed",
		"Gustavo Ferreira", "Hannah Weiss", "Ivan Horvat", "Jamila Njoroge", "Kenji Watanabe", "Lucía Fernández",
		"Mei-Ling Chen 陳美玲", "Nikos Papadopoulos", "Oyelaran Adeyemi",
	}
}

func demoFunds() []string {
	return []string{
		"Fjord Ventures II, L.P.", "Meridian Growth Partners", "Cobalt Capital GmbH & Co. KG", "Old Quay Family Office",
		"Lantern Peak Fund I, L.P.",
	}
}

func demoTeam() []string {
	return []string{
		"Priya Raman", "Quentin Dubois", "Rosa Jiménez", "Søren Møller", "Tariq Haddad", "Ursula Kowalska", "Viktor Lindgren",
		"Wanjiru Kamau", "Xin Zhao", "Yusuf Demir", "Zofia Nowak", "Anders Holm", "Beatriz Costa", "Cormac Byrne", "Divya Menon",
		"Elias Bergström", "Farah Rahimi", "Giulia Romano", "Hiroshi Sato", "Isla MacLeod",
	}
}

// demoProfile returns the profile of the company.
func demoProfile() organization.Profile {
	return organization.Profile{
		Name: "Northwind Instruments", LegalName: "Northwind Instruments, Inc.", Type: "corporation", Subtype: "cCorp",
		Jurisdiction: "US-DE", FormationDate: exact.MustDate("2019-03-04"), Currency: "USD", FiscalYearEnd: "12-31",
		Website: "https://northwind.example",
		Address: &organization.Address{Street1: "21 Harbour Street", City: "Portland", Province: "ME", PostalCode: "04101", Country: "US"},
	}
}

// execute executes the whole history after the first founder has created the company.
func (d *demoCompany) execute(founder captable.EntityID) error {
	d.holders = map[string]captable.EntityID{demoFounders()[0]: founder}
	d.issued = map[demoHolding]captable.ShareholdingID{}
	d.charter()
	d.enterHolders()
	d.founding()
	d.seedRound()
	d.team()
	d.seriesARound()
	d.debts()
	d.lifecycle()
	d.plans()
	return d.failure
}

// run executes one command unless an earlier one failed.
func (d *demoCompany) run(description string, command messages.Command) messages.Reply {
	if d.failure != nil {
		return messages.Reply{}
	}
	reply, err := d.do(command)
	if err != nil {
		d.failure = fmt.Errorf("demo company: %s: %w", description, err)
	}
	return reply
}

// table executes a command of the cap table.
func (d *demoCompany) table(description string, command captable.Command) {
	d.run(description, messages.Command{Body: organization.Table{Command: command}})
}

// inTable executes a command of the cap table and returns its result: nil after a failure.
func inTable[R any](d *demoCompany, description string, command captable.CommandOf[R]) R {
	return inOrganization(d, description, organization.TableCommand(command))
}

// inOrganization executes a command and returns its result: nil after a failure.
func inOrganization[R any](d *demoCompany, description string, command organization.CommandOf[R]) R {
	result, err := messages.ResultOf[R](d.run(description, messages.With(messages.Command{}, command)))
	if err != nil && d.failure == nil {
		d.failure = fmt.Errorf("demo company: %s: %w", description, err)
	}
	return result
}

// charter creates the legends and the securities.
func (d *demoCompany) charter() {
	legend := func(name, text string) captable.LegendID {
		made := inTable(d, name, captable.CreateLegend{
			LegendTerms: captable.LegendTerms{Name: name, Text: text},
		})
		if made == nil {
			return captable.LegendID{}
		}
		return made.ID
	}
	d.act = legend("Securities Act", "These securities have not been registered under the Securities Act of 1933. They may not be sold, "+
		"offered for sale, pledged or otherwise transferred without an effective registration or an exemption from it.")
	refusal := legend(
		"Right of first refusal", "The transfer of these shares is subject to a right of first refusal of the company under its bylaws.",
	)
	one := exact.NewDecimal(1)
	d.common = d.security(captable.SecurityTerms{
		Name: "Common Stock", ShareType: captable.ShareCommon, Prefix: "CS", VotingShares: true, VotesPerShare: &one,
		AuthorizedShares:  captable.AuthorizedOf(exact.NewDecimal(7_500_000)),
		BoardApprovalDate: exact.MustDate("2019-03-04"), Legends: []captable.LegendID{d.act, refusal},
	})
	d.nonVoting = d.security(captable.SecurityTerms{
		Name: "Non-Voting Common Stock", ShareType: captable.ShareCommon, Prefix: "NV",
		AuthorizedShares:  captable.AuthorizedOf(exact.NewDecimal(1_000_000)),
		BoardApprovalDate: exact.MustDate("2019-03-04"), Legends: []captable.LegendID{d.act},
	})
	d.table("configuration", captable.Configure{Configuration: captable.Configuration{
		EquityName: "shares", Numbering: "perSecurity", CertificateSignatories: []captable.Signatory{
			{Name: "Ada Lindqvist", Title: "President"}, {Name: "Chiara Moretti", Title: "Secretary"},
		},
	}})
}

func (d *demoCompany) security(terms captable.SecurityTerms) captable.SecurityID {
	terms.ParValue = &captable.Price{Amount: exact.MustDecimal("0.00001")}
	made := inTable(d, terms.Name, captable.CreateSecurity{SecurityTerms: terms})
	if made == nil {
		return captable.SecurityID{}
	}
	return made.ID
}

// preferred creates a preferred class when its round closes. It converts into common
// stock after the split.
func (d *demoCompany) preferred(name, prefix, price, approved string, authorized int64, seniority int) captable.SecurityID {
	one := exact.NewDecimal(1)
	return d.security(captable.SecurityTerms{
		Name: name, ShareType: captable.SharePreferred, Prefix: prefix, VotingShares: true, VotesPerShare: &one,
		AuthorizedShares: captable.AuthorizedOf(exact.NewDecimal(authorized)),
		Price:            &captable.Price{Amount: exact.MustDecimal(price)}, Seniority: &seniority,
		LiquidationPreferenceMultiple: &one, Participation: "none",
		Conversion:        &captable.Conversion{Security: d.common, Ratio: one},
		BoardApprovalDate: exact.MustDate(approved), Legends: []captable.LegendID{d.act},
	})
}

// enterHolders adds all holders as members.
func (d *demoCompany) enterHolders() {
	enter := func(names []string, kind, relationship string, roles ...string) {
		for _, name := range names {
			member := inOrganization(d, name, organization.AddMember{MemberTerms: organization.MemberTerms{
				Kind: kind, FullName: name, Relationship: relationship, Roles: roles,
			}})
			if member != nil {
				d.holders[name] = member.Entity
			}
		}
	}
	enter(demoFounders()[1:], "individual", "founder", organization.RoleManager)
	enter(demoAngels(), "individual", "investor", organization.RoleInvestor)
	enter(demoFunds(), "institution", "investor", organization.RoleInvestor)
	enter(demoTeam(), "individual", "employee", organization.RoleHolder)
	enter([]string{"The Moretti Family Trust"}, "institution", "other")
}
