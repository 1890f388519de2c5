// Package ocf reads and writes packages of the Open Cap Format (OCF), the open standard for
// cap table data, and converts a package to commands of the cap table.
//
// # Import
//
// [Read] parses a folder or an archive and returns a [Package] with every [Finding] about it.
// It is strict about consistency and lenient about presentation: a contradiction refuses the
// package, whereas a stale checksum or an unknown field is a warning. [Package.Enter] then
// sends the commands of the package to a cap table in date order, and returns the findings of
// the cap table's own rules. It continues after a finding, so that one attempt lists every
// problem.
//
// # Export
//
// An [Exporter] folds the events of a journal and writes a package. An imported object
// without changes is written as it was imported. A changed object is the imported object with
// its changed fields replaced. All other objects are created by the export.
//
// # Mapping of ids
//
// The ids of a package become externalId values. The externalId of a shareholding is the
// security_id, and its certificate is the custom_id. The externalId of a security is the id
// of the stock class, that of a legend is the id of the template, and that of a member is the
// id of the stakeholder. Valuations and funding rounds use their own ids. Internal ids are
// always new. An export uses the externalId at creation as the id, or the internal id if
// there was no externalId.
//
// A grant remains one record here after a partial cancellation. In the format, a partial
// cancellation ends the grant, and its balance is issued under another id. The import treats
// such a balance issuance as part of the cancellation. A transfer ends a grant, and its
// results and balance are separate grants. A grant outside a plan reserves shares of its
// class. A grant that names neither a plan nor a class is carried unchanged.
//
// Each convertible or warrant security is one record. Its conversion terms come from the
// first trigger that states any. An instrument without an amount or a price, or with a
// transfer to several holders at once, is carried unchanged with all its transactions. A
// convertible may convert to several shareholdings and a balance. An export divides a warrant
// that was exercised in part.
//
// An export writes a plan with several pools as one plan for each pool. The first has the id
// of the plan.
//
// # Splits
//
// A split multiplies the limit of its class and the reserves of its pools. An adjustment on
// the same day states the final limit of that day, and the split then leaves the limit
// unchanged. Exports write that adjustment.
//
// # Daily limits
//
// A package is a set of dated facts, each in its last version, without the order of the
// commands. A manifest comment in an export states that the limits of classes and pools hold at
// the end of each day. An import of such a package checks the limits once, for every day of the
// complete history.
//
// # Authorized shares of the issuer
//
// An import compares the limit of each class with the limit of the issuer at the end of every
// day. The cap table has no issuer limit. An export raises the imported limit as far as the
// exported classes require.
//
// # Facts without a field
//
// Exports record some facts as comments, which an import parses: treasury shares, partly
// reached milestones, fractional shares, the first day, dividend rate and participation of a class, the
// printed name and Rule 144 date of shares, the exercise price of a pool, the market value of
// a grant, the coverage of a warrant, the number of shares from the treasury, the repayments of a
// debt, and cancelled shares that do not return to their pool.
//
// The legends of a class, valuations other than 409A, funding rounds without an issuance, the
// term, types and documents of a plan are lost in an export and import into another organization.
package ocf
