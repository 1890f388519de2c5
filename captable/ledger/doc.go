// Package ledger replays transactions over securities of every family (stock, equity
// compensation, warrants, convertibles) as the Open Cap Format tells them, and gives the
// figures that come of it: authorized, issued, outstanding, who holds what, and what pools
// have left.
//
// It is not the cap table. An organization's cap table is captable.State, with its own
// commands, journal and wider rules. This ledger holds the format's own rules and nothing
// else: the life of a security (issued, accepted, ended once), that results and balances
// are issuances of their own on the same day that add up, and what counts where. It has no
// organization, author or currency, so that a calculation can replay a few lines.
//
// A step is refused whole, with the reason; what was before it stands.
package ledger
