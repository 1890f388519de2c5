package ocf

import (
	"strconv"
	"strings"
)

// toSecurity is the target of references to a security, whatever its issuance type.
const toSecurity = "security"

// references returns the reference fields with their target types. A field name has the same
// meaning in every object.
func references() map[string]string {
	all := map[string]string{}
	for names, target := range map[string]string{
		"stakeholder_id":   typeStakeholder,
		"stock_legend_ids": typeLegend,
		"stock_class_id stock_class_ids converts_to_stock_class_id include_stock_class_ids": typeClass,
		"stock_plan_id include_stock_plans_ids":                                             typePlan,
		"vesting_terms_id":                                                                  typeVesting,
		"split_transaction_id":                                                              typeSplit,
		"issuer_id":                                                                         typeIssuer,
		"security_id security_ids balance_security_id resulting_security_id resulting_security_ids include_security_ids exclude_security_ids": toSecurity,
	} {
		for name := range strings.FieldsSeq(names) {
			all[name] = target
		}
	}
	return all
}

// checkReferences reports references to objects that are not in the package.
func (r *reader) checkReferences() {
	targets := references()
	for _, o := range r.objects {
		r.checkReferencesOf(o, targets)
	}
}

func (r *reader) checkReferencesOf(o *Object, targets map[string]string) {
	var found notes
	o.values = o.decoded()
	defer func() { o.values = nil }()
	check := func(pointer, target, id string) {
		if !r.exists(target, id) {
			found.refuse(o, pointer, codeDangling, "There is no "+describe(target)+" with the id "+quote(id)+" in the package.")
		}
	}
	walk(o.decoded(), func(pointer, name string, value any) bool {
		target := targets[name]
		if target == "" {
			return true
		}
		switch value := value.(type) {
		case string:
			check(pointer, target, value)
		case []any:
			for i, id := range texts(value) {
				check(pointer+"/"+strconv.Itoa(i), target, id)
			}
		default:
			found.refuse(o, pointer, codeWrongType, "The reference must be a text.")
		}
		return false
	})
	r.checkTyped(o, check)
	r.findings.addSorted(found.all)
}

// checkTyped checks references that state their target type, and those of a financing to
// issuances of any kind.
func (r *reader) checkTyped(o *Object, check func(pointer, target, id string)) {
	walk(o.decoded(), func(pointer, _ string, value any) bool {
		inner, ok := value.(map[string]any)
		if !ok {
			return true
		}
		for _, prefix := range []string{"", "parent_"} {
			target, _ := inner[prefix+"object_type"].(string)
			if id, _ := inner[prefix+"object_id"].(string); id != "" && target != "" {
				check(pointer+"/"+prefix+"object_id", target, id)
			}
		}
		return true
	})
	if o.Type != typeFinancing {
		return
	}
	for i, id := range o.texts("issuance_ids") {
		found := false
		for _, family := range []string{"STOCK", "CONVERTIBLE", "WARRANT", "EQUITY_COMPENSATION", "PLAN_SECURITY"} {
			found = found || r.exists("TX_"+family+"_ISSUANCE", id)
		}
		if !found {
			check("/issuance_ids/"+strconv.Itoa(i), "issuance", id)
		}
	}
}

func (r *reader) exists(target, id string) bool {
	switch target {
	case toSecurity:
		return r.issued[id] != nil
	case typeIssuer:
		return r.pack.Issuer.ID == id
	default:
		return r.byID[typedID{target, id}] != nil
	}
}

// describe returns an object type in words.
func describe(target string) string {
	return strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(target, "TX_"), "_", " "))
}

func texts(list []any) []string {
	texts := make([]string, 0, len(list))
	for _, value := range list {
		text, _ := value.(string)
		texts = append(texts, text)
	}
	return texts
}
