package ledger

import "equity/captable/exact"

// Step is one transaction. Which fields it needs, what it does says.
type Step struct {
	// Do names the transaction, such as issue, transfer or return_to_pool.
	Do string
	// Date is zero where dates do not matter.
	Date exact.Date
	// Class is of shares, Plan of a plan, Holder of who holds what is issued.
	Class, Plan, Holder string
	// Security is what is issued, or what the step is about; Securities are several that
	// are consolidated.
	Security   string
	Securities []string
	// Shares is a quantity, nil where all of it is meant; Delta changes an authorization.
	Shares, Delta *exact.Decimal
	// ResultOf marks an issuance that is only the outcome of another transaction.
	ResultOf string
	// Results are the securities that came of it, Balance the one with what was left.
	Results []string
	Balance string
	// From and To are the holders of a transfer that names no security.
	From, To string
	// Ratio is of a split, 2 and 1 for two shares instead of one.
	Ratio [2]exact.Decimal
	// Split marks a reissuance that carries a split.
	Split bool
	// Treasury keeps what is repurchased; ReducesAuthorized goes with retired shares.
	Treasury, ReducesAuthorized bool
	// Reserved is the size of a pool, Board the day on which its plan was approved, and
	// Returns whether what is cancelled goes back into it by itself.
	Reserved exact.Decimal
	Board    exact.Date
	Returns  bool
}

// StepError is why a step cannot be.
type StepError struct {
	// Step is its number, from 0.
	Step int
	// Why is a sentence.
	Why string
}

// Error gives the sentence.
func (r StepError) Error() string { return r.Why }

// refuse gives a refusal; [Replay] fills in the step.
func refuse(why string) error { return StepError{Why: why} }
