package http

import (
	"equity/http/api"
	"equity/messages"
	"equity/organization"
)

// ComponentTools returns the tools of a component of the server for one request. It reads in the organization with the rights of the reader
// that reads returns; false permits nothing.
func (s *Server) ComponentTools(
	component string, in organization.ID, requestID string, reads func(*organization.State) (organization.Reader, bool),
) messages.Toolbox {
	return api.LimitedTools(s.Kernel, s.toolAdmission, s.toolLimits, api.Caller{Component: component, Reads: reads}, in, requestID)
}
