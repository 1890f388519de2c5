package http

import "net/http"

// verifyPage is where the link of the verification mail leads. The button confirms the address.
func (s *Server) verifyPage(v *visit) screen {
	facts := struct{ Code, Email, Problem string }{Code: v.field("code")}
	if !v.posted {
		return screen{name: "verify", facts: facts}
	}
	answer, err := v.run("verifyEmail", map[string]string{"code": facts.Code})
	if err != nil {
		status, _ := v.told(err)
		facts.Code, facts.Problem = "", "This link is not valid, or not any more. Ask for another mail."
		if status >= http.StatusInternalServerError {
			facts.Problem = "That did not work at the moment. Try again."
		}
		return screen{status: status, name: "verify", facts: facts}
	}
	confirmed, _ := answer.Record.(emailVerified)
	facts.Email = confirmed.Email
	return screen{name: "verify", facts: facts}
}
