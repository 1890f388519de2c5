package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

func TestConfigure(t *testing.T) {
	t.Parallel()
	t.Run("a new configuration has shares, numbering per security and no signatories", func(t *testing.T) {
		t.Parallel()
		want := `{"equityName":"shares","fractional":false,"certificateSignatories":[],"numbering":"perSecurity","capitalAccounts":false}`
		equal(t, "configuration", text(t, setup(t).state.Configuration()), want)
	})
	t.Run("a new configuration replaces all fields", func(t *testing.T) {
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
	t.Run("an empty list of signatories stays a list", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.do(captable.Configure{Configuration: captable.Configuration{EquityName: "units", Numbering: "perSecurity"}})
		if b.state.Configuration().CertificateSignatories == nil {
			t.Error("it would be null in an answer")
		}
	})
	t.Run("a refused configuration names every wrong field", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		signatories := []captable.Signatory{
			{Name: "A", Title: "T"}, {Title: "T"}, {Name: "A", Title: " "}, {Name: "A", Title: "T"}, {Name: "A", Title: "T"},
		}
		b.refused(captable.Configure{Configuration: captable.Configuration{CertificateSignatories: signatories}}, fault.Invalid,
			"/equityName enum", "/numbering enum", "/certificateSignatories tooMany",
			"/certificateSignatories/1/name required", "/certificateSignatories/2/title required")
	})
}
