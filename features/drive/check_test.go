package drive_test

import (
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"equity/actors/consumer"
	"equity/app"
	"equity/app/doctor"
	"equity/config"
	"equity/features/drive"
	"equity/features/drive/drivetest"
)

func TestDoctorAsksTheProviderForItsClient(t *testing.T) {
	t.Parallel()
	settings, end := drivetest.Provider()("https://equity.example")
	t.Cleanup(end)
	login := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = w.Write([]byte(`{"error": "invalid_client"}`))
	}))
	t.Cleanup(login.Close)
	for claim, one := range map[string]struct {
		changes variables
		want    []doctor.State
	}{
		"a known client is accepted": {nil, []doctor.State{doctor.OK}},
		"a refused client fails":     {variables{"DRIVE_TOKEN_URL": login.URL}, []doctor.State{doctor.Failure}},
		"a provider that is away":    {variables{"DRIVE_TOKEN_URL": "http://127.0.0.1:1"}, []doctor.State{doctor.Failure}},
		"drives are off":             {variables{"DRIVE_ENABLED": "false"}, nil},
	} {
		given := maps.Clone(settings)
		maps.Copy(given, one.changes)
		c, err := config.Load(config.Source{Rooms: drive.Room().Settings, Flags: given})
		if err != nil {
			t.Fatal(err)
		}
		var got []doctor.State
		core := app.Core{
			Config: c, Breakers: consumer.NewBreakers(time.Now), Now: time.Now, Pause: func(context.Context, time.Duration) error { return nil },
		}
		for _, finding := range drive.Room().Check(t.Context(), core) {
			got = append(got, finding.State)
		}
		if len(got) != len(one.want) || len(got) == 1 && got[0] != one.want[0] {
			t.Errorf("%s: %v", claim, got)
		}
	}
}
