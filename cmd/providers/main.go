// Command providers serves the fakes of the outside services to the journeys of the browser app: the cloud drive, the office suite and
// the billing provider. It prints the settings of a server that uses them, and ends with its input.
//
//	providers ADDRESS
//
// ADDRESS is the public address of the server, which receives the events of billing and the redirects of the drive.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"time"

	"equity/actors/billing/stripetest"
	"equity/actors/office/officetest"
	"equity/egress"
)

// eventDelay is the time between two deliveries of the events of billing.
const eventDelay = 100 * time.Millisecond

// provider starts the fake of a service. It gets the address of the server, and returns the settings of the server and the end of the fake.
type provider = func(server string) (settings map[string]string, end func())

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "providers:", err)
		os.Exit(1)
	}
}

func run() error {
	if len(os.Args) != 2 {
		return errors.New("usage: providers ADDRESS") //nolint:err113 // the usage
	}
	server := strings.TrimSuffix(os.Args[1], "/")
	suite, endSuite := officetest.Start()
	defer endSuite()
	stripe, endStripe := stripetest.Start(time.Now)
	defer endStripe()
	stripe.OwnPages = true

	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go deliver(ctx, stripe, server+"/v1/billing/webhook")

	office := suite.App()
	settings := map[string]string{
		"PUBLIC_URL":             server,
		"OFFICE_SUITE_TENANT_ID": office.TenantID, "OFFICE_SUITE_CLIENT_ID": office.ClientID,
		"OFFICE_SUITE_CLIENT_SECRET": office.ClientSecret,
		"OFFICE_SUITE_DRIVE_ID":      office.DriveID, "OFFICE_SUITE_URL": office.URL, "OFFICE_SUITE_LOGIN_URL": office.LoginURL,
		"BILLING_SECRET_KEY": stripetest.Key, "BILLING_WEBHOOK_SECRET": stripetest.Secret, "BILLING_URL": stripe.URL,
	}
	for _, start := range rooms() {
		own, end := start(server)
		defer end()
		maps.Copy(settings, own)
	}
	if err := json.NewEncoder(os.Stdout).Encode(settings); err != nil {
		return fmt.Errorf("print settings: %w", err)
	}
	_, err := io.Copy(io.Discard, os.Stdin) // ends with the parent
	return err                              //nolint:wrapcheck // the only failure
}

// deliver sends the events of billing to the server until the context ends.
func deliver(ctx context.Context, stripe *stripetest.Server, address string) {
	ticker := time.NewTicker(eventDelay)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		for _, event := range stripe.Take(stripetest.Delivery{}, rand.New(rand.NewPCG(1, 1))) { //nolint:gosec // the order of deliveries
			if err := send(ctx, address, event); err != nil {
				fmt.Fprintln(os.Stderr, "providers:", err)
			}
		}
	}
}

func send(ctx context.Context, address string, event stripetest.Event) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(string(event.Body))) //nolint:gosec // the tested server
	if err != nil {
		return fmt.Errorf("event %s: %w", event.Type, err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Stripe-Signature", event.Signed(stripetest.Secret, time.Now()))
	response, err := egress.NewClient(nil, 0).Do(request) //nolint:gosec // the tested server
	if err != nil {
		return fmt.Errorf("event %s: %w", event.Type, err)
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("event %s: the server answered %s", event.Type, response.Status) //nolint:err113 // text of a journey
	}
	return nil
}
