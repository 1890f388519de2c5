package messages

import (
	"encoding/json"
	"time"

	"equity/captable/ocf"
	"equity/fault"
	"equity/organization"
)

// OnboardingID identifies an onboarding. It is a UUID of version 4, because it is the only credential of an onboarding without a user.
type OnboardingID = [16]byte

// OnboardingStatus is the state of an onboarding.
type OnboardingStatus string

// The states of an onboarding. A failed one can be analyzed again.
const (
	OnboardingCreated   OnboardingStatus = "created"
	OnboardingAnalyzing OnboardingStatus = "analyzing"
	OnboardingQuestions OnboardingStatus = "questions"
	OnboardingAnalyzed  OnboardingStatus = "analyzed"
	OnboardingBuilding  OnboardingStatus = "building"
	OnboardingBuilt     OnboardingStatus = "built"
	OnboardingComplete  OnboardingStatus = "complete"
	OnboardingFailed    OnboardingStatus = "failed"
	OnboardingExpired   OnboardingStatus = "expired"
)

// Onboarding is the description of a company by a future user, and the organization that is built from it.
type Onboarding struct {
	ID     OnboardingID
	Email  string
	Status OnboardingStatus
	// User is the user who linked the onboarding; the zero ID before.
	User organization.UserID
	// Organization is the built organization; the zero ID before.
	Organization organization.ID
	OnboardingWork
	// Revision counts the changes. A change is stored if no other one came first.
	Revision uint64
	// LeasedUntil is the end of the lease of a running analysis or build, and LeasedBy the id of the server that holds it. Without a server, it is
	// the time before which an interrupted build does not continue by itself.
	LeasedUntil          time.Time
	LeasedBy             string
	CreatedAt, ExpiresAt time.Time
}

// OnboardingWork is the content of an onboarding.
type OnboardingWork struct {
	Prompt string `json:"prompt"`
	// Network is that of the author, for the budget of descriptions without an account. It is removed when the onboarding is linked.
	Network string `json:"network,omitempty"`
	// Facts are those of the prompt, or of an attached package; nil before the analysis.
	Facts *CompanyFacts `json:"facts,omitempty"`
	// Rows are the facts of an attached spreadsheet. Their stakes replace those of the prompt.
	Rows *CompanyFacts `json:"rows,omitempty"`
	// AnalyzedOn is the day of the analysis, which is the default of dates.
	AnalyzedOn string `json:"analyzedOn,omitempty"`
	// Answers are the answers by question.
	Answers     map[string]string      `json:"answers,omitempty"`
	Corrections []OnboardingCorrection `json:"corrections,omitempty"`
	// Added are items of the user, and Removed the ids of items that the user does not want.
	Added     []AddedItem    `json:"added,omitempty"`
	Removed   []string       `json:"removed,omitempty"`
	Items     []PlanItem     `json:"items,omitempty"`
	Questions []PlanQuestion `json:"questions,omitempty"`
	Created   []BuiltItem    `json:"created,omitempty"`
	Failed    []FailedItem   `json:"failed,omitempty"`
}

// OnboardingCorrection replaces a field of an item.
type OnboardingCorrection struct {
	Item  string          `json:"item"`
	Path  string          `json:"path"`
	Value json.RawMessage `json:"value"`
}

// AddedItem is an item that the user added to the plan.
type AddedItem struct {
	ID     string          `json:"id"`
	Kind   string          `json:"kind"`
	Fields json.RawMessage `json:"fields"`
}

// PlanItem is a record that a build creates.
type PlanItem struct {
	ID    string `json:"itemId"`
	Kind  string `json:"kind"`
	Title string `json:"title"`
	// Operation is the operation of the contract, and Fields is its body. The id of another item stands for the record of that item.
	Operation  string          `json:"operation"`
	Fields     json.RawMessage `json:"fields"`
	Source     string          `json:"source"`
	Confidence string          `json:"confidence"`
	Warnings   []PlanWarning   `json:"warnings"`
}

// PlanWarning is a remark about an item.
type PlanWarning struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// UnusedText is a number, a name or a word for an instrument in a description that no record uses.
type UnusedText struct {
	Text string `json:"text"`
	// Position is the number of characters before it.
	Position int `json:"position"`
}

// PlanQuestion requests a missing fact.
type PlanQuestion struct {
	ID      string   `json:"questionId"`
	Text    string   `json:"text"`
	Kind    string   `json:"kind"`
	Options []string `json:"options,omitempty"`
	// Required prevents the build without an answer.
	Required bool    `json:"required"`
	Default  *string `json:"default,omitempty"`
	Answer   *string `json:"answer,omitempty"`
}

// BuiltItem is an item whose record exists.
type BuiltItem struct {
	Item string `json:"itemId"`
	Kind string `json:"kind"`
	ID   string `json:"id"`
	// Entity is the entity of a member.
	Entity string `json:"entity,omitempty"`
}

// FailedItem is an item whose operation was refused.
type FailedItem struct {
	Item    string `json:"itemId"`
	Code    string `json:"code"`
	Message string `json:"message,omitempty"`
}

// OnboardingFile is the attachment of an onboarding.
type OnboardingFile struct {
	Name    string
	Content []byte
}

