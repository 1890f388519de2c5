package organization

import (
	"strings"

	"equity/captable"
	"equity/fault"
)

// IssueRow is an issue of shares as a row of a spreadsheet, with the holder and the security as texts. Its fields
// are the columns of the template, in order.
type IssueRow struct {
	// Holder is the full name, externalId or id of a member, or the id of an entity.
	Holder string `json:"holder"`
	// Security is the name, externalId or id of a class.
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

// Decide decides the issue. Unknown names are reported together with the faults found by the cap table.
func (r IssueRow) Decide(s *State, m DecideContext) ([]Event, error) {
	var faults fault.Fields
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
	events, err := Table{command}.Decide(s, m)
	if len(faults) == 0 {
		return events, err
	}
	return nil, withFaults(faults, err)
}

// withFaults adds the faults of the command. It omits the command's faults for unresolved references, which are
// already reported under the name of the column.
func withFaults(faults fault.Fields, err error) error {
	found := map[string]bool{"/entity": true}
	for _, problem := range faults {
		found[problem.Pointer] = true
	}
	if found["/plan"] {
		found["/pool"] = true
	}
	if refusal, ok := err.(*fault.Error); ok { //nolint:errorlint // refusals of commands are not wrapped
		for _, field := range refusal.Fields {
			if !found[field.Pointer] {
				faults = append(faults, field)
			}
		}
	}
	return faults.Err()
}

// securityNamed returns the class identified by a text.
func (s *State) securityNamed(faults *fault.Fields, text string) captable.SecurityID {
	for security := range s.table.Securities() {
		if text != "" && (strings.EqualFold(text, security.Name) || text == security.ExternalID || strings.EqualFold(
			text, security.ID.String(),
		)) {
			return security.ID
		}
	}
	faults.Add("/security", "unknownReference", "Use the name, externalId or id of a security.")
	return captable.SecurityID{}
}
