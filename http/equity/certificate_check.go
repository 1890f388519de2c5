package equity

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"

	"equity/captable"
	"equity/fault"
	"equity/http/api"
)

// A certificate code is the last path segment of the QR code: the shareholding's id and a digest of
// the printed facts, in base64url. The id is random, so codes cannot be enumerated. The digest
// distinguishes the current certificate from one that was printed before a correction or a split.
const digestBytes = 8

func certificateCode(held *captable.Shareholding) string {
	digest := printedDigest(held)
	return base64.RawURLEncoding.EncodeToString(append(held.ID[:], digest[:]...))
}

func printedDigest(held *captable.Shareholding) (digest [digestBytes]byte) {
	facts := strings.Join([]string{
		held.Certificate, held.ShareholderName, held.Security.String(), held.Shares.String(), held.IssueDate.String(),
	}, "\x00")
	sum := sha256.Sum256([]byte(facts))
	copy(digest[:], sum[:])
	return digest
}

// certificateCheck is the public result for a certificate code. It omits the holder and the number of
// shares, which are on the paper and otherwise confidential.
type certificateCheck struct {
	Current bool `json:"current"`
	// Replaced reports that the printed facts differ from the register.
	Replaced         bool            `json:"replaced"`
	Status           captable.Status `json:"status"`
	Certificate      string          `json:"certificate"`
	OrganizationName string          `json:"organizationName"`
	SecurityName     string          `json:"securityName"`
	IssueDate        captable.Date   `json:"issueDate"`
	EndDate          captable.Date   `json:"endDate,omitzero"`
	// CheckedAt is the time of the check.
	CheckedAt captable.Instant `json:"checkedAt"`
}

// checkedPage holds the facts of the page. Found is false for an unknown code.
type checkedPage struct {
	Found bool
	certificateCheck
}

// checkCertificate returns a page to browsers and JSON to programs.
func (s certificates) checkCertificate(ctx context.Context, c *api.Call) (api.Answer, error) {
	check, err := s.checked(ctx, c)
	unknown := fault.Is(err, fault.NotFound)
	if !prefersPage(c.Accept()) || err != nil && !unknown {
		return api.Answer{Record: check, Private: true}, err
	}
	page, policy, err := s.Page("certificate", checkedPage{!unknown, check})
	if err != nil {
		return api.Answer{}, err
	}
	answer := api.Answer{Rendered: page, ContentType: api.ContentPage, Policy: policy, Private: true}
	if unknown {
		answer.Status = http.StatusNotFound
	}
	return answer, nil
}

// checked looks up the shareholding of a code. If the digest in the code differs from that of the
// current record, the certificate was replaced. All invalid codes get the same error.
func (s certificates) checked(ctx context.Context, c *api.Call) (certificateCheck, error) {
	raw, err := base64.RawURLEncoding.DecodeString(c.Path("code"))
	if err != nil || len(raw) != len(captable.ShareholdingID{})+digestBytes {
		return certificateCheck{}, errNoCertificate()
	}
	id := captable.ShareholdingID(raw[:16])
	home, kind, err := s.Locator.Locate(ctx, id)
	if err != nil {
		return certificateCheck{}, api.Unavailable(err)
	}
	if kind != "shareholding" {
		return certificateCheck{}, errNoCertificate()
	}
	view, err := s.View(ctx, home)
	if err != nil {
		return certificateCheck{}, err
	}
	held, ok := view.State.Table().Shareholding(id)
	if !ok {
		return certificateCheck{}, errNoCertificate()
	}
	digest := printedDigest(held)
	check := certificateCheck{
		Replaced: !bytes.Equal(digest[:], raw[16:]), Status: held.Status, Certificate: held.Certificate,
		OrganizationName: view.State.Profile().PrintedName(), IssueDate: held.IssueDate, CheckedAt: captable.InstantOf(c.At),
	}
	check.Current = held.Status.Outstanding() && !check.Replaced
	if security, ok := view.State.Table().Security(held.Security); ok {
		check.SecurityName = security.Name
	}
	if held.End != nil {
		check.EndDate = held.End.Date
	}
	return check, nil
}

func errNoCertificate() error {
	return fault.Refuse(fault.NotFound, "No certificate has this code. Compare it with the code on the certificate.")
}

// prefersPage reports whether the client is a browser: text/html comes before application/json in its
// Accept header.
func prefersPage(accept string) bool {
	page := strings.Index(accept, "text/html")
	data := strings.Index(accept, api.ContentJSON)
	return page >= 0 && (data < 0 || page < data)
}
