package equity

import (
	"context"

	"equity/captable"
	"equity/http/api"
)

// conversionRecord is the result of a conversion.
type conversionRecord struct {
	Holding       instrumentRecord              `json:"holding"`
	Shareholdings []shareholdingRecord          `json:"shareholdings"`
	Conversion    captable.InstrumentConversion `json:"conversion"`
}

// warrantExerciseRecord is the result of exercising a warrant.
type warrantExerciseRecord struct {
	Holding      instrumentRecord   `json:"holding"`
	Shareholding shareholdingRecord `json:"shareholding"`
	Exercise     captable.Exercise  `json:"exercise"`
}

// convertInstrument converts an instrument into shares, which are the created record.
func (s holdings) convertInstrument(
	ctx context.Context, c *api.Call, id captable.InstrumentID, command captable.CommandOf[captable.ConvertedInstrument],
) (api.Answer, error) {
	return api.Change(ctx, s.Kernel, c, command, id, func(result captable.ConvertedInstrument) api.Result {
		h := holdersOf(c)
		record := conversionRecord{
			h.instrument(result.Instrument, c.AsOf()), []shareholdingRecord{h.show(result.Shares)}, result.Conversion,
		}
		return api.Result{Record: record, Version: result.Instrument.Version, Location: "/shareholding/" + result.Shares.ID.String()}
	})
}

// exerciseWarrant exercises a warrant. The shares are the created record.
func (s holdings) exerciseWarrant(
	ctx context.Context, c *api.Call, id captable.InstrumentID, command captable.CommandOf[captable.ExercisedInstrument],
) (api.Answer, error) {
	return api.Change(ctx, s.Kernel, c, command, id, func(result captable.ExercisedInstrument) api.Result {
		h := holdersOf(c)
		record := warrantExerciseRecord{h.instrument(result.Instrument, c.AsOf()), h.show(result.Shares), result.Exercise}
		return api.Result{Record: record, Version: result.Instrument.Version, Location: "/shareholding/" + result.Shares.ID.String()}
	})
}
