package http

import "net/http"

// verifyPage is the target of the link in the verification mail. Its button confirms the address. A
// browser that did not register the account continues to the choice of a password, because another
// person may have registered it.
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
		facts.Code, facts.Problem = "", "This link is invalid or has expired. Request another mail."
		if status >= http.StatusInternalServerError {
			facts.Code, facts.Problem = v.field("code"), words
		}
		return screen{status: status, name: "verify", facts: facts}
	}
	confirmed, _ := answer.Record.(emailVerified)
	facts.Email, facts.Choose = confirmed.Email, confirmed.MustChangePassword
	return screen{name: "verify", facts: facts}
}
