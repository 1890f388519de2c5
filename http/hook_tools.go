package http

import (
	"equity/http/api"
	"equity/messages"
)

// hookComponent is the name of the member as which hooks read.
const hookComponent = "hooks"

// HookTools returns the tools of a run of a hook, which reads with the rights of its token.
func (s *Server) HookTools(source messages.HookSource, run string) messages.Toolbox {
	caller := api.Caller{Component: hookComponent, HookToken: source.Token}
	return api.LimitedTools(s.Kernel, s.toolAdmission, s.toolLimits, caller, source.Organization, run)
}