// CompanyFacts are the facts about a company in a description. Numbers are decimals without separators, dates are YYYY-MM-DD, and an
// absent fact is empty.
type CompanyFacts struct {
	Name      string `json:"name,omitempty"`
	LegalName string `json:"legalName,omitempty"`
	// Type is corporation, llc, partnership or other.
	Type string `json:"type,omitempty"`
	// Jurisdiction is a country (ISO 3166), or a country and its subdivision such as US-DE.
	Jurisdiction string `json:"jurisdiction,omitempty"`
	Currency     string `json:"currency,omitempty"`
	FormedOn     string `json:"formedOn,omitempty"`
	// Shares is the total number of shares to which portions refer.
	Shares       string             `json:"shares,omitempty"`
	Classes      []ClassFacts       `json:"classes,omitempty"`
	People       []PersonFacts      `json:"people,omitempty"`
	Stakes       []StakeFacts       `json:"stakes,omitempty"`
	Pool         *PoolFacts         `json:"pool,omitempty"`
	Convertibles []ConvertibleFacts `json:"convertibles,omitempty"`
	Vesting      *VestingFacts      `json:"vesting,omitempty"`
	Folders      []string           `json:"folders,omitempty"`
	// Remarks are the findings about an attached spreadsheet.
	Remarks []PlanWarning `json:"remarks,omitempty"`
	// Package is the name of an attached package of the Open Cap Format, Objects the number of its objects, and Contents some of them.
	Package  string         `json:"package,omitempty"`
	Objects  int            `json:"objects,omitempty"`
	Contents []ocf.Contents `json:"contents,omitempty"`
}

// ClassFacts describe a security.
type ClassFacts struct {
	Name string `json:"name"`
	// Kind is common or preferred.
	Kind       string `json:"kind"`
	Authorized string `json:"authorized,omitempty"`
	ParValue   string `json:"parValue,omitempty"`
	Price      string `json:"price,omitempty"`
}

// PersonFacts describe a person or an institution.
type PersonFacts struct {
	Name  string `json:"name"`
	Email string `json:"email,omitempty"`
	// Institution reports a company or a fund.
	Institution bool `json:"institution,omitempty"`
	// Relationship is founder, employee, executive, boardMember, advisor, consultant or investor.
	Relationship string `json:"relationship,omitempty"`
	// Self reports the author of the description. The name of an author without a name is "I".
	Self bool `json:"self,omitempty"`
}

// StakeFacts are the shares of a person: a number, or a portion of the total.
type StakeFacts struct {
	// Holder is the name of the person.
	Holder string `json:"holder"`
	// Class is the name of the security; empty for common stock.
	Class   string   `json:"class,omitempty"`
	Shares  string   `json:"shares,omitempty"`
	Portion *Portion `json:"portion,omitempty"`
	Price   string   `json:"price,omitempty"`
	Date    string   `json:"date,omitempty"`
}

// Portion is the fraction Part/Of, such as 60/100 or 1/3.
type Portion struct {
	Part string `json:"part"`
	Of   string `json:"of"`
}

// PoolFacts describe the shares that are reserved for grants.
type PoolFacts struct {
	// Plan is the name of the plan; empty for a default.
	Plan    string   `json:"plan,omitempty"`
	Shares  string   `json:"shares,omitempty"`
	Portion *Portion `json:"portion,omitempty"`
}

// ConvertibleFacts describe a SAFE or a convertible note.
type ConvertibleFacts struct {
	// Kind is safe or convertibleNote.
	Kind     string `json:"kind"`
	Holder   string `json:"holder"`
	Amount   string `json:"amount,omitempty"`
	Currency string `json:"currency,omitempty"`
	Cap      string `json:"cap,omitempty"`
	// PreMoney reports that the cap is the value before the money.
	PreMoney bool `json:"preMoney,omitempty"`
	// Discount and Interest are fractions, such as 0.20 for 20 %.
	Discount string `json:"discount,omitempty"`
	Interest string `json:"interest,omitempty"`
	Date     string `json:"date,omitempty"`
	Maturity string `json:"maturity,omitempty"`
}

// VestingFacts describe the vesting of the founders' shares in monthly installments.
type VestingFacts struct {
	Months      int `json:"months"`
	CliffMonths int `json:"cliffMonths,omitempty"`
}

// The errors of onboardings.
var (
	// ErrNoOnboarding refuses an unknown onboarding, and that of another user.
	ErrNoOnboarding = fault.Refuse(fault.NotFound, "There is no such onboarding.")
	// ErrNotAnalyzed refuses to show the plan before the analysis.
	ErrNotAnalyzed = fault.Refuse("notAnalyzed", "The description is not analyzed yet. Try again later.")
	// ErrOnboardingLinked refuses an onboarding of another user.
	ErrOnboardingLinked = fault.Refuse("alreadyLinked", "The onboarding belongs to another user.")
	// ErrOnboardingExpired refuses a change of an expired onboarding.
	ErrOnboardingExpired = fault.Refuse("expired", "The onboarding has expired. Create another one.")
	// ErrQuestionsOpen refuses a build without the required answers.
	ErrQuestionsOpen = fault.Refuse("questionsOpen", "Answer the required questions first.")
	// ErrOnboardingBusy refuses a change during an analysis or a build.
	ErrOnboardingBusy = fault.Refuse("inProgress", "The analysis or the build is still running. Wait for its end.")
	// ErrOnboardingBuilt refuses a change of the plan after the build.
	ErrOnboardingBuilt = fault.Refuse("alreadyBuilt", "The organization is already built. Change its records instead.")
	// ErrNotBuilt refuses to complete an onboarding before its build.
	ErrNotBuilt = fault.Refuse("notBuilt", "The organization is not built yet.")
)
