// Package ocf reads and writes packages of the Open Cap Format, the open standard
// for cap table data, and tells what a package asks of our cap table.
//
// # In
//
// [Read] takes a folder or an archive and gives a [Package] with every [Finding]
// about it. It is strict on consistency and lenient on dressing: what contradicts
// itself refuses the package, a stale checksum or an unknown field is a warning.
// [Package.Enter] then carries the package into a cap table, command by command in
// the order of the dates, and gives the findings of the cap table's own rules. It
// goes on after a finding, so that one attempt lists everything that is wrong.
//
// # Out
//
// An [Exporter] folds the events of a journal and writes a package. An object that
// came in by an import and was not changed goes out as it came; what was changed
// is the object that came with the changed fields in it; the rest is made here.
//
// # How ids meet
//
// The ids of a package become externalId: a shareholding's is the security_id, its
// certificate the custom_id; a security's is the stock class's id, a legend's the
// template's, a valuation's and a funding round's its own, a member's the stakeholder's. Our own ids are always fresh. In an
// export the externalId at creation is the id, or our id where there was none.
//
// A grant is one record here, whatever is taken out of it. In the format the cancellation
// of a part ends it, and its balance is issued under another id: those issuances are parts
// of the cancellation. A transfer ends a grant, and its results and balance are grants of
// their own. A grant outside a plan reserves shares of its class. A grant that names neither
// a plan nor a class is carried.
//
// A convertible and a warrant are one record for each security of theirs. What they become
// is read from the first trigger that says something. Those without an amount or a price, or
// that went to several holders at once, are carried with everything about them. A convertible
// may become several shareholdings and a balance. A warrant that is exercised in part goes out divided.
//
// A plan of several pools goes out as one plan each, the first under the plan's own id.
//
// # Splits
//
// A split multiplies the limit of its class as it does pools. An adjustment of the same day
// states the limit of the day in full; the split then leaves it. Exports write that
// adjustment.
//
// # Authorized shares of the issuer
//
// An import compares the limit of each class with the limit of the issuer at the end of every
// day. The cap table has no limit of the issuer: an export raises the imported one as far as
// the classes of the export need it.
//
// # Facts without a field
//
// Some facts are comments of our exports, which an import reads back: treasury shares, a
// milestone that was reached in part, fractional shares, the dividend rate and the
// participation of a class, the printed name and the Rule 144 date of shares, the exercise
// price of a pool, the market value of a grant, the coverage of a warrant.
//
// Legends of a class, valuations other than 409A, funding rounds without an issuance, the
// term, types and documents of a plan, and the repayments of a debt do not survive an export
// and import into another organization.
package ocf
