// Command bundle joins the files of the contract into one OpenAPI document.
//
// It is run by go generate from the folder http. The files hold one resource each
// and say nothing twice; the bundle spells out what follows:
//
//   - x-fragments are sets of properties without a schema of their own; a schema
//     takes them over with x-include: [Fragment, …];
//   - x-patch: Schema makes the schema of a merge patch (RFC 7396) for another one:
//     nothing is required, and what was not required may be null;
//   - x-internal schemas serve only for that and are left out;
//   - every operation gets the error answers that its parts can lead to, ETag and
//     Location headers, and the preview of a dry run;
//   - every body gets an example, composed from those of its parts where it has
//     none of its own.
//
// The same files give the same bytes.
package main
