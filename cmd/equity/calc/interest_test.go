package calc_test

import "testing"

func TestInterest(t *testing.T) {
	t.Parallel()
	const debt = `"principal": "1000", "day_count": "ACTUAL_365", "compounding": "SIMPLE", "accrual_period": "ANNUAL"`
	for claim, c := range map[string]struct{ input, want string }{
		"no interest before the first day": {
			`{` + debt + `, "rates": [{"rate": "0.1", "from": "2024-01-01"}], "on": "2023-01-01"}`,
			`{ "interest": "0", "interest_2dp": "0.00", "amount": "0" }`,
		},
		"no interest on the first day": {
			`{` + debt + `, "rates": [{"rate": "0.1", "from": "2024-01-01"}], "on": "2024-01-01"}`,
			`{ "interest": "0", "interest_2dp": "0.00", "amount": "1000" }`,
		},
		"no interest between two rates": {
			`{` + debt + `, "rates": [{"rate": 0.1, "from": "2022-01-01", "to": "2022-12-31"}, {"rate": "0.1", "from": "2024-01-01", "to": null}], "on": "2024-01-01"}`,
			`{ "interest": "100", "interest_2dp": "100.00", "amount": "1100" }`,
		},
		"a rate before the principal was received": {
			`{` + debt + `, "issued": "2023-01-01", "rates": [{"rate": "0.1", "from": "2020-01-01"}], "on": "2024-01-01"}`,
			`{ "interest": "100", "interest_2dp": "100.00", "amount": "1100" }`,
		},
		"daily compounding": {
			`{"principal": "1000", "day_count": "ACTUAL_365", "compounding": "COMPOUNDING", "accrual_period": "DAILY",
				"rates": [{"rate": "0.365", "from": "2024-01-01"}], "on": "2024-01-03"}`,
			`{ "interest": "2.001", "interest_2dp": "2.00", "amount": "1002.001" }`,
		},
		"an unknown day count": {
			`{"principal": 1, "day_count": "LUNAR", "rates": [{"rate": "0.1", "from": "2024-01-01"}], "on": "2025-01-01"}`,
			`{ "refused": true, "why": "/interest/dayCount: \"LUNAR\" is none of the terms known here." }`,
		},
		"a debt of the Romans": {
			`{` + debt + `, "rates": [{"rate": "0.1", "from": "0001-01-01"}], "on": "9999-01-01"}`,
			`{ "refused": true, "why": "a debt is followed over at most 100 years" }`,
		},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			equal(t, "interest", answer(t, "interest", c.input), c.want)
		})
	}
}

func TestNoRatesAreNoInterest(t *testing.T) {
	t.Parallel()
	const rest = `"principal": "1000", "on": "2025-01-01", "rates": [], "day_count": "ACTUAL_365", "compounding": "SIMPLE", "accrual_period": "DAILY"}`
	const want = `{ "interest": "0", "interest_2dp": "0.00", "amount": "1000" }`
	equal(t, "with a day of issue", answer(t, "interest", `{"issued": "2024-01-01", `+rest), want)
	equal(t, "without", answer(t, "interest", `{`+rest), want)
	equal(t, "and without terms", answer(t, "interest", `{"principal": "1000", "on": "2025-01-01", "rates": []}`), want)
}
