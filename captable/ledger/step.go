package ledger

import "equity/captable/exact"

// Step is one transaction. Do determines the required fields.
type Step struct {
	// Do is the name of the transaction, such as issue, transfer or return_to_pool.
	Do string
	// Date is zero if dates are irrelevant.
	Date exact.Date
	// Class is a class of shares, Plan a plan, and Holder the holder of an issued security.
	Class, Plan, Holder string
	// Security is the issued or affected security. Securities are the consolidated ones.
	Security   string
	Securities []string
	// Shares is a quantity, or nil for the whole quantity. Delta changes an authorization.
	Shares, Delta *exact.Decimal
	// ResultOf marks an issuance that is the result of another transaction.
	ResultOf string
	// Results are the resulting securities. Balance is the security with the remainder.
	Results []string
	Balance string
	// From and To are the holders of a transfer without a security.
	From, To string
	// Ratio is the ratio of a split: 2 and 1 for two shares instead of one.
	Ratio [2]exact.Decimal
	// Split marks a reissuance that includes a split.
	Split bool
	// Treasury keeps repurchased shares. ReducesAuthorized also reduces the authorized shares by the retired ones.
	Treasury, ReducesAuthorized bool
	// Reserved is the size of a pool. Board is the date of the plan's board approval. Returns reports whether
	// cancelled shares return to the pool automatically.
	Reserved exact.Decimal
	Board    exact.Date
	Returns  bool
}

// StepError is the error of an invalid step.
type StepError struct {
	// Step is the index of the step, from 0.
	Step int
	// Why is the reason as a sentence.
	Why string
}

// Error returns the reason.
func (r StepError) Error() string { return r.Why }

// refuse returns a [StepError]. [Replay] sets the step.
func refuse(why string) error { return StepError{Why: why} }
