package http

import "net/url"

// loginFacts are the facts of the page for signing in and out.
type loginFacts struct {
	// User is the signed-in user; nil without a session.
	User                   *user
	Email, Problem, Notice string
	// Invitation is the token with which the user came, for the return to the invitation.
	Invitation string
	// Code asks for the second factor. Unverified offers another verification mail.
	Code, Unverified bool
}

// loginPage is the sign-in page. The identity provider's form also returns to it.
func (s *Server) loginPage(v *visit) screen {
	facts := loginFacts{Email: v.field("email"), Invitation: v.field("invitation")}
	if v.posted {
		return s.loginPosted(v, facts)
	}
	switch v.field("error") {
	case "":
	case "two_factor_required":
		facts.Problem, facts.Code = "Your account requires a code. Sign in with your password and the code.", true
	default:
		facts.Problem = "The sign-in through the identity provider failed."
	}
	if !v.session.User.IsZero() {
		return s.signedInPage(v, facts)
	}
	return screen{name: "login", facts: facts}
}

// signedInPage shows the signed-in user. If they must choose a password, it redirects to that page,
// because their session permits no other operation.
func (s *Server) signedInPage(v *visit, facts loginFacts) screen {
	if v.session.MustChangePassword {
		return screen{to: passwordPath}
	}
	answer, err := v.run("currentUser", nil)
	if err != nil {
		status, problem := v.told(err)
		return screen{status: status, name: "login", facts: loginFacts{Problem: problem}}
	}
	found, _ := answer.Record.(user)
	facts.User = &found
	return screen{name: "login", facts: facts}
}

// loginPosted executes the pressed button.
func (s *Server) loginPosted(v *visit, facts loginFacts) screen {
	var err error
	switch v.field("do") {
	case "out":
		if _, err = v.run("logout", nil); err == nil {
			return screen{to: loginPath}
		}
	case "reset":
		if _, err = v.run("resetPassword", map[string]string{"email": facts.Email}); err == nil {
			facts.Notice = "Check your mail: it contains a temporary password."
		}
	case "verify":
		if _, err = v.run("sendEmailVerification", map[string]string{"email": facts.Email}); err == nil {
			facts.Notice = "Check your mail."
		}
	default:
		return s.loginTried(v, facts)
	}
	return facts.page(v, err)
}

// loginTried signs in with the posted credentials and continues to the requested page.
func (s *Server) loginTried(v *visit, facts loginFacts) screen {
	wish := map[string]string{"email": facts.Email, "password": v.given.Get("password")}
	if code := v.field("code"); code != "" {
		wish["twoFactorToken"] = code
	}
	answer, err := v.run("login", wish)
	if err == nil {
		return screen{to: afterSignIn(answer, facts.Invitation)}
	}
	facts.Code, facts.Unverified = isRefusal(err, codeTwoFactor), isRefusal(err, codeEmailNotVerified)
	if facts.Code && wish["twoFactorToken"] == "" {
		facts.Notice = "Your account requires a code. Enter the password again, and the code."
		err = nil
	}
	return facts.page(v, err)
}

// page shows the form again with the error.
func (f loginFacts) page(v *visit, err error) screen {
	status := 0
	if err != nil {
		status, f.Problem = v.told(err)
	}
	return screen{status: status, name: "login", facts: f}
}

// afterSignIn returns the page after a sign-in. It ignores addresses in the query, to prevent open
// redirects.
func afterSignIn(answer Answer, invitation string) string {
	switch {
	case answer.Session.SignIn.MustChangePassword:
		return passwordPath
	case invitation != "":
		return invitationPath + "?token=" + url.QueryEscape(invitation)
	default:
		return redirectSignedIn
	}
}

// passwordPage is the page for choosing a password, for example after a temporary one.
func (s *Server) passwordPage(v *visit) screen {
	if v.session.User.IsZero() {
		return screen{to: loginPath}
	}
	facts := struct {
		Must          bool
		Problem, Name string
	}{Must: v.session.MustChangePassword}
	if !v.posted {
		return screen{name: "password", facts: facts}
	}
	wish := map[string]string{"password": v.given.Get("password")}
	if current := v.given.Get("currentPassword"); current != "" {
		wish["currentPassword"] = current
	}
	if _, err := v.run("changePassword", wish); err != nil {
		var status int
		status, facts.Problem = v.told(err)
		return screen{status: status, name: "password", facts: facts}
	}
	return screen{to: redirectSignedIn}
}
