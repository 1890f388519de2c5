package http

import (
	"context"

	"equity/captable"
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
func (s *Server) convertInstrument(
	ctx context.Context, c *Call, id captable.InstrumentID, command captable.CommandOf[captable.ConvertedInstrument],
) (Answer, error) {
	return alter(ctx, s, c, command, id, func(result captable.ConvertedInstrument) shown {
		h := c.holders()
		record := conversionRecord{h.instrument(result.Instrument, c.AsOf()), []shareholdingRecord{h.show(result.Shares)}, result.Conversion}
		return shown{record, result.Instrument.Version, "/shareholding/" + result.Shares.ID.String()}
	})
}

// exerciseWarrant exercises a warrant. The shares are the created record.
func (s *Server) exerciseWarrant(
	ctx context.Context, c *Call, id captable.InstrumentID, command captable.CommandOf[captable.ExercisedInstrument],
) (Answer, error) {
	return alter(ctx, s, c, command, id, func(result captable.ExercisedInstrument) shown {
		h := c.holders()
		record := warrantExerciseRecord{h.instrument(result.Instrument, c.AsOf()), h.show(result.Shares), result.Exercise}
		return shown{record, result.Instrument.Version, "/shareholding/" + result.Shares.ID.String()}
	})
}
