package main

import (
	"context"
	"net/http"

	equityhttp "equity/http"
	"equity/organization"
	"equity/persistence/session"
)

// webSessions shows the session store as the web wants it.
type webSessions struct{ *session.Store }

func (s webSessions) Load(r *http.Request) (equityhttp.Session, bool, error) {
	found, ok, err := s.Store.Load(r)
	return equityhttp.Session{
		User: found.User, SiteAdmin: found.SiteAdmin, MustChangePassword: found.MustChangePassword,
		Handle: found.Handle(), Token: found.Token,
	}, ok, err
}

func (s webSessions) Refresh(w http.ResponseWriter, kept equityhttp.Session) {
	s.Store.Refresh(w, session.Session{Token: kept.Token})
}

func (s webSessions) Create(w http.ResponseWriter, r *http.Request, in equityhttp.SignIn) error {
	_, err := s.Store.Create(w, r, session.Grant(in))
	return err
}

func (s webSessions) List(ctx context.Context, user organization.UserID) ([]equityhttp.ListedSession, error) {
	found, err := s.Store.List(ctx, user)
	list := make([]equityhttp.ListedSession, len(found))
	for i, one := range found {
		list[i] = equityhttp.ListedSession{
			Handle: one.Handle, Address: one.Address, Agent: one.Agent, CreatedAt: one.CreatedAt, SeenAt: one.SeenAt,
		}
	}
	return list, err
}
