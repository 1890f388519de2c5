package organization

import (
	"reflect"

	"equity/captable"
	"equity/organization/document"
)

// Kind describes a kind of record to everything that handles records of all kinds: the version that a request expects, and the
// references of events.
type Kind struct {
	// Name is the kind in references. An event that creates a record names the same kind.
	Name string

	viewers    Permissions // see SeenBy
	record, id reflect.Type
	identify   func(record any) [16]byte
	version    func(s *State, id any) (version uint64, found bool)
}

// Record is an immutable record with a version.
type Record interface{ Revision() uint64 }

// KindOf describes the records that find returns.
func KindOf[T any, R Record](name string, find func(s *State, id captable.ID[T]) (R, bool), id func(record R) captable.ID[T]) Kind {
	return Kind{
		Name: name, record: reflect.TypeFor[R](), id: reflect.TypeFor[captable.ID[T]](),
		identify: func(record any) [16]byte { return id(record.(R)) }, //nolint:forcetypeassert // found by its type
		version: func(s *State, id any) (uint64, bool) {
			record, ok := find(s, id.(captable.ID[T])) //nolint:forcetypeassert // found by its type
			if !ok {
				return 0, false
			}
			return record.Revision(), true
		},
	}
}

// SeenBy returns the kind of an extension whose records are visible to callers with one of the permissions. Without it they are visible to
// nobody. The visibility of the kinds of this package depends on the records; see [Schema.Sees].
func (k Kind) SeenBy(permissions ...Permission) Kind {
	k.viewers |= NewPermissions(permissions...)
	return k
}

func ofTable[T any, R Record](name string, find func(*captable.State, captable.ID[T]) (R, bool), id func(R) captable.ID[T]) Kind {
	return KindOf(name, func(s *State, id captable.ID[T]) (R, bool) { return find(s.table, id) }, id)
}

func ofRoom[T any, R Record](name string, find func(*document.Tree, captable.ID[T]) (R, bool), id func(R) captable.ID[T]) Kind {
	return KindOf(name, func(s *State, id captable.ID[T]) (R, bool) { return find(s.documents, id) }, id)
}

// kinds returns the kinds of records of the cap table, the data room and this package.
func kinds() []Kind {
	type table = captable.State
	type tree = document.Tree
	return []Kind{
		ofTable(KindSecurity, (*table).Security, func(r *captable.Security) captable.SecurityID { return r.ID }),
		ofTable(KindLegend, (*table).Legend, func(r *captable.Legend) captable.LegendID { return r.ID }),
		ofTable(KindShareholding, (*table).Shareholding, func(r *captable.Shareholding) captable.ShareholdingID { return r.ID }),
		ofTable(KindHolding, (*table).Grant, func(r *captable.Grant) captable.GrantID { return r.ID }),
		ofTable(KindHolding, (*table).Instrument, func(r *captable.Instrument) captable.InstrumentID { return r.ID }),
		ofTable(KindValuation, (*table).Valuation, func(r *captable.Valuation) captable.ValuationID { return r.ID }),
		ofTable(KindCapitalChange, (*table).CapitalChange, func(r *captable.CapitalChange) captable.CapitalChangeID { return r.ID }),
		ofTable(KindBlock, (*table).Block, func(r *captable.Block) captable.BlockID { return r.ID }),
		ofTable(KindPlan, (*table).Plan, func(r *captable.Plan) captable.PlanID { return r.ID }),
		ofTable(
			KindVestingSchedule, (*table).VestingSchedule, func(r *captable.VestingSchedule) captable.VestingScheduleID { return r.ID },
		),
		ofRoom(KindDocument, (*tree).Item, func(r *document.Item) document.ItemID { return r.ID }),
		ofRoom(KindFile, (*tree).File, func(r *document.File) document.FileID { return r.ID }),
		ofRoom(KindDocumentShare, (*tree).Share, func(r *document.Share) document.ShareID { return r.ID }),
		KindOf(KindMember, (*State).Member, func(r *Member) MemberID { return r.ID }),
		KindOf(KindRole, (*State).Role, func(r *Role) RoleID { return r.ID }),
		KindOf(KindHookToken, (*State).HookToken, func(r *HookToken) HookTokenID { return r.ID }),
	}
}
