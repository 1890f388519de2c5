package captable

import "github.com/tidwall/btree"

// The parts of a [State]. Each part contains the records of one subject with their indexes, and the
// operations that need nothing else.
type (
	// classes contains the securities and the legends.
	classes struct {
		securities Records[Security, Security]
		legends    Records[Legend, Legend]
	}
	// shareRegister contains the shareholdings, also ended and voided ones. The certificates are a
	// unique index.
	shareRegister struct {
		records      Records[Shareholding, Shareholding]
		byHolder     holderIndex[Shareholding]
		certificates *btree.Map[string, ShareholdingID]
	}
	// grantRegister contains the grants.
	grantRegister struct {
		records  Records[Grant, Grant]
		byHolder holderIndex[Grant]
	}
	// instrumentRegister contains the convertibles and the warrants.
	instrumentRegister struct {
		records  Records[Instrument, Instrument]
		byHolder holderIndex[Instrument]
	}
	// planRegister contains the plans with their pools. The moves are the changes of the pools, by
	// pool and day.
	planRegister struct {
		records Records[Plan, Plan]
		moves   *btree.BTreeG[poolMove]
	}
	// scheduleRegister contains the vesting schedules, also those with a successor.
	scheduleRegister struct {
		records Records[VestingSchedule, VestingSchedule]
	}
	// blockRegister contains the funding rounds.
	blockRegister struct {
		records Records[Block, Block]
	}
	// externalIDs is a unique index of the external ids, by kind and id.
	externalIDs struct {
		index *btree.Map[string, [16]byte]
	}
)
