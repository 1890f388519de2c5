package pages

import (
	"strings"

	"equity/http/api"
)

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
func invitationPage(v *Visit) Screen {
	facts := invitationPageFacts{Token: v.field("token")}
	if account := v.Account(); account != nil && !v.Session.MustChangePassword {
		facts.User = account.Email
	}
	token := map[string]string{"token": facts.Token}
	answer, err := v.Run("readInvitation", token)
	if err != nil {
		return facts.page(v, err)
	}
	var asked struct {
		Organization struct {
			Name string `json:"name"`
		} `json:"organization"`
		Roles []string `json:"roles"`
	}
	if err := readAnswer(answer, &asked); err != nil {
		return facts.page(v, err)
	}
	facts.Organization, facts.Roles = asked.Organization.Name, strings.Join(asked.Roles, ", ")
	if !v.Posted {
		return facts.page(v, nil)
	}
	switch v.field("do") {
	case "accept":
		if facts.User == "" {
			return Screen{To: api.LoginPath}
		}
		_, err = v.Run("acceptInvitation", token)
		facts.Outcome = "accepted"
	case "decline":
		_, err = v.Run("declineInvitation", token)
		facts.Outcome = "declined"
	}
	return facts.page(v, err)
}

func (f invitationPageFacts) page(v *Visit, err error) Screen {
	status := 0
	if err != nil {
		f.Outcome = ""
		status, f.Problem = v.Told(err)
	}
	return Screen{Status: status, Name: "invitation", Facts: f}
}
