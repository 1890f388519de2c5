package http

import "net/http"

// verifyPage is the page of the link in the verification mail. The button confirms the address. A browser that did not
// register the account goes on to choose a password: somebody else may have registered.
func (s *Server) verifyPage(v *visit) screen {
	facts := struct {
		Code, Email, Problem string
		Choose               bool
	}{Code: v.field("code")}
	if !v.posted {
		return screen{name: "verify", facts: facts}
	}
	answer, err := v.run("verifyEmail", map[string]any{"code": facts.Code, "choosePassword": true})
	if err != nil {
		status, words := v.told(err)
		facts.Code, facts.Problem = "", "This link is not valid, or not any more. Ask for another mail."
		if status >= http.StatusInternalServerError {
			facts.Code, facts.Problem = v.field("code"), words
		}
		return screen{status: status, name: "verify", facts: facts}
	}
	confirmed, _ := answer.Record.(emailVerified)
	facts.Email, facts.Choose = confirmed.Email, confirmed.MustChangePassword
	return screen{name: "verify", facts: facts}
}
