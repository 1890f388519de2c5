package ocf

import (
	"encoding/json"

	"equity/captable"
	"equity/captable/exact"
)

// Exporter folds the events of one journal, in order, into the state of a package. It is not
// safe for concurrent use.
type Exporter struct {
	// currency applies to amounts without a currency.
	currency string
	issuer   company
	// imports counts the imported packages. manifest and version are those of the first one.
	imports  int
	manifest json.RawMessage
	version  string

	holders      map[captable.EntityID]*holder
	legends      map[captable.LegendID]*legend
	classes      map[captable.SecurityID]*class
	valuations   map[captable.ValuationID]*valuation
	financings   map[captable.BlockID]*financing
	plans        map[captable.PoolID]*plan
	schedules    map[captable.VestingScheduleID]*schedule
	grants       map[captable.GrantID]*grant
	instruments  map[captable.InstrumentID]*instrument
	holdings     map[captable.ShareholdingID]*holding
	transactions []*transaction
	carried      []*carried

	placed int
	// named holds the ids in use, by type.
	named map[typedID]bool
}

// place is the position of an object in an export. Objects of the first import come first,
// then the objects recorded after it, then those of the next import, and so on.
type place struct{ batch, order int }

// NewExporter returns an Exporter for an organization without history.
func NewExporter() *Exporter {
	return &Exporter{
		holders: map[captable.EntityID]*holder{}, legends: map[captable.LegendID]*legend{},
		classes: map[captable.SecurityID]*class{}, holdings: map[captable.ShareholdingID]*holding{},
		valuations: map[captable.ValuationID]*valuation{}, financings: map[captable.BlockID]*financing{},
		plans: map[captable.PoolID]*plan{}, schedules: map[captable.VestingScheduleID]*schedule{},
		grants: map[captable.GrantID]*grant{}, instruments: map[captable.InstrumentID]*instrument{},
		named: map[typedID]bool{},
	}
}

// place returns the position of an object: its position in the imported package, or the next
// position after all existing objects.
func (x *Exporter) place(source *captable.Source) place {
	if source != nil {
		return place{2 * x.imports, source.Order}
	}
	x.placed++
	return place{2*x.imports + 1, x.placed}
}

// name assigns the export id of an object: the external id, or the internal id if the
// external one is empty or taken.
func (x *Exporter) name(kind, externalID, id string) string {
	name := externalID
	if name == "" || x.named[typedID{kind, name}] {
		name = id
	}
	x.named[typedID{kind, name}] = true
	return name
}

// Issuer sets the current data of the organization. The last call takes effect.
func (x *Exporter) Issuer(issuer Issuer) {
	x.issuer.now = issuer
	x.currency = issuer.Currency
}

// Apply folds the next event of the journal.
func (x *Exporter) Apply(event captable.Event, stamp captable.Stamp) {
	switch e := event.(type) {
	case captable.PackageImported:
		x.imported(e)
	case captable.ObjectCarried:
		x.carry(e)
	case captable.LegendCreated:
		l := enter(x, x.name(typeLegend, e.Terms.ExternalID, e.ID.String()), e.Terms, e.Source)
		x.legends[e.ID] = &l
	case captable.LegendChanged:
		if l := x.legends[e.ID]; l != nil {
			l.restate(e.Terms)
		}
	case captable.LegendDeleted:
		delete(x.legends, e.ID)
	case captable.SecurityCreated:
		x.classCreated(e)
	case captable.SecurityChanged:
		x.classChanged(e)
	case captable.SecurityDeleted:
		delete(x.classes, e.ID)
	case captable.SharesAuthorized:
		x.authorized(e)
	case captable.SecuritySplit:
		x.split(e, stamp)
	case captable.ConversionAdjusted:
		x.ratioAdjusted(e)
	default:
		x.applyRecord(event)
	}
}

// applyRecord folds the events of valuations and funding rounds. The event types are divided
// into a chain of switches, one for each family, so that each fits on one screen.
func (x *Exporter) applyRecord(event captable.Event) {
	switch e := event.(type) {
	case captable.ValuationCreated:
		v := enter(x, x.name(typeValuation, e.Terms.ExternalID, e.ID.String()), e.Terms, e.Source)
		x.valuations[e.ID] = &v
	case captable.ValuationChanged:
		if v := x.valuations[e.ID]; v != nil {
			v.restate(e.Terms)
		}
	case captable.BlockCreated:
		f := enter(x, x.name(typeFinancing, e.Terms.ExternalID, e.ID.String()), e.Terms, e.Source)
		x.financings[e.ID] = &f
	case captable.BlockChanged:
		if f := x.financings[e.ID]; f != nil {
			f.restate(e.Terms)
		}
	case captable.BlockDeleted:
		delete(x.financings, e.ID)
	default:
		x.applyPlan(event)
	}
}

