package profile_test

import (
	"fmt"
	"testing"

	"equity/captable/exact"
	"equity/organization"
	"equity/people/profile"
)

func TestFaultsNameEveryInvalidField(t *testing.T) {
	t.Parallel()
	p := profile.Particulars{
		DateOfBirth: exact.MustDate("2026-03-03"),
	}
	faults := p.Faults(exact.MustDate("2026-03-02"))
	if len(faults) != 1 || faults[0].Pointer != "/dateOfBirth" {
		t.Errorf("%v", faults)
	}
	p = profile.Particulars{DateOfBirth: exact.MustDate("2026-03-02"), Website: "https://example.com", Links: map[string]string{}}
	if faults := p.Faults(exact.MustDate("2026-03-02")); faults != nil {
		t.Errorf("%v", faults)
	}
	for i := range 21 {
		p.Links[fmt.Sprint("service ", i)] = "https://example.com"
	}
	if faults := p.Faults(exact.MustDate("2026-03-02")); len(faults) != 1 || faults[0].Code != "tooMany" {
		t.Errorf("%v", faults)
	}
}

func TestPublicOmitsPrivateFields(t *testing.T) {
	t.Parallel()
	p := profile.Particulars{
		FullName: "Ada", DateOfBirth: exact.MustDate("1815-12-10"), Phone: "1", HomeAddress: organization.Address{City: "London"},
	}
	if public := p.Public(); public.FullName != "Ada" || !public.DateOfBirth.IsZero() || public.Phone != "" || public.HomeAddress.City != "" {
		t.Errorf("%+v", public)
	}
}
