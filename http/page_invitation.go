package http

import "strings"

// invitationPageFacts are the facts of the page for answering an invitation.
type invitationPageFacts struct {
	Token, Organization, Roles string
	// User is the e-mail address of the signed-in user.
	User    string
	Problem string
	// Outcome is empty until the invitation was answered.
	Outcome string
}

// invitationPage is the target of the link in an invitation to an organization.
func (s *Server) invitationPage(v *visit) screen {
	facts := invitationPageFacts{Token: v.field("token")}
	if account := v.account(); account != nil && !v.session.MustChangePassword {
		facts.User = account.Email
	}
	answer, err := v.run("readInvitation", answeredInvitation{facts.Token})
	if err != nil {
		return facts.page(v, err)
	}
	asked, _ := answer.Record.(openInvitation)
	facts.Organization, facts.Roles = asked.Organization.Name, strings.Join(asked.Roles, ", ")
	if !v.posted {
		return facts.page(v, nil)
	}
	switch v.field("do") {
	case "accept":
		if facts.User == "" {
			return screen{to: loginPath}
		}
		_, err = v.run("acceptInvitation", answeredInvitation{facts.Token})
		facts.Outcome = "accepted"
	case "decline":
		_, err = v.run("declineInvitation", answeredInvitation{facts.Token})
		facts.Outcome = "declined"
	}
	return facts.page(v, err)
}

func (f invitationPageFacts) page(v *visit, err error) screen {
	status := 0
	if err != nil {
		f.Outcome = ""
		status, f.Problem = v.told(err)
	}
	return screen{status: status, name: "invitation", facts: f}
}