// applyPlan folds the events of plans and vesting schedules.
func (x *Exporter) applyPlan(event captable.Event) {
	switch e := event.(type) {
	case captable.PlanCreated:
		x.planCreated(e)
	case captable.PlanChanged:
		x.planChanged(e)
	case captable.PlanDeleted:
		x.planDeleted(e)
	case captable.PoolAdjusted:
		x.poolAdjusted(e)
	case captable.VestingScheduleCreated:
		x.scheduled(e.ID, e.Terms, e.Source)
	case captable.VestingScheduleSuperseded:
		x.scheduled(e.ID, e.Terms, nil)
	case captable.VestingScheduleDeleted:
		delete(x.schedules, e.ID)
	default:
		x.applyGrant(event)
	}
}

func (x *Exporter) applyHolding(event captable.Event) {
	switch e := event.(type) {
	case captable.ShareholdingIssued:
		x.issued(e.Issue)
		x.holdings[e.ID].preference = e.PreferencePrice
	case captable.ShareholdingAmended:
		if h := x.holdings[e.ID]; h != nil {
			h.keep()
			h.followPrice(e.Details.PricePerShare)
			h.now.ShareholdingDetails, h.changed = e.Details, true
		}
	case captable.ShareholdingCorrected:
		x.corrected(e)
	case captable.ShareholdingVoided:
		if h := x.holdings[e.ID]; h != nil {
			h.voided = true
		}
	case captable.ShareholdingAccepted:
		x.accepted(e)
	case captable.VestingStopped:
		x.vestingStopped(e)
	case captable.ShareholdingEnded:
		x.ended(e)
	case captable.ConfigurationChanged: // the format has no field for it
	default:
		x.applyInstrument(event)
	}
}

func (x *Exporter) imported(e captable.PackageImported) {
	if x.imports++; x.imports > 1 {
		return // the first import defines the issuer
	}
	x.manifest, x.version = e.Manifest, e.Version
	x.issuer.source, x.issuer.was = e.Issuer, x.issuer.now
}

// company is the issuer: the imported object, the organization at the import, and its current
// state.
type company struct {
	source   json.RawMessage
	was, now Issuer
}

// json returns the issuer object. A non-empty limit replaces the initial limit of the source.
func (c *company) json(formed captable.Date, limit string) json.RawMessage {
	now := recordOf(c.now.object(formed))
	source, err := parseRecord(c.source)
	if err != nil {
		return now.json()
	}
	was := recordOf(c.was.object(formed))
	// An imported issuer keeps its id and object_type.
	for _, kept := range []string{"id", "object_type"} {
		was.delete(kept)
		now.delete(kept)
	}
	if limit != "" {
		text, _ := json.Marshal(limit) //nolint:errchkjson // strings always marshal
		source.set("initial_shares_authorized", text)
	}
	return source.overlay(was, now).json()
}

// carried is an imported object that is kept unchanged.
type carried struct {
	place  place
	source captable.Source
	date   captable.Date
	about  string // the referenced security_id, if any
	// kind is the object_type of a transaction; id is its id.
	kind, id string
	// issuer and limit are set for an adjustment of an issuer's authorized shares.
	issuer string
	limit  captable.Authorized
}

func (x *Exporter) carry(e captable.ObjectCarried) {
	c := &carried{place: x.place(&e.Source), source: e.Source}
	var object struct {
		Date       string `json:"date"`
		SecurityID string `json:"security_id"`
		Type       string `json:"object_type"`
		ID         string `json:"id"`
		IssuerID   string `json:"issuer_id"`
		Authorized any    `json:"new_shares_authorized"`
	}
	if e.Source.File == fileTransactions && json.Unmarshal(e.Source.Object, &object) == nil {
		c.date, _ = exact.ParseDate(object.Date)
		c.about, c.kind, c.id, c.issuer = object.SecurityID, object.Type, object.ID, object.IssuerID
		text, _ := object.Authorized.(string)
		c.limit = statedLimit(text)
	}
	x.carried = append(x.carried, c)
}
