package ocf

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
)

// Limits of the shown objects of a type.
const (
	maxShown      = 20
	maxShownBytes = 16 << 10
)

// Contents are the objects of a type in a package, for the person who decides about its import.
type Contents struct {
	Type string `json:"type"`
	// Count is the number of all objects of the type.
	Count int `json:"count"`
	// Shown are the first 20 of them, in the order of the package. Those beyond 16 KiB of the type are omitted.
	Shown []Content `json:"shown"`
}

// Content is an object of a package.
type Content struct {
	// Pointer is its place, as in findings.
	Pointer string          `json:"pointer"`
	Object  json.RawMessage `json:"object"`
	// Names are the records that the object refers to, by the pointer of the reference.
	Names map[string]Named `json:"names,omitempty"`
}

// Named is a record of a package: its kind in words and its name.
type Named struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
}

// contents returns the objects of the package by type, in the order of their first objects. The issuer comes first.
func (r *reader) contents() []Contents {
	all := []Contents{{Type: typeIssuer, Count: 1, Shown: []Content{}}}
	if issuer := r.pack.Issuer; len(issuer.Raw) <= maxShownBytes {
		all[0].Shown = []Content{{Pointer: Finding{ObjectType: typeIssuer, ObjectID: issuer.ID}.FieldError().Pointer, Object: issuer.Raw}}
	}
	places, sizes := map[string]int{}, map[string]int{}
	for _, o := range r.objects {
		at, known := places[o.Type]
		if !known {
			at = len(all)
			places[o.Type] = at
			all = append(all, Contents{Type: o.Type, Shown: []Content{}})
		}
		all[at].Count++
		if sizes[o.Type] += len(o.Raw); all[at].Count > maxShown || sizes[o.Type] > maxShownBytes {
			continue
		}
		all[at].Shown = append(all[at].Shown, Content{
			Pointer: Finding{ObjectType: o.Type, ObjectID: o.ID}.FieldError().Pointer, Object: bytes.Clone(o.Raw), Names: r.namesIn(o),
		})
	}
	return all
}

// namesIn returns the records that the object refers to.
func (r *reader) namesIn(o *Object) map[string]Named {
	found, targets := map[string]Named{}, references()
	enter := func(pointer, target, id string) {
		to := r.byID[typedID{target, id}]
		if target == toSecurity {
			to = r.issued[id]
		}
		if to != nil {
			found[pointer] = Named{describe(target), r.nameOf(to)}
		}
	}
	walk(o.decoded(), func(pointer, name string, value any) bool {
		switch value := value.(type) {
		case string:
			enter(pointer, targets[name], value)
		case []any:
			for i, id := range texts(value) {
				enter(pointer+"/"+strconv.Itoa(i), targets[name], id)
			}
		}
		return true
	})
	return found
}

// nameOf returns the name of an object; for a security, its number and its holder.
func (r *reader) nameOf(o *Object) string {
	if holder := r.byID[typedID{typeStakeholder, o.text("stakeholder_id")}]; holder != nil && isTransaction(o.Type) {
		return o.text("custom_id") + ", " + holder.name()
	}
	return o.name()
}

// name returns the name of the object, or its id.
func (o *Object) name() string {
	names, _ := o.value("name").(map[string]any)
	legal, _ := names["legal_name"].(string)
	return cmp.Or(legal, o.text("name"), o.text("plan_name"), o.ID)
}

// Contents returns the objects of the package by type.
func (p *Package) Contents() []Contents { return slices.Clone(p.contents) }
