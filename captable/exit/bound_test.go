package exit_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"equity/captable"
	"equity/captable/captabletest"
	"equity/fault"
)

// manySafes issues SAFEs with the given number of different caps.
func (b *bundle) manySafes(number, different int) {
	b.Helper()
	issued, _ := b.Do(postMoney(bob))[0].(captable.InstrumentIssued)
	for i := range number - 1 {
		issued.ID = captable.InstrumentID{1, byte(i >> 8), byte(i)}
		issued.ValuationCap = price(strconv.Itoa(2_000_000_000 + i%different))
		b.State.Apply(issued, captable.Stamp{})
	}
}

func TestSalesOverTooManyConvertiblesAreRefused(t *testing.T) {
	t.Parallel()
	// company has a number of SAFEs with the given number of different caps.
	company := func(t *testing.T, number, different int) *bundle {
		t.Helper()
		b, _ := founded(t)
		b.manySafes(number, different)
		return b
	}
	t.Run("a sale at one price over more than 800 convertibles is refused", func(t *testing.T) {
		t.Parallel()
		_, err := company(t, 801, 1).planExit(sale("1000000"))
		refused := new(fault.Error)
		captabletest.Equal(t, "refused", errors.As(err, &refused), true)
		captabletest.Equal(t, "code", refused.Fields[0].Pointer+" "+refused.Fields[0].Code, "/values tooManyConvertibles")
		captabletest.Equal(t, "the limit is named", strings.Contains(refused.Fields[0].Message, "at most 800 convertibles"), true)
	})
	t.Run("a sale at one price over 200 convertibles with 200 different caps is refused", func(t *testing.T) {
		t.Parallel()
		b := company(t, 200, 200)
		_, err := b.planExit(sale("1000000"))
		b.refusal(err, fault.Invalid, "/values tooManyConvertibles")
	})
	t.Run("a sale over 200 convertibles with three different caps is accepted", func(t *testing.T) {
		t.Parallel()
		_, err := company(t, 200, 3).planExit(sale("900000000"))
		captabletest.Equal(t, "error", err, nil)
	})
}
