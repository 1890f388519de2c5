package pages

import "net/http"

// verifyPage is the target of the link in the verification mail. Its button confirms the address. A
// browser that did not register the account continues to the choice of a password, because another
// person may have registered it.
func verifyPage(v *Visit) Screen {
	facts := struct {
		Code, Email, Problem string
		Choose               bool
	}{Code: v.field("code")}
	if !v.Posted {
		return Screen{Name: "verify", Facts: facts}
	}
	answer, err := v.Run("verifyEmail", map[string]any{"code": facts.Code, "choosePassword": true})
	if err != nil {
		status, words := v.Told(err)
		facts.Code, facts.Problem = "", "This link is invalid or has expired. Request another mail."
		if status >= http.StatusInternalServerError {
			facts.Code, facts.Problem = v.field("code"), words
		}
		return Screen{Status: status, Name: "verify", Facts: facts}
	}
	var confirmed struct {
		Email              string `json:"email"`
		MustChangePassword bool   `json:"mustChangePassword"`
	}
	if err := readAnswer(answer, &confirmed); err != nil {
		var status int
		status, facts.Problem = v.Told(err)
		return Screen{Status: status, Name: "verify", Facts: facts}
	}
	facts.Email, facts.Choose = confirmed.Email, confirmed.MustChangePassword
	return Screen{Name: "verify", Facts: facts}
}
