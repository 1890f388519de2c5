package pages

import (
	"net/url"

	"equity/fault"
	"equity/http/api"
)

// loginFacts are the facts of the page for signing in and out.
type loginFacts struct {
	// User is the signed-in user; nil without a session.
	User                   *signedInUser
	Email, Problem, Notice string
	// Invitation is the token with which the user came, for the return to the invitation.
	Invitation string
	// Authorize is the query of the authorization of a program, to which the user returns.
	Authorize string
	// Code asks for the second factor. Unverified offers another verification mail.
	Code, Unverified bool
}

// signedInUser is the part of the user that the page shows.
type signedInUser struct {
	Email     string `json:"email"`
	FirstName string `json:"firstName"`
	LastName  string `json:"lastName"`

	Organizations []struct {
		Name  string   `json:"name"`
		Roles []string `json:"roles"`
	} `json:"organizations"`
}

// loginPage is the sign-in page. The identity provider's form also returns to it.
func loginPage(v *Visit) Screen {
	facts := loginFacts{Email: v.field("email"), Invitation: v.field("invitation"), Authorize: v.field("authorize")}
	if v.Posted {
		return loginPosted(v, facts)
	}
	switch v.field("error") {
	case "":
	case "two_factor_required":
		facts.Problem, facts.Code = "Your account requires a code. Sign in with your password and the code.", true
	default:
		facts.Problem = "The sign-in through the identity provider failed."
	}
	if !v.Session.User.IsZero() {
		return signedInPage(v, facts)
	}
	return Screen{Name: "login", Facts: facts}
}

// signedInPage shows the signed-in user. If they must choose a password, it redirects to that page,
// because their session permits no other operation.
func signedInPage(v *Visit, facts loginFacts) Screen {
	if v.Session.MustChangePassword {
		return Screen{To: api.PasswordPath}
	}
	answer, err := v.Run("currentUser", nil)
	if err != nil {
		status, problem := v.Told(err)
		return Screen{Status: status, Name: "login", Facts: loginFacts{Problem: problem}}
	}
	facts.User = &signedInUser{}
	if err := readAnswer(answer, facts.User); err != nil {
		status, problem := v.Told(err)
		return Screen{Status: status, Name: "login", Facts: loginFacts{Problem: problem}}
	}
	return Screen{Name: "login", Facts: facts}
}

// loginPosted executes the pressed button.
func loginPosted(v *Visit, facts loginFacts) Screen {
	var err error
	switch v.field("do") {
	case "out":
		if _, err = v.Run("logout", nil); err == nil {
			return Screen{To: api.LoginPath}
		}
	case "reset":
		if _, err = v.Run("resetPassword", map[string]string{"email": facts.Email}); err == nil {
			facts.Notice = "Check your mail: it contains a temporary password."
		}
	case "verify":
		if _, err = v.Run("sendEmailVerification", map[string]string{"email": facts.Email}); err == nil {
			facts.Notice = "Check your mail."
		}
	default:
		return loginTried(v, facts)
	}
	return facts.page(v, err)
}

// loginTried signs in with the posted credentials and continues to the requested page.
func loginTried(v *Visit, facts loginFacts) Screen {
	input := map[string]string{"email": facts.Email, "password": v.Given.Get("password")}
	if code := v.field("code"); code != "" {
		input["twoFactorToken"] = code
	}
	answer, err := v.Run("login", input)
	if err == nil {
		return Screen{To: afterSignIn(answer, facts)}
	}
	facts.Code, facts.Unverified = fault.Is(err, fault.InvalidTwoFactor), fault.Is(err, fault.EmailNotVerified)
	if facts.Code && input["twoFactorToken"] == "" {
		facts.Notice = "Your account requires a code. Enter the password again, and the code."
		err = nil
	}
	return facts.page(v, err)
}

// page shows the form again with the error.
func (f loginFacts) page(v *Visit, err error) Screen {
	status := 0
	if err != nil {
		status, f.Problem = v.Told(err)
	}
	return Screen{Status: status, Name: "login", Facts: f}
}

// afterSignIn returns the page after a sign-in. It ignores addresses in the query, to prevent open redirects: an authorization is always
// continued at its path on this site.
func afterSignIn(answer api.Answer, facts loginFacts) string {
	continued, err := url.ParseQuery(facts.Authorize)
	switch {
	case answer.Session.SignIn.MustChangePassword:
		return api.PasswordPath
	case facts.Invitation != "":
		return api.InvitationPath + "?token=" + url.QueryEscape(facts.Invitation)
	case err == nil && len(continued) > 0:
		return api.AuthorizePath + "?" + continued.Encode()
	default:
		return api.SignedInPath
	}
}

// passwordPage is the page for choosing a password, for example after a temporary one.
func passwordPage(v *Visit) Screen {
	if v.Session.User.IsZero() {
		return Screen{To: api.LoginPath}
	}
	facts := struct {
		Must          bool
		Problem, Name string
	}{Must: v.Session.MustChangePassword}
	if !v.Posted {
		return Screen{Name: "password", Facts: facts}
	}
	input := map[string]string{"password": v.Given.Get("password")}
	if current := v.Given.Get("currentPassword"); current != "" {
		input["currentPassword"] = current
	}
	if _, err := v.Run("changePassword", input); err != nil {
		var status int
		status, facts.Problem = v.Told(err)
		return Screen{Status: status, Name: "password", Facts: facts}
	}
	return Screen{To: api.SignedInPath}
}
