package ocf

import "equity/captable"

// instrumentAccepted writes an acceptance. An exercise or an end can be recorded later with a date
// before it. The acceptance then belongs to the remainder. Without a remainder, it is left out.
func (x *Exporter) instrumentAccepted(i *instrument, e captable.InstrumentAccepted) {
	security, before := i.acceptedAs(e.Date), len(i.divided)
	x.befall(i, e.Date, e.Source, func() any {
		id := security
		for n, day := range i.divided {
			if n >= before && day < e.Date {
				then := *i
				then.pieces = n + 1
				id = then.current()
			}
		}
		return transactionObject{e.ID.String() + "-accepted", "TX_" + i.family() + "_ACCEPTANCE", e.Date, id}
	})
	x.transactions[len(x.transactions)-1].wanted = func() bool {
		return !i.voided && (i.ended.IsZero() || e.Date <= i.ended)
	}
}

// endOf returns the instrument that the event ends and the day of the end. It returns a zero day for
// any other event.
func endOf(event captable.Event) (captable.InstrumentID, captable.Date) {
	switch e := event.(type) {
	case captable.InstrumentRepaid:
		if e.Settled {
			return e.ID, e.Date
		}
	case captable.InstrumentConverted:
		return e.ID, e.Date
	case captable.WarrantExercised:
		if e.Left.IsZero() {
			return e.ID, e.Date
		}
	case captable.InstrumentEnded:
		return e.ID, e.Date
	}
	return captable.InstrumentID{}, 0
}
