package ocf

import (
	"cmp"
	"encoding/json"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"equity/captable"
)

// Package is the content of a package in the terms of the cap table. It is immutable after
// [Package.Prepare] and may be entered into any number of cap tables.
type Package struct {
	// Version is the format version stated by the package.
	Version string
	// Manifest is the manifest without its issuer and file lists.
	Manifest json.RawMessage
	Issuer   Issuer
	// Stakeholders holds the valid stakeholders in the order of the package.
	Stakeholders []Stakeholder
	// Carried holds the objects that the cap table keeps unchanged.
	Carried []captable.Source
	// Objects is the number of objects of the package.
	Objects int

	findings   Findings
	contents   []Contents
	steps      []*step
	failed     map[key]bool   // objects that are not created because of a finding
	currencies map[string]int // frequency of the currencies of share prices
	// written holds the days whose transactions took place in the order of the package.
	written map[captable.Date]bool
	// dailyLimits is set if the manifest states that limits hold at the end of each day.
	dailyLimits bool
}

// Findings returns the findings that [Read] returned with the package.
func (p *Package) Findings() Findings { return slices.Clone(p.findings) }

// reader holds the state of reading one package.
type reader struct {
	pack     *Package
	fsys     fs.FS
	findings notes
	limits   Limits
	dir      string // directory of the manifest
	lists    [][]listed
	kinds    map[string]kind
	prims    map[string]primitive
	kept     keeping
	objects  []*Object
	arena    arena
	// byID maps a type and id to an object; issued maps a security to its issuance.
	byID   map[typedID]*Object
	issued map[string]*Object
	// madeBy maps a result or balance security to its transaction.
	madeBy map[string]*Object
	// issuerLimit is the initial limit of the issuer.
	issuerLimit captable.Authorized
}

type typedID struct{ kind, id string }

// Read reads a package from a folder or an archive: the manifest, all listed files, and all
// their objects. It never fails. Problems are findings, and the package holds all readable
// content within the [DefaultLimits]. The findings cover contradictions within the package;
// [Package.Enter] reports violations of cap table rules.
func Read(fsys fs.FS) (*Package, Findings) { return ReadWithin(fsys, DefaultLimits()) }

// ReadWithin is like [Read] but uses the given limits.
func ReadWithin(fsys fs.FS, limits Limits) (*Package, Findings) {
	var findings notes
	files, within := load(fsys, limits, &findings, &counting{to: io.Discard})
	return read(fsys, limits, findings, files, within)
}

// read reads the objects of the loaded files of a package.
func read(fsys fs.FS, limits Limits, findings notes, files []*file, within bool) (*Package, Findings) {
	r := &reader{
		pack: &Package{}, fsys: fsys, limits: limits, kinds: kinds(), prims: primitives(),
		kept: keeping{keptFields(), map[typedField]*keptField{}},
		byID: map[typedID]*Object{}, issued: map[string]*Object{}, madeBy: map[string]*Object{},
		issuerLimit: captable.Authorized{Unlimited: true}, findings: findings,
	}
	if within && r.manifest(files) != nil {
		r.readObjects(r.pick(files))
		for _, f := range files {
			if !f.taken {
				r.findings.file(Warn, f.path, codeFileUnlisted, "The manifest does not list the file; it was not read.")
			}
		}
		r.checkReferences()
		r.checkLives()
		r.pack.contents = r.contents()
		r.translate()
	}
	r.pack.findings = slices.Clip(r.findings.all)
	return r.pack, r.pack.Findings()
}

// readObjects reads the objects of all files in manifest order. Exports use the same order.
func (r *reader) readObjects(picked [][]*file) {
	for i, l := range listings() {
		for j, f := range picked[i] {
			if r.check(f, r.lists[i][j], l) && !r.readFile(f) {
				return
			}
		}
	}
	r.kept.report(&r.findings)
	r.pack.Objects = len(r.objects)
}

// readFile reads the objects of one file. It reports false if the package has too many objects.
func (r *reader) readFile(f *file) (within bool) {
	within = true
	err := reading(r.fsys, f.path, func(content io.Reader) error {
		return f.objects(content, func(at int, raw json.RawMessage) bool {
			if within = len(r.objects) < r.limits.Objects; within {
				r.readObject(f, at, raw)
			}
			return within
		})
	})
	switch {
	case err != nil: // the file was readable before
		r.findings.file(Refuse, f.path, codeUnreadable, "The file cannot be read.")
	case !within:
		r.findings.file(Refuse, f.path, codeTooMany, "The package has more than "+strconv.Itoa(r.limits.Objects)+" objects.")
	}
	return within
}

