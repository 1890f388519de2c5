package http

import (
	"equity/http/api"
	"equity/messages"
	"equity/organization"
)

// hookComponent is the name of the member as which hooks read.
const hookComponent = "hooks"

// HookTools returns the tools of a run of a hook, which reads as an Auditor of the organization.
func (s *Server) HookTools(in organization.ID, run string) messages.Toolbox {
	return api.LimitedTools(s.Kernel, s.toolAdmission, s.toolLimits, api.Caller{Component: hookComponent}, in, run)
}
