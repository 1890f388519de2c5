package organization

import (
	"strings"

	"equity/captable"
)

// IssueRow asks to issue shares as a row of a spreadsheet does: it names the holder and
// the security in words. Its fields are the columns of the template, in their order.
type IssueRow struct {
	// Holder is a member by full name, by externalId or by id, or an entity by id.
	Holder string `json:"holder"`
	// Security is a class by name, by externalId or by id.
	Security          string           `json:"security"`
	Shares            captable.Decimal `json:"shares"`
	IssueDate         captable.Date    `json:"issueDate,omitzero"`
	Certificate       string           `json:"certificate"`
	PricePerShare     *captable.Price  `json:"pricePerShare,omitempty"`
	IssuanceType      string           `json:"issuanceType"`
	VestingSchedule   string           `json:"vestingSchedule"`
	VestingStart      captable.Date    `json:"vestingStart,omitzero"`
	BoardApprovalDate captable.Date    `json:"boardApprovalDate,omitzero"`
	Rule144Date       captable.Date    `json:"rule144Date,omitzero"`
	Block             string           `json:"block"`
	ExternalID        string           `json:"externalId"`
}

// decide issues the shares that the row means. Names that nobody has are told together with what the cap table finds
// wrong.
func (r IssueRow) decide(s *State, m Moment) ([]Event, error) {
	var faults captable.Faults
	holder := s.holderNamed(&faults, r.Holder)
	security := s.securityNamed(&faults, r.Security)
	command := captable.IssueShareholding{
		HolderRef: captable.HolderRef{Entity: holder}, Security: security, Shares: r.Shares, IssueDate: r.IssueDate,
		ShareholdingDetails: captable.ShareholdingDetails{
			Certificate: r.Certificate, PricePerShare: r.PricePerShare, IssuanceType: r.IssuanceType,
			VestingSchedule: r.VestingSchedule, VestingStart: r.VestingStart, BoardApprovalDate: r.BoardApprovalDate,
			Rule144Date: r.Rule144Date, Block: r.Block, ExternalID: r.ExternalID,
		},
	}
	events, err := Table{command}.decide(s, m)
	if len(faults) == 0 {
		return events, err
	}
	return nil, withFaults(faults, err)
}

// withFaults adds what the command found wrong with the other fields. What a text did not
// find, the command misses again under the name that the field has there.
func withFaults(faults captable.Faults, err error) error {
	found := map[string]bool{"/entity": true}
	for _, fault := range faults {
		found[fault.Pointer] = true
	}
	if found["/plan"] {
		found["/pool"] = true
	}
	if refusal, ok := err.(*captable.Error); ok { //nolint:errorlint // refusals of commands are not wrapped
		for _, field := range refusal.Fields {
			if !found[field.Pointer] {
				faults = append(faults, field)
			}
		}
	}
	return faults.Err()
}

// securityNamed finds the class that a text means.
func (s *State) securityNamed(faults *captable.Faults, text string) captable.SecurityID {
	for security := range s.table.Securities() {
		if text != "" && (strings.EqualFold(text, security.Name) || text == security.ExternalID || strings.EqualFold(text, security.ID.String())) {
			return security.ID
		}
	}
	faults.Add("/security", "unknownReference", "No security has this name, externalId or id.")
	return captable.SecurityID{}
}
