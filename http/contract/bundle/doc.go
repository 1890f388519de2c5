// Command bundle joins the files of the contract into one OpenAPI document.
//
// It is run by go generate in the folder http. Each file contains one resource without repetitions. The file contract.yaml in the folder of
// a room contains those of the room. The bundle adds the derived parts:
//
//   - x-fragments are sets of properties without a schema of their own. A schema
//     includes them with x-include: [Fragment, …].
//   - x-patch: Schema creates the schema of a merge patch (RFC 7396) for another schema.
//     No property is required, and optional properties of the other schema may be null.
//   - x-internal schemas serve only as such sources and are omitted.
//   - Every operation gets its possible error responses, ETag and Location headers,
//     and the preview of a dry run.
//   - x-callbacks becomes a callback for each of its types of events.
//   - Every body gets an example, composed from the examples of its parts if it has
//     no example of its own.
//
// The output is deterministic.
package main
