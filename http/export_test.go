package http

import (
	"context"
	"net/http"
	"strconv"
	"time"

	httpaccount "equity/http/account"
	"equity/http/admission"
	"equity/http/api"
	"equity/http/letter"
	"equity/http/oauth"
	"equity/http/pages"
)

// NewServerOf returns a server with another contract and other handlers.
func NewServerOf(document []byte, settings Settings, services Services, handlers map[string]api.Handler) (*Server, error) {
	var err error
	if services.Contract, err = api.ReadContract(document); err != nil {
		return nil, err
	}
	return newServer(settings, services, func(_ Settings, kernel *api.Kernel, _ *pages.Pages) error {
		return kernel.Bind([]map[string]api.Handler{handlers})
	})
}

// NewServerWith returns a server with another contract, which has operations of accounts only.
func NewServerWith(
	document []byte, settings Settings, services Services, table func(*httpaccount.Feature) map[string]api.Handler,
) (*Server, error) {
	var err error
	if services.Contract, err = api.ReadContract(document); err != nil {
		return nil, err
	}
	return newServer(settings, services, func(settings Settings, kernel *api.Kernel, _ *pages.Pages) error {
		letters, err := letter.New(settings.PublicURL, services.NewID)
		if err != nil {
			return err
		}
		memberships := services.memberships(kernel, letters)
		return kernel.Bind([]map[string]api.Handler{
			table(services.accounts(settings, kernel, services.users(settings, memberships, letters), memberships)),
		})
	})
}

// FlowOf returns the group and the caller of a request in the queue.
func FlowOf(s *Server, r *http.Request, organization string) (group, caller string) {
	flow := s.flow(&exchange{r: r}, organization)
	return flow.Group, flow.Caller
}

// PathsOutsideContract returns the paths of the router that are no operations of the contract.
func PathsOutsideContract(s *Server) []string {
	paths := append(s.oauth.Paths(), oauth.MCPPath, "/docs", api.Prefix+"/openapi.yaml", api.Prefix+"/openapi.json", "/verify")
	for _, prefix := range pages.Prefixes() {
		paths = append(paths, prefix+"token")
	}
	return paths
}

// TakeSlots occupies free slots of the queue with callers of different organizations.
func TakeSlots(s *Server, slots int) (leave func()) {
	tickets := make([]*admission.Ticket, slots)
	for i := range tickets {
		name := strconv.Itoa(i)
		tickets[i], _ = s.queue.Enter(context.Background(), admission.Flow{Group: name, Caller: name})
	}
	return func() {
		for _, ticket := range tickets {
			ticket.Leave()
		}
	}
}

// RefuseArrivals makes the queue refuse the requests of some flows at their arrival.
func RefuseArrivals(s *Server, refused func(group, caller string) bool) {
	s.refuses = func(flow admission.Flow) (time.Duration, bool) {
		const wait = 1500 * time.Millisecond
		return wait, refused(flow.Group, flow.Caller)
	}
}
