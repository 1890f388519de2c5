package drive

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"time"

	"golang.org/x/oauth2"

	"equity/fault"
	"equity/features/drive/connection"
	"equity/messages"
	"equity/organization"
)

// Service is the name of the outside service in messages to users.
const Service = "The cloud drive"

// Cursors makes consumers due.
type Cursors interface {
	// Arm makes an instance of a consumer due. Head is the end of the journal.
	Arm(ctx context.Context, id organization.ID, name string, head uint64, now time.Time) error
}

// Engine has the operations of users on the drive of their organization. It is safe for concurrent use.
type Engine struct {
	*service
	cursors Cursors
	wake    func(id organization.ID, name string)
}

// NewEngine returns the Engine of the consumer. Wake wakes an instance of a consumer and does not wait.
func NewEngine(c *Consumer, cursors Cursors, wake func(id organization.ID, name string)) *Engine {
	return &Engine{&c.service, cursors, wake}
}

// requestTime is the time for which a request for an authorization is open.
const requestTime = 10 * time.Minute

// AuthURL returns the address at which the user permits the access.
func (e *Engine) AuthURL(ctx context.Context, id organization.ID, user organization.UserID) (string, error) {
	request := Request{
		Nonce: rand.Text(), Organization: id, User: user, Verifier: oauth2.GenerateVerifier(), CreatedAt: e.Now(),
		ExpiresAt: e.Now().Add(requestTime),
	}
	state, err := e.sign(&request)
	if err != nil {
		return "", err
	}
	if err := e.Store.AddRequest(ctx, request); err != nil {
		return "", messages.Unreachable("The store", err)
	}
	return e.Client.AuthURL(state, request.Verifier), nil
}

// Authorize redeems the authorization code of a user, and stores the account under the present connection, or under a new one.
func (e *Engine) Authorize(
	ctx context.Context, view *messages.View, user organization.UserID, code, state string,
) (Account, error) {
	request, err := e.request(ctx, view.State.ID(), user, state)
	if err != nil {
		return Account{}, err
	}
	token, err := e.Client.Exchange(ctx, code, request.Verifier)
	if errors.Is(err, ErrCode) {
		return Account{}, fault.Refuse(
			connection.CodeInvalidCode, "The drive does not accept the code. Request a new address and permit the access again.",
		)
	}
	if err != nil {
		return Account{}, answer(err)
	}
	account := Account{Organization: view.State.ID(), Connection: e.NewID()}
	if account.Email, err = e.Client.Account(ctx, token); err != nil {
		return Account{}, answer(err)
	}
	if account.Token, err = json.Marshal(token); err != nil {
		return Account{}, err
	}
	before, connected, err := e.account(ctx, view)
	if err != nil {
		return Account{}, messages.Unreachable("The store", err)
	}
	if present, ok := connection.Of(view.State).Connection(); ok {
		account.Connection = present.ID
	}
	if connected && before.Email != account.Email { // page tokens belong to an account
		if err := e.Store.Forget(ctx, account.Organization, connection.SyncID{}, e.Now()); err != nil {
			return Account{}, messages.Unreachable("The store", err)
		}
	}
	return account, e.Assign(ctx, account, user)
}

// Assign stores the account of a connection, and ends the open requests of the user.
func (e *Engine) Assign(ctx context.Context, account Account, user organization.UserID) error {
	account.User = user
	if err := e.Store.SetAccount(ctx, account, e.Now()); err != nil {
		return messages.Unreachable("The store", err)
	}
	if err := e.Store.EndRequests(ctx, account.Organization, user); err != nil {
		return messages.Unreachable("The store", err)
	}
	return messages.Unreachable("The store", e.rouse(ctx, account.Organization))
}

// request returns the open request with the state, or the latest one of the user if the state is empty.
func (e *Engine) request(ctx context.Context, id organization.ID, user organization.UserID, state string) (Request, error) {
	none := fault.Refuse(connection.CodeNoAuthorization, "You have no open request for an authorization. Request an address first.")
	nonce := ""
	if state != "" {
		verified, ok := e.verify(state, id, user)
		if !ok {
			return Request{}, none
		}
		nonce = verified
	}
	found, exists, err := e.Store.Request(ctx, id, user, nonce, e.Now())
	if err != nil {
		return Request{}, messages.Unreachable("The store", err)
	}
	if !exists {
		return Request{}, none
	}
	return found, nil
}

// Release ends the access of an ended connection and erases its tokens. If the drive cannot be called, the consumer repeats it.
func (e *Engine) Release(ctx context.Context, id organization.ID, ended connection.ID) {
	if err := e.release(ctx, id, ended); err != nil && ctx.Err() == nil {
		e.Log.Warn("the access to a drive is ended later", "organization", id.String(), "cause", err)
	}
}

// rouse makes the consumer of the organization due.
func (e *Engine) rouse(ctx context.Context, id organization.ID) error {
	if err := e.cursors.Arm(ctx, id, consumerName, 0, e.Now()); err != nil {
		return err
	}
	e.wake(id, consumerName)
	return nil
}

// answer converts the failure of a call for the user.
func answer(err error) error {
	if errors.Is(err, ErrReconnect) || errors.Is(err, ErrUnauthorized) {
		return fault.Refuse(connection.CodeReconnectNeeded, "The drive no longer accepts the access. Connect again.")
	}
	return messages.Unreachable(Service, err)
}
