package http

// registerFacts are the facts of the registration page.
type registerFacts struct {
	FirstName, LastName, Email string
	// Code is the referral code.
	Code, Invitation string
	Problem          string
	// Done reports that the verification mail is on its way.
	Done bool
}

// registerPage is the target of referral links.
func (s *Server) registerPage(v *visit) screen {
	facts := registerFacts{
		FirstName: v.field("firstName"), LastName: v.field("lastName"), Email: v.field("email"), Code: v.field("code"), Invitation: v.field("invitation"),
	}
	if !v.posted {
		return screen{name: "register", facts: facts}
	}
	wish := map[string]any{
		"firstName": facts.FirstName, "lastName": facts.LastName, "email": facts.Email, "password": v.given.Get("password"),
		"acceptedTerms": v.field("acceptedTerms") != "",
	}
	if facts.Code != "" {
		wish["referralCode"] = facts.Code
	}
	if _, err := v.run("registerUser", wish); err != nil {
		var status int
		status, facts.Problem = v.told(err)
		return screen{status: status, name: "register", facts: facts}
	}
	facts.Done = true
	return screen{name: "register", facts: facts}
}
