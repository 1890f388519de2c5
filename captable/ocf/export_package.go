package ocf

import (
	"bytes"
	"cmp"
	"crypto/md5" //nolint:gosec // the format identifies file content by MD5; it has no security purpose
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"equity/captable"
)

// Cover holds the metadata of an export and data stored outside the journal.
type Cover struct {
	// AsOf is the last day of the package; later transactions are left out. It is required.
	AsOf captable.Date
	// GeneratedAt is the creation time of the package.
	GeneratedAt time.Time
	// KeepVersion keeps the version of the first import. Otherwise the version is [Version],
	// whose schemas the export follows.
	KeepVersion bool
	// Rest is called between objects, so that the caller can interrupt a large export; nil does nothing.
	Rest func()
	// Particulars holds the particulars of the holders, which are stored outside the journal.
	// If nil, they are left out.
	Particulars map[captable.EntityID]map[string]json.RawMessage
}

// object is one object of an export and its position.
type object struct {
	place place
	raw   json.RawMessage
}

// export holds the content of one package.
type export struct {
	*Exporter
	cover  Cover
	files  map[string][]object
	formed captable.Date // date of the first transaction; the default date of formation
	used   map[captable.EntityID]bool
	// issuerLimit is the initial limit of the issuer if it differs from the imported one.
	// adjusted counts its adjustments.
	issuerLimit string
	adjusted    int
}

// Package writes the current state of the journal. It includes the imported members and all
// members that ever held a security. Voided securities are left out together with their
// transactions. Corrected objects are written as corrected.
func (x *Exporter) Package(cover Cover) (*Archive, error) {
	e := &export{Exporter: x, cover: cover, files: map[string][]object{}, formed: cover.AsOf, used: map[captable.EntityID]bool{}}
	e.addTransactions()
	e.addLegends()
	e.addValuations()
	e.addFinancings()
	e.addPlans()
	e.addSchedules()
	for _, c := range x.classes {
		e.add(fileClasses, c.place, x.class(c))
	}
	for entity, h := range x.holders {
		if h.source != nil || e.used[entity] {
			e.add(fileStakeholders, h.place, stakeholder(h, cover.Particulars[entity]))
		}
	}
	return e.archive()
}

func (c *Cover) rest() {
	if c.Rest != nil {
		c.Rest()
	}
}

func (e *export) add(file string, at place, raw json.RawMessage) {
	e.files[file] = append(e.files[file], object{at, raw})
}

func (e *export) happened(date captable.Date) bool {
	if date < e.formed && date != 0 {
		e.formed = date
	}
	return date <= e.cover.AsOf
}

// addTransactions writes the issuances and transactions up to the date of the cover. Voided
// securities and their transactions are left out.
func (e *export) addTransactions() {
	gone := map[string]bool{}
	for _, h := range e.holdings {
		e.cover.rest()
		if h.voided {
			gone[h.id] = true
			continue
		}
		if e.happened(h.now.IssueDate) {
			e.used[h.now.Entity] = true
			e.add(fileTransactions, h.place, e.issuance(h))
			e.addStart(h)
		}
	}
	e.addGrants(gone)
	e.addLapses()
	e.addInstruments(gone)
	stated := map[place]bool{} // one imported transaction can cause several events
	for _, t := range e.transactions {
		if t.wanted != nil && !t.wanted() || t.grant != nil && t.grant.voided {
			continue
		}
		voided := slices.ContainsFunc(
			t.about, func(id captable.ShareholdingID) bool { return e.holdings[id] == nil || e.holdings[id].voided },
		)
		_, there := e.classes[t.class]
		if voided || !there && !t.class.IsZero() || !e.isPlan(t.plan) || !e.happened(t.date) {
			continue
		}
		switch {
		case t.source != nil && stated[t.place]:
		case t.source != nil:
			stated[t.place] = true
			e.add(fileTransactions, t.place, t.source.Object)
		default:
			e.add(fileTransactions, t.place, encoded(t.object()))
		}
	}
	for _, c := range e.classes {
		e.addLimits(c)
	}
	e.issuerLimit = e.addIssuerLimits()
	for _, c := range e.carried {
		if c.kind == typeIssuerLimit {
			continue
		}
		if c.date == 0 || e.happened(c.date) && !gone[c.about] {
			e.add(c.source.File, c.place, c.source.Object)
		}
	}
}

