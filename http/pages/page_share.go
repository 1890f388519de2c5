package pages

import (
	"net/url"
	"strings"

	"equity/http/api"
)

// shareFacts are the facts of the page of a shared document.
type shareFacts struct {
	Problem, Organization string
	// Path is the address of the page. Sent reports that a code was sent.
	Path string
	Sent bool
	// Name, View and Download describe the opened document. Download is empty if it is not permitted.
	Name, View, Download string
	Watermark            bool
}

// sharePage opens a shared document with a mailed code. Opening the link sends no mail, because mail scanners follow links.
func sharePage(token string) func(*Visit) Screen {
	return func(v *Visit) Screen {
		facts := shareFacts{Path: api.SharePath + token}
		screen := func(err error) Screen {
			status := 0
			if err != nil {
				status, facts.Problem = v.Problem(err)
			}
			return Screen{Status: status, Name: "share", Facts: facts}
		}
		switch {
		case !v.Posted:
			return screen(nil)
		case v.Given.Get("do") == "send":
			answer, err := v.Run("sendShareCode", map[string]any{"token": token})
			if err != nil {
				return screen(err)
			}
			var sent struct {
				Organization string `json:"organizationName"`
			}
			err = readAnswer(answer, &sent)
			facts.Sent, facts.Organization = true, sent.Organization
			return screen(err)
		}
		facts.Sent = true
		code := strings.Join(strings.Fields(v.Given.Get("code")), "")
		answer, err := v.Run("openShare", map[string]any{"token": token, "code": code})
		if err != nil {
			return screen(err)
		}
		return screen(facts.opened(answer))
	}
}

// opened adds the document of the answer.
func (f *shareFacts) opened(answer api.Answer) error {
	var document struct {
		Share        string `json:"share"`
		Organization string `json:"organizationName"`
		Name         string `json:"name"`
		Download     bool   `json:"download"`
		Watermark    bool   `json:"watermark"`
	}
	if err := readAnswer(answer, &document); err != nil {
		return err
	}
	content := api.Prefix + "/share/" + document.Share + "/content"
	f.Organization, f.Name, f.Watermark, f.View = document.Organization, document.Name, document.Watermark, content+"/"+url.PathEscape(document.Name)
	if document.Download {
		f.Download = content
	}
	return nil
}
