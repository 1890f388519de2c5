package captable_test

import (
	"errors"
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/vesting"
	"equity/fault"
)

func projected(quantity string) captable.ProjectVesting {
	scheme := fourYears()
	return captable.ProjectVesting{Quantity: number(quantity), GrantDate: exact.MustDate("2024-01-31"), Schedule: &scheme}
}

func TestProjectVesting(t *testing.T) {
	t.Parallel()
	on := exact.MustDate("2025-03-01")
	t.Run("a projection begins on the grant date unless a start is stated", func(t *testing.T) {
		t.Parallel()
		wish := projected("4800")
		got, err := wish.On(on, nil)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "first", got.Installments[0].Date.String()+" "+got.Installments[0].Quantity.String(), "2025-01-31 1200")
		equal(t, "vested and not", got.Vested.String()+" "+got.Unvested.String(), "1300 3500")
		wish.VestingStart = exact.MustDate("2023-01-31")
		got, _ = wish.On(on, nil)
		equal(
			t, "what lies before the grant is caught up with", got.Installments[0].Date.String()+" "+got.Installments[0].Quantity.String(),
			"2024-01-31 1200",
		)
		equal(t, "vested and not", got.Vested.String()+" "+got.Unvested.String(), "2500 2300")
	})
	t.Run("a projection begins with the event that starts vesting", func(t *testing.T) {
		t.Parallel()
		wish := projected("4800")
		wish.Happenings = []vesting.Happening{{Condition: "vesting start", Date: exact.MustDate("2024-06-15")}}
		got, err := wish.On(on, nil)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "first", got.Installments[0].Date.String(), "2025-06-15")
	})
	t.Run("a projection uses a stored schedule", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		schedule, _ := b.state.VestingSchedule(b.schedule("Standard"))
		wish := projected("480")
		wish.Schedule = nil
		got, err := wish.On(on, schedule)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "vested", got.Vested.String(), "130")
	})
	t.Run("a refused projection names every wrong field", func(t *testing.T) {
		t.Parallel()
		wish := projected("-1")
		wish.Schedule.Allocation = "x"
		names(t, wish, "/quantity notPositive", "/schedule/allocation unknownValue")
		wish = projected("1")
		wish.Happenings = []vesting.Happening{{Condition: "x", Date: on}}
		names(t, wish, "/happenings/0/condition unknownCondition")
		wish.Schedule = nil
		names(t, wish, "/schedule required")
	})
}

// names checks that the projection is refused with exactly these fields.
func names(t *testing.T, wish captable.ProjectVesting, fields ...string) {
	t.Helper()
	_, err := wish.On(exact.MustDate(today), nil)
	var refusal *fault.Error
	if !errors.As(err, &refusal) {
		t.Fatalf("got %v", err)
	}
	equal(t, "fields", len(refusal.Fields), len(fields))
	for i, field := range refusal.Fields {
		equal(t, "field", field.Pointer+" "+field.Code, fields[i])
	}
}
