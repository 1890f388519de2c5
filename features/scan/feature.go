package scan

import (
	"context"
	"time"

	"equity/actors/consumer"
	"equity/app"
	"equity/app/doctor"
	"equity/config"
)

// pingWithin is the time limit of the question at the start.
const pingWithin = 10 * time.Second

// Room returns the room for the list of a program.
func Room() app.Room { return app.Room{Settings: describedSettings(), New: newFeature, Check: check} }

// newFeature returns the feature, which is empty without a scanner.
func newFeature(core app.Core) (app.Feature, error) {
	address := config.Of[settings](core.Config).url
	if address == "" {
		return app.Feature{}, nil
	}
	client, err := NewClient(address)
	if err != nil {
		return app.Feature{}, err
	}
	return app.Feature{
		Consumers: []consumer.Consumer{NewConsumer(Options{
			Scanner: client, Files: core.Files, Owners: core.Owners, Organizations: core.Organizations, Now: core.Now,
		})},
		Scanner: client,
		Start: func(ctx context.Context) {
			limited, end := context.WithTimeout(ctx, pingWithin)
			defer end()
			if err := client.Ping(limited); err != nil && ctx.Err() == nil {
				core.Log.Warn("the virus scanner cannot be used at the moment (SCAN_URL); new files are served after their scan", "cause", err)
			}
		},
	}, nil
}

// check checks that the virus scanner answers.
func check(ctx context.Context, core app.Core) []doctor.Finding {
	const check = "virus scanner"
	address := config.Of[settings](core.Config).url
	if address == "" {
		return nil
	}
	client, err := NewClient(address)
	if err == nil {
		err = client.Ping(ctx)
	}
	if err != nil {
		return []doctor.Finding{doctor.Fail(check, "start clamd, and check SCAN_URL", "%v", err)}
	}
	return []doctor.Finding{doctor.Good(check, "%s answers", address)}
}
