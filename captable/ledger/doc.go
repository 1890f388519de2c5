// Package ledger replays transactions over securities of all families (stock, equity compensation, warrants,
// convertibles) in the model of the Open Cap Format, and returns the resulting figures: authorized, issued,
// outstanding, holders and available pools.
//
// It is not the cap table. An organization's cap table is captable.State, with its own commands, journal and
// further rules. The ledger contains only the rules of the format: the life of a security (issued, accepted, ended
// once), results and balances as issuances of their own on the same day with equal sums, and the counting of
// quantities. It has no organization, author or currency, so that a calculation can replay a few transactions.
//
// A refused step has no effect. Its error states the reason.
package ledger
