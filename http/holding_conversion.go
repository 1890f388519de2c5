package http

import (
	"context"
	"errors"

	"equity/captable"
	"equity/messages"
	"equity/organization"
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

var errNoShares = errors.New("the change made no shares")

// gave returns the instrument and the new shareholding as they were just after the change.
func (h holders) gave(c *Call, reply messages.Reply) (instrumentRecord, shareholdingRecord, error) {
	of, err := c.changedInstrument(reply)
	made, given := messages.First[*captable.Shareholding](reply.Records)
	if err != nil || !given {
		return instrumentRecord{}, shareholdingRecord{}, errors.Join(err, errNoShares)
	}
	return h.instrument(of, c.AsOf()), h.show(made), nil
}

// tableEvent returns the first recorded event of type E.
func tableEvent[E captable.Event](reply messages.Reply) (event E) {
	for _, happened := range reply.Events {
		if table, ok := happened.(organization.TableEvent); ok {
			if found, ok := table.Event.(E); ok {
				return found
			}
		}
	}
	return event
}

// giveShares carries out a command that creates shares for an instrument. The new shareholding is the
// created record.
func (s *Server) giveShares(
	record func(of instrumentRecord, made shareholdingRecord, reply messages.Reply) any,
) func(context.Context, *Call, captable.InstrumentID, captable.Command) (Answer, error) {
	return func(ctx context.Context, c *Call, id captable.InstrumentID, command captable.Command) (Answer, error) {
		return s.alter(ctx, c, command, id, func(reply messages.Reply) (shown, error) {
			of, made, err := s.holdersNow(ctx, c).gave(c, reply)
			if err != nil {
				return shown{}, err
			}
			return shown{record(of, made, reply), of.Version, "/shareholding/" + made.ID.String()}, nil
		})
	}
}

func recordConversion(of instrumentRecord, made shareholdingRecord, reply messages.Reply) any {
	return conversionRecord{of, []shareholdingRecord{made}, tableEvent[captable.InstrumentConverted](reply).InstrumentConversion}
}

func recordExercise(of instrumentRecord, made shareholdingRecord, reply messages.Reply) any {
	return warrantExerciseRecord{of, made, tableEvent[captable.WarrantExercised](reply).Exercise}
}
