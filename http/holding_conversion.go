package http

import (
	"context"
	"errors"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// conversionRecord is what a convertible became.
type conversionRecord struct {
	Holding       instrumentRecord              `json:"holding"`
	Shareholdings []shareholdingRecord          `json:"shareholdings"`
	Conversion    captable.InstrumentConversion `json:"conversion"`
}

// warrantExerciseRecord is what a warrant gave, and what it gives still.
type warrantExerciseRecord struct {
	Holding      instrumentRecord   `json:"holding"`
	Shareholding shareholdingRecord `json:"shareholding"`
	Exercise     captable.Exercise  `json:"exercise"`
}

var errNoShares = errors.New("the change made no shares")

// gave reads what an instrument gave from the records as they were just after the change.
func (h holders) gave(c *Call, reply messages.Reply) (instrumentRecord, shareholdingRecord, error) {
	of, err := c.changedInstrument(reply)
	made, given := messages.First[*captable.Shareholding](reply.Records)
	if err != nil || !given {
		return instrumentRecord{}, shareholdingRecord{}, errors.Join(err, errNoShares)
	}
	return h.instrument(of, c.AsOf()), h.show(made), nil
}

// tableEvent gives the first event of the type that a change recorded.
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

// convertHolding answers the shares as what was created.
func (s *Server) convertHolding(ctx context.Context, c *Call) (Answer, error) {
	command, err := decode[captable.ConvertInstrument](c)
	if err != nil {
		return Answer{}, err
	}
	command.ID = pathID[captable.Instrument](c, "holding")
	return s.alter(ctx, c, command, command.ID, func(reply messages.Reply) (shown, error) {
		of, made, err := s.holdersNow(ctx, c).gave(c, reply)
		if err != nil {
			return shown{}, err
		}
		record := conversionRecord{of, []shareholdingRecord{made}, tableEvent[captable.InstrumentConverted](reply).InstrumentConversion}
		return shown{record, of.Version, "/shareholding/" + made.ID.String()}, nil
	})
}

// exerciseHolding answers the shares as what was created.
func (s *Server) exerciseHolding(ctx context.Context, c *Call) (Answer, error) {
	command, err := decode[captable.ExerciseWarrant](c)
	if err != nil {
		return Answer{}, err
	}
	command.ID = pathID[captable.Instrument](c, "holding")
	return s.alter(ctx, c, command, command.ID, func(reply messages.Reply) (shown, error) {
		of, made, err := s.holdersNow(ctx, c).gave(c, reply)
		if err != nil {
			return shown{}, err
		}
		record := warrantExerciseRecord{of, made, tableEvent[captable.WarrantExercised](reply).Exercise}
		return shown{record, of.Version, "/shareholding/" + made.ID.String()}, nil
	})
}
