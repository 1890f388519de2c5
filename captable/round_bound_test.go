package captable_test

import (
	"strconv"
	"testing"

	"equity/captable"
	"equity/fault"
)

// manySafes issues SAFEs with the given number of different caps.
func (b *bundle) manySafes(number, different int) {
	b.Helper()
	issued, _ := b.do(postMoney(bob))[0].(captable.InstrumentIssued)
	for i := range number - 1 {
		issued.ID = captable.InstrumentID{1, byte(i >> 8), byte(i)}
		issued.ValuationCap = price(strconv.Itoa(2_000_000_000 + i%different))
		b.state.Apply(issued, captable.Stamp{Sequence: uint64(i + 2), At: captable.InstantOf(b.now), By: "tester"})
	}
}

func TestRoundsOfTooManyConvertiblesAreRefused(t *testing.T) {
	t.Parallel()
	b, _ := founded(t)
	b.manySafes(2_001, 7)
	_, err := b.planRound(priced())
	b.refusal(err, fault.Invalid, "/convertibles tooMany")
}
