package pages

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
func registerPage(v *Visit) Screen {
	facts := registerFacts{
		FirstName: v.field("firstName"), LastName: v.field("lastName"), Email: v.field("email"), Code: v.field("code"), Invitation: v.field("invitation"),
	}
	if !v.Posted {
		return Screen{Name: "register", Facts: facts}
	}
	input := map[string]any{
		"firstName": facts.FirstName, "lastName": facts.LastName, "email": facts.Email, "password": v.Given.Get("password"),
		"acceptedTerms": v.field("acceptedTerms") != "",
	}
	if facts.Code != "" {
		input["referralCode"] = facts.Code
	}
	if _, err := v.Run("registerUser", input); err != nil {
		var status int
		status, facts.Problem = v.Told(err)
		return Screen{Status: status, Name: "register", Facts: facts}
	}
	facts.Done = true
	return Screen{Name: "register", Facts: facts}
}
