package http

import (
	"context"
	"errors"
)

// importHandlers is the table of what can be brought in.
func (s *Server) importHandlers() map[string]Handler {
	return map[string]Handler{"importPackage": s.importPackage}
}

func (s *Server) importPackage(context.Context, *Call) (Answer, error) { return Answer{}, errors.ErrUnsupported }

func (s *Server) exportPackage(context.Context, *Call) ([]byte, error) { return nil, errors.ErrUnsupported }
