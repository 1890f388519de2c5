package equity

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"equity/captable"
	"equity/certificate"
	"equity/fault"
	"equity/http/api"
	"equity/organization"
	"equity/organization/jurisdiction"
)

// operations maps operation ids to the handlers of certificates.
func (s certificates) operations() map[string]api.Handler {
	return map[string]api.Handler{
		"getCertificate":     s.getCertificate,
		"getCertificateCopy": s.getCertificateCopy,
		"checkCertificate":   s.checkCertificate,
	}
}

// printer limits the number of concurrent renderings. Each takes tens of milliseconds and several
// megabytes.
type printer struct {
	renderer func() *certificate.Renderer
	places   chan struct{}
}

const maxPrinting = 2

func newPrinter() *printer {
	return &printer{renderer: sync.OnceValue(certificate.NewRenderer), places: make(chan struct{}, maxPrinting)}
}

func (p *printer) print(ctx context.Context, document certificate.Document) ([]byte, error) {
	select {
	case p.places <- struct{}{}:
		defer func() { <-p.places }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	content, err := p.renderer().Render(document)
	if errors.Is(err, certificate.ErrInvalid) { // more text than fits on the pages
		return nil, &fault.FailureError{
			Refusal: fault.Refuse(fault.Conflict, "The text of the certificate is too long to be printed."), Cause: err,
		}
	}
	return content, err
}

// printed returns the document as a PDF. Its ETag depends only on the content of the document, so
// other changes do not invalidate it. The certificate of a shareholding is read from the store if it is there.
func (s *base) printed(
	ctx context.Context, c *api.Call, document certificate.Document, held *captable.Shareholding, name string,
) (api.Answer, error) {
	facts, err := json.Marshal(document)
	if err != nil {
		return api.Answer{}, fmt.Errorf("certificate %s: %w", document.Number, err)
	}
	answer, err := s.RenderContent(c, "certificate", facts, "application/pdf", func() ([]byte, error) {
		render := func() ([]byte, error) { return s.printer.print(ctx, document) }
		if held == nil {
			return render()
		}
		return s.archive.content(ctx, place{c.Organization, held.ID, versionOf(facts)}, render)
	})
	if answer.Rendered != nil {
		answer.FileName = api.FileName(name, "pdf")
	}
	return answer, err
}

func (s certificates) getCertificate(ctx context.Context, c *api.Call) (api.Answer, error) {
	held, err := shareholding(c)
	if err != nil {
		return api.Answer{}, err
	}
	if !held.Status.Outstanding() {
		return api.Answer{}, fault.Refuse(
			fault.Conflict, "The shares are no longer outstanding. Request a copy of the certificate instead.",
		).
			With("status", string(held.Status))
	}
	return s.printed(ctx, c, s.certificateOf(c.View.State, held, certificate.Original), held, held.Certificate)
}

func (s certificates) getCertificateCopy(ctx context.Context, c *api.Call) (api.Answer, error) {
	held, err := shareholding(c)
	if err != nil {
		return api.Answer{}, err
	}
	return s.printed(ctx, c, s.certificateOf(c.View.State, held, certificate.Copy), held, held.Certificate+" copy")
}

// certificateOf returns the content of the shareholding's certificate.
func (s certificates) certificateOf(state *organization.State, held *captable.Shareholding, kind certificate.Kind) certificate.Document {
	document := s.letterhead(state, kind)
	security, _ := state.Table().Security(held.Security) // a class with shares cannot be deleted
	document.Number, document.Holder, document.Shares = held.Certificate, held.ShareholderName, held.Shares.String()
	if registered := state.NameOf(held.Entity); registered != held.ShareholderName {
		document.Registered = registered
	}
	document.Security, document.IssueDate = security.Name, held.IssueDate.String()
	document.ParValue = money(security.ParValue, state.Profile().Currency)
	document.FullyPaid = fullyPaid(held)
	document.Legends = legendsOf(state.Table(), security.Legends, held.Legends)
	document.VerifyURL = strings.TrimSuffix(s.PublicURL, "/") + api.Prefix + "/certificate/" + certificateCode(held)
	if !held.Status.Outstanding() {
		document.Ended = strings.ToUpper(string(held.Status))
	}
	return document
}

// letterhead returns the content that all certificates of the organization share.
func (s *base) letterhead(state *organization.State, kind certificate.Kind) certificate.Document {
	profile, configuration := state.Profile(), state.Table().Configuration()
	document := certificate.Document{
		Kind: kind, Organization: profile.PrintedName(), Jurisdiction: jurisdiction.Name(profile.Jurisdiction),
		OrganizationType: map[string]string{
			"corporation": "corporation", "llc": "limited liability company", "partnership": "partnership",
		}[profile.Type],
		Units: configuration.EquityName == "units",
	}
	for _, signatory := range configuration.CertificateSignatories {
		document.Signatories = append(document.Signatories, certificate.Signatory(signatory))
	}
	return document
}

// legendsOf returns the legends of the security and of the shareholding without duplicates. If neither
// has legends, it returns the default ones.
func legendsOf(table *captable.State, named ...[]captable.LegendID) []certificate.Legend {
	var legends []certificate.Legend
	add := func(legend *captable.Legend) {
		legends = append(legends, certificate.Legend{Name: legend.Name, Text: legend.Text})
	}
	ids := slices.Concat(named...)
	for i, id := range ids {
		if legend, ok := table.Legend(id); ok && !slices.Contains(ids[:i], id) {
			add(legend)
		}
	}
	if len(ids) > 0 {
		return legends
	}
	for legend := range table.Legends() {
		if legend.Default {
			add(legend)
		}
	}
	return legends
}

// money formats a price, for example $0.0001, or 0.0001 CHF for a currency without a sign of its own.
func money(price *captable.Price, own string) string {
	if price == nil {
		return ""
	}
	currency := price.Currency
	if currency == "" {
		currency = own
	}
	amount := price.Amount.String()
	if sign := map[string]string{"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "INR": "₹"}[currency]; sign != "" {
		return sign + amount
	}
	return amount + " " + currency
}

// fullyPaid reports whether the consideration covers the price of the shares.
func fullyPaid(held *captable.Shareholding) bool {
	price, given, shares := held.PricePerShare, held.Consideration, held.Shares
	if given == nil || price != nil && price.Currency != "" {
		return false
	}
	if len(held.Before) > 0 { // the price refers to the shares as issued
		shares = held.Before[0].Shares
	}
	return price == nil && given.Total().Sign() > 0 || price != nil && given.Total().Cmp(price.Amount.Mul(shares)) >= 0
}

// getLegendSpecimen returns a specimen certificate with the legend.
func (s *base) getLegendSpecimen(ctx context.Context, c *api.Call) (api.Answer, error) {
	legend, ok := c.View.State.Table().Legend(api.PathID[captable.Legend](c, "legend"))
	if !ok {
		return api.Answer{}, api.NotFound()
	}
	const specimenShares = "1000"
	document := s.letterhead(c.View.State, certificate.Specimen)
	document.Number, document.Holder, document.Shares = "SPECIMEN", "Specimen Holder", specimenShares
	document.Security = "Common Stock"
	if document.Units {
		document.Security = "Common Units"
	}
	for security := range c.View.State.Table().Securities() { // prefer a class that carries the legend, else the first one
		if slices.Contains(security.Legends, legend.ID) {
			document.Security = security.Name
			break
		}
	}
	document.Legends = []certificate.Legend{{Name: legend.Name, Text: legend.Text}}
	return s.printed(ctx, c, document, nil, "Specimen "+legend.Name)
}
