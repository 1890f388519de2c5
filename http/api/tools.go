package api

import (
	"context"
	"slices"

	"equity/messages"
	"equity/organization"
)

// declaredTool is the part of a tool that is the same for all callers.
type declaredTool struct {
	messages.Tool
	secrets *secretFields // of the answer
}

// ToolCaller is the caller of tools.
type ToolCaller struct {
	Caller
	// Organization confines the calls; the zero ID permits all organizations of the caller.
	Organization organization.ID
	// Admit counts a call that reads or previews, and may refuse it; nil counts none.
	Admit func(ctx context.Context, in organization.ID, class messages.ToolClass) error
	// Origin is that of the changes; empty for the assistant.
	Origin messages.Origin
}

// Tools returns the tools that the caller may call in the organization, in the order of their names. A tool is listed if a record might
// exist for which its operation is permitted.
func (t *Toolbox) Tools(ctx context.Context) ([]messages.Tool, error) {
	s, by := t.kernel, t.by
	seen := &Call{Caller: by.Caller, path: map[string]string{}}
	if !by.Organization.IsZero() {
		if err := s.enter(ctx, seen, by.Organization, NotMember()); err != nil {
			return nil, err
		}
	}
	var found []messages.Tool
	for _, op := range s.Operations() {
		if op.tool == nil || op.Off {
			continue
		}
		asked := *seen
		asked.Operation = op
		if s.admit(&asked) == nil && op.mayPermit(&asked, by.Organization.IsZero()) {
			found = append(found, op.tool.Tool)
		}
	}
	return found, nil
}

// mayPermit reports whether the caller could be permitted for some record. Without an organization, the roles are unknown.
func (op *Operation) mayPermit(c *Call, anyOrganization bool) bool {
	if op.guard == nil || anyOrganization && op.Permission != permissionSite {
		return true
	}
	if wide := widest()[op.Permission]; wide != nil {
		return wide(c)
	}
	return op.guard(c)
}

// widest maps the permissions that depend on a record to their checks for the most favorable record.
func widest() map[string]guard {
	holder := holds(organization.ViewCapTable, organization.ViewSelf)
	equity := holds(organization.EditCapTable, organization.EditIncentivePlan)
	return map[string]guard{
		"canViewProfile":             anyRole,
		"canUpdateProfile":           anyRole,
		"canUpdateRecord(Addresses)": anyRole,
		"canViewHolding":             holder,
		"canViewOption":              holder,
		"canViewOptionOld":           holder,
		"canEditExerciseOption": func(c *Call) bool {
			return c.Can(organization.EditIncentivePlan) || c.Operation.owner && c.Can(organization.ViewSelf)
		},
		"canEditHolding":   equity,
		"canAcceptHolding": either(equity, holds(organization.ViewSelf)),
		"canEdit":          equity,
		"canViewMember":    holds(organization.ViewMembers, organization.ViewSelf),
	}
}

// Tool returns the declaration of a tool; false if the operation is none or is switched off.
func (t *Toolbox) Tool(name string) (messages.Tool, bool) {
	op := t.kernel.operations[name]
	if op == nil || op.Off || op.tool == nil {
		return messages.Tool{}, false
	}
	return op.tool.Tool, true
}

// ConfirmsAlways reports whether a person confirms each call of the operation as a tool under every setting.
func (op *Operation) ConfirmsAlways() bool { return op != nil && op.confirm == confirmAlways }

// isTool reports whether the operation can be a tool. Tools answer with JSON, and take no files.
func (op *Operation) isTool() bool {
	if op.agent == "" || op.onlyFiles || op.onlyEvents || op.sendsContent || op.ID == queryOperation {
		return false
	}
	return op.body == nil || op.body.json != nil
}

// excludedParameter reports whether a tool call sets the parameter itself.
func excludedParameter(name string) bool { return slices.Contains([]string{"dryRun", "format"}, name) }