// addLimits writes the limits after the initial one.
func (e *export) addLimits(c *class) {
	initial := c.initial()
	for i := initial + 1; i < len(c.limits); i++ {
		l := c.limits[i]
		if l.isImplied(c.limits[i-1].total) || !e.happened(l.date) {
			continue
		}
		object := func(total captable.Authorized) authorizedObject {
			return authorizedObject{l.id, typeAuthorized, l.date, c.id, total.Shares, l.board, l.stockholder}
		}
		e.add(fileTransactions, l.place, written(l.source, l.total != l.was, object(l.was), object(l.total)))
	}
}

// recorded reports whether any transaction was recorded here, in contrast to an import.
func (e *export) recorded() bool {
	return slices.ContainsFunc(e.files[fileTransactions], func(o object) bool { return o.place.batch%2 == 1 })
}

// archive groups the objects into files and adds the manifest.
func (e *export) archive() (*Archive, error) {
	manifest, err := parseRecord(e.manifest)
	if err != nil {
		manifest = &record{}
	}
	version := Version
	if e.cover.KeepVersion && e.version != "" {
		version = e.version
	}
	for _, f := range []struct{ name, text string }{
		{"ocf_version", version},
		{"file_type", fileManifest},
		{"as_of", e.cover.AsOf.String()},
		{"generated_at", e.cover.GeneratedAt.UTC().Format(time.RFC3339)},
	} {
		quoted, _ := json.Marshal(f.text) //nolint:errchkjson // strings always marshal
		manifest.set(f.name, quoted)
	}
	if comments := commentsOf(manifest); e.recorded() && !slices.Contains(comments, commentLimits) {
		text, _ := json.Marshal(append(comments, commentLimits)) //nolint:errchkjson // strings always marshal
		manifest.set("comments", text)
	}
	manifest.set("issuer", e.issuer.json(e.formed, e.issuerLimit))
	archive := &Archive{}
	for _, l := range listings() {
		objects := e.files[l.file]
		slices.SortFunc(objects, func(a, b object) int {
			return cmp.Or(cmp.Compare(a.place.batch, b.place.batch), cmp.Compare(a.place.order, b.place.order))
		})
		list := []listed{}
		if len(objects) > 0 {
			file, sum := File{Name: l.name}, md5.New() //nolint:gosec // see the import
			err := file.fill(func(w io.Writer) error { return writeObjects(w, l.file, objects, e.cover.rest) }, sum)
			if err != nil {
				return nil, fmt.Errorf("write a package: %w", err)
			}
			delete(e.files, l.file) // the objects are no longer needed
			list = append(list, listed{Filepath: "./" + l.name, MD5: hex.EncodeToString(sum.Sum(nil))})
			archive.Files = append(archive.Files, file)
		}
		if l.required || len(list) > 0 {
			text, _ := json.Marshal(list) //nolint:errchkjson // strings always marshal
			manifest.set(l.key, text)
		}
	}
	var content bytes.Buffer
	if err := json.Indent(&content, manifest.json(), "", "  "); err != nil {
		return nil, fmt.Errorf("write a package: %w", err)
	}
	content.WriteByte('\n')
	archive.Sum = sha256.Sum256(content.Bytes())
	first := File{Name: "Manifest.ocf.json"}
	err = first.fill(func(w io.Writer) error {
		_, err := w.Write(content.Bytes())
		return err
	}, io.Discard)
	if err != nil {
		return nil, fmt.Errorf("write a package: %w", err)
	}
	archive.Files = append([]File{first}, archive.Files...)
	return archive, nil
}
