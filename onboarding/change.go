package onboarding

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// addable returns the operation that creates a kind of items; empty for other kinds.
func addable(kind string) string {
	return map[string]string{
		kindSecurity: createSecurity, kindSchedule: createSchedule, kindMember: addMember, kindPlan: createPlan,
		kindShareholding: issueShareholding,
		kindConvertible:  createHolding, kindFolder: createFolder,
	}[kind]
}

// added adds the items of the user, in the order in which the build needs them.
func (p *planner) added() {
	for _, one := range p.of.Added {
		p.items = append(p.items, messages.PlanItem{
			ID: one.ID, Kind: one.Kind, Operation: addable(one.Kind), Fields: one.Fields, Source: fromCorrection, Confidence: high,
			Warnings: []messages.PlanWarning{},
		})
	}
	order := []string{
		kindOrganization, kindPackage, kindSecurity, kindSchedule, kindMember, kindPlan, kindShareholding, kindConvertible, kindFolder,
	}
	slices.SortStableFunc(p.items, func(a, b messages.PlanItem) int { return slices.Index(order, a.Kind) - slices.Index(order, b.Kind) })
}

var (
	errPackageAlone = fault.Refuse(fault.Conflict, "A package is imported as it is. Attach another one.")
	errNeeded       = fault.Refuse(fault.Conflict, "The company itself cannot be removed from its plan.")
	errTooManyItems = fault.Refuse(fault.Conflict, "A plan has at most 500 records. Import the others into the built company.")
)

// Add adds an item. Its body must be valid, and the sums must hold. The item of the organization is the default of the field organization.
func (s *Service) Add(
	ctx context.Context, id messages.OnboardingID, user organization.UserID, given messages.AddedItem,
) (item messages.PlanItem, err error) {
	_, err = s.changeOwn(ctx, id, user, func(o *messages.Onboarding) error {
		if err := s.editable(o); err != nil {
			return err
		}
		operation := addable(given.Kind)
		switch {
		case operation == "":
			return &fault.Error{
				Code: fault.Invalid, Message: "Records of this kind cannot be added.",
				Fields: fault.Fields{{Pointer: "/kind", Code: "unknownKind", Message: "It is not a kind of records."}},
			}
		case o.Facts.Package != "":
			return errPackageAlone
		case len(o.Items) >= maxItems:
			return errTooManyItems
		}
		if given.Fields, err = within(o, operation, given.Fields); err != nil {
			return err
		}
		if faults := s.contract.CheckBody(operation, given.Fields); len(faults) > 0 {
			return below("/fields", "The added record is invalid.", faults)
		}
		before := len(exceeded(o.Items))
		o.Added = append(o.Added, given)
		s.replanChanged(o)
		if faults := exceeded(o.Items); len(faults) > before {
			faults[0].Pointer = "/shares"
			return below("/fields", "The changed plan is invalid.", faults[:1])
		}
		item = o.Items[indexOf(o.Items, given.ID)]
		return nil
	})
	return item, err
}

// within returns the fields with the item of the organization, if the operation needs one that is not given.
func within(o *messages.Onboarding, operation string, fields json.RawMessage) (json.RawMessage, error) {
	if operation != createHolding && operation != createSchedule {
		return fields, nil
	}
	value, err := exactJSON(fields)
	object, isObject := value.(map[string]any)
	if err != nil || !isObject || object["organization"] != nil {
		return fields, nil //nolint:nilerr // the check of the body names the fault
	}
	object["organization"] = o.Items[0].ID
	return json.Marshal(object)
}

// below returns an error with faults of a part of a body.
func below(pointer, text string, faults fault.Fields) error {
	placed := slices.Clone(faults)
	for i := range placed {
		placed[i].Pointer = pointer + placed[i].Pointer
	}
	return &fault.Error{Code: fault.Invalid, Message: text, Fields: placed}
}

// Remove removes an item that no other item needs.
func (s *Service) Remove(
	ctx context.Context, id messages.OnboardingID, user organization.UserID, item string,
) (messages.Onboarding, error) {
	return s.changeOwn(ctx, id, user, func(o *messages.Onboarding) error {
		if err := s.editable(o); err != nil {
			return err
		}
		at := indexOf(o.Items, item)
		if at < 0 {
			return errNoItem
		}
		if _, built := created(o, item); built {
			return messages.ErrOnboardingBuilt
		}
		switch o.Items[at].Kind {
		case kindOrganization:
			return errNeeded
		case kindPackage:
			return errPackageAlone
		}
		if needing := needing(o.Items, item); len(needing) > 0 {
			return fault.Refuse(fault.InUse, "Change or remove the records that need it first: "+strings.Join(needing, "; ")+".")
		}
		o.Added = slices.DeleteFunc(o.Added, func(one messages.AddedItem) bool { return one.ID == item })
		o.Failed = slices.DeleteFunc(o.Failed, func(one messages.FailedItem) bool { return one.Item == item })
		o.Removed = append(o.Removed, item)
		s.replanChanged(o)
		return nil
	})
}

// needing returns the titles of the items that refer to an item.
func needing(items []messages.PlanItem, id string) []string {
	var all []string
	for _, one := range items {
		if strings.Contains(string(one.Fields), `"`+id+`"`) {
			all = append(all, one.Title)
		}
	}
	return all
}

// replanChanged derives a plan again that the user changed. A partly built one stays built.
func (s *Service) replanChanged(o *messages.Onboarding) {
	state := o.Status
	if s.replan(o); state == messages.OnboardingBuilt {
		o.Status = state
	}
}