// readObject reads one object and indexes it by type and id. A refused object stays in the
// list, so that indexes match positions in the package.
func (r *reader) readObject(f *file, at int, raw json.RawMessage) {
	o := &Object{File: f.kind, Order: len(r.objects), path: f.path}
	r.objects = append(r.objects, o)
	values, ok := decodeValues(raw)
	if kept, err := r.arena.keep(raw); err == nil {
		o.Raw = kept
	}
	if !ok {
		r.findings.refuse(o, "/items/"+strconv.Itoa(at), codeWrongType, "The value must be an object.")
		return
	}
	o.index()
	o.values = values
	defer func() { o.values = nil }()
	o.Type, o.ID = o.text("object_type"), o.text("id")
	known, ok := r.kinds[o.Type]
	if ok {
		o.Type = known.name
	}
	switch {
	case o.Type == "" || o.ID == "":
		r.findings.refuse(o, "/items/"+strconv.Itoa(at), codeRequired, "An object must have an id and an object_type.")
		return
	case !ok:
		r.findings.refuse(o, "/object_type", codeUnknownType, "The format has no objects of the type "+quote(o.Type)+".")
		return
	case known.file != f.kind:
		r.findings.refuse(o, "/object_type", codeWrongFile, "Objects of this type must be in a file of the type "+known.file+".")
		return
	}
	if _, taken := r.byID[typedID{o.Type, o.ID}]; taken {
		r.findings.refuse(o, "/id", codeDuplicateID, "The id must be unique: another object of this type has it.")
	} else {
		r.byID[typedID{o.Type, o.ID}] = o
	}
	r.checkFields(o, known)
	if _, effect := effectOf(o.Type); effect == "ISSUANCE" {
		r.register(o)
	}
}

func (r *reader) register(o *Object) {
	security := o.text("security_id")
	switch {
	case security == "":
		if !o.refused {
			r.findings.refuse(o, "/security_id", codeRequired, "An issuance must name the security that it makes.")
		}
	case r.issued[security] != nil:
		r.findings.refuse(o, "/security_id", codeDuplicateSecurity, "The security_id must be unique: another issuance has it.")
	default:
		r.issued[security] = o
	}
}

// checkFields reports missing, unknown and malformed fields of one object in name order.
func (r *reader) checkFields(o *Object, known kind) {
	var found notes
	for _, name := range known.required {
		if isNone(o.value(name)) {
			found.refuse(o, "/"+name, codeRequired, "This field is required.")
		}
	}
	for _, name := range known.expected {
		if o.value(name) == nil {
			found.warn(o, "/"+name, codeMissingField, "The format asks for this field.")
		}
	}
	for name := range o.decoded() {
		if known.fields != nil && !known.fields[name] {
			found.warn(o, "/"+name, codeUnknownField, "The format has no such field; it is kept as it is.")
		}
	}
	walk(o.decoded(), func(pointer, name string, value any) bool {
		r.kept.note(o, pointer, name, value)
		check := r.prims[name]
		if check == nil {
			return true
		}
		if code, message := check(value); code != "" {
			found.refuse(o, pointer, code, message)
		}
		return false
	})
	r.checkValues(o, &found)
	r.checkDirection(o, &found)
	r.findings.addSorted(found.all)
}

// checkValues reports violations of type-specific rules beyond the primitive types.
func (r *reader) checkValues(o *Object, found *notes) {
	oneOf := func(name string, values ...string) {
		if text := o.text(name); !isNone(o.value(name)) && !slices.Contains(values, text) {
			found.refuse(o, "/"+name, codeEnum, "The value must be one of "+strings.Join(values, ", ")+".")
		}
	}
	texts := func(names ...string) {
		for _, name := range names {
			if _, ok := o.value(name).(string); !ok && o.value(name) != nil {
				found.refuse(o, "/"+name, codeWrongType, "The value must be a text.")
			}
		}
	}
	switch o.Type {
	case typeStakeholder:
		oneOf("stakeholder_type", "INDIVIDUAL", "INSTITUTION")
		if legalName(o) == "" && o.value("name") != nil {
			found.refuse(o, "/name/legal_name", codeRequired, "A stakeholder must have a legal name.")
		}
	case typeClass:
		texts("name")
		oneOf("class_type", "COMMON", "PREFERRED")
		if seniority := o.value("seniority"); !isNone(seniority) {
			if code, message := checkNumeric(seniority); code != "" {
				found.refuse(o, "/seniority", code, message)
			}
		}
	case typeLegend:
		texts("name", "text")
	case typeIssuance:
		texts("custom_id")
	}
	for _, name := range []string{"quantity", "quantity_converted"} {
		if number := o.figure(name); number != nil && number.Sign() <= 0 && o.kindKnown(r) {
			found.refuse(o, "/"+name, codeNotPositive, "The quantity must be more than zero.")
		}
	}
}

// kindKnown reports whether the cap table supports objects of this type.
func (o *Object) kindKnown(r *reader) bool { return r.kinds[o.Type].fields != nil }

// byDate compares transactions by date, then by position in the package.
func byDate(a, b *Object) int {
	return cmp.Or(cmp.Compare(a.day(), b.day()), cmp.Compare(a.Order, b.Order))
}
