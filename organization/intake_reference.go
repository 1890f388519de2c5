package organization

import "equity/fault"

// IntakeReferences finds the records that the texts of rows refer to. It is not safe for concurrent use.
type IntakeReferences struct{ state *State }

// ReferencesOf returns the references of rows to the records of the state.
func ReferencesOf(s *State) IntakeReferences { return IntakeReferences{s.Copy()} }

// Of returns the ids of the records that the cells of a row refer to by name, externalId or id, by column. It omits texts that refer to
// no record, or to several.
func (r IntakeReferences) Of(cells map[string]string) map[string][16]byte {
	var faults fault.Fields // unknown names are the faults of the row itself
	found := map[string][16]byte{}
	if holder := r.state.holderNamed(&faults, cells["holder"]); !holder.IsZero() {
		found["holder"] = holder
	}
	if security := r.state.securityNamed(&faults, cells["security"]); !security.IsZero() {
		found["security"] = security
	}
	pool := r.state.poolNamed(&faults, cells["plan"], cells["pool"])
	if !pool.Plan.IsZero() {
		found["plan"] = pool.Plan
	}
	if !pool.Pool.IsZero() {
		found["pool"] = pool.Pool
	}
	return found
}
