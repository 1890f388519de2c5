package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

func TestConfigure(t *testing.T) {
	t.Parallel()
	t.Run("begins with shares, numbered per security and signed by nobody", func(t *testing.T) {
		t.Parallel()
		want := `{"equityName":"shares","fractional":false,"certificateSignatories":[],"numbering":"perSecurity","capitalAccounts":false}`
		equal(t, "configuration", text(t, setup(t).state.Configuration()), want)
	})
	t.Run("replaces all of it", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		configuration := captable.Configuration{
			EquityName: "units", Fractional: true, Numbering: "perSecurity", CapitalAccounts: true,
			CertificateSignatories: []captable.Signatory{{Name: "Ada", Title: "President"}},
			OperatingAgreement:     &captable.OperatingAgreement{File: "f", Date: exact.MustDate(today), Previous: "p"},
		}
		b.do(captable.Configure{Configuration: configuration})
		equal(t, "configuration", text(t, b.state.Configuration()), text(t, configuration))
	})
	t.Run("keeps an empty list of signatories a list", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.do(captable.Configure{Configuration: captable.Configuration{EquityName: "units", Numbering: "perSecurity"}})
		if b.state.Configuration().CertificateSignatories == nil {
			t.Error("it would be null in an answer")
		}
	})
	t.Run("names every wrong field at once", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		signatories := []captable.Signatory{{Name: "A", Title: "T"}, {Title: "T"}, {Name: "A", Title: " "}, {Name: "A", Title: "T"}, {Name: "A", Title: "T"}}
		b.refused(captable.Configure{Configuration: captable.Configuration{CertificateSignatories: signatories}}, fault.Invalid,
			"/equityName enum", "/numbering enum", "/certificateSignatories tooMany",
			"/certificateSignatories/1/name required", "/certificateSignatories/2/title required")
	})
}
