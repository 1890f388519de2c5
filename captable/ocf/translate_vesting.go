package ocf

import (
	"equity/captable"
	"equity/captable/vesting"
)

// vestingTerms creates a vesting schedule before its users; vesting terms have no date. A
// duplicate name gets the id as a suffix.
func (t *translation) vestingTerms(s *step) {
	o := s.object
	s.gives = []key{{typeVesting, o.ID}}
	terms, err := termsOf(o.Raw)
	if err != nil {
		t.refuseVesting(o, "/vesting_conditions", codeVesting, err.Error())
		return
	}
	name := o.text("name")
	if t.scheduleNames[folded(name)] {
		name += " (" + o.ID + ")"
		t.findings.warn(o, "/name", codeVesting, "Other vesting terms have this name; the schedule is called "+quote(name)+".")
	}
	t.scheduleNames[folded(name)] = true
	scheme := vesting.Scheme{Allocation: terms.Allocation, Terms: &terms}
	if terms.Allocation == "" {
		t.refuseVesting(o, "/allocation_type", codeRequired, "Vesting terms must state how shares are rounded.")
		return
	}
	s.command = func(*names) captable.Command {
		return captable.CreateVestingSchedule{
			VestingScheduleTerms: captable.VestingScheduleTerms{
				Name: name, Scheme: scheme, ExternalID: o.ID, Comments: o.texts("comments"),
			},
			Source: o.source(),
		}
	}
}

func (t *translation) refuseVesting(o *Object, pointer, code, message string) {
	t.findings.refuse(o, pointer, code, message)
	t.failed[key{typeVesting, o.ID}] = true
}

// vestsBy returns the vesting terms of an issuance. Explicit vestings override the terms; the
// result is then empty.
func vestsBy(issuance *Object) string {
	if list, _ := issuance.value("vestings").([]any); len(list) > 0 {
		return ""
	}
	return issuance.text("vesting_terms_id")
}

// findStarts finds the vesting start of each security.
func (t *translation) findStarts() {
	for _, o := range t.objects {
		if o.Type == typeVestingStart && !o.refused {
			t.starts[o.text("security_id")] = o.day()
		}
	}
}
