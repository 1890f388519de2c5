package chat_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"equity/actors/consumer"
	"equity/app"
	"equity/app/doctor"
	"equity/config"
	"equity/features/chat"
	"equity/features/chat/chattest"
	"equity/persistence/storetest"
)

// configured returns the services of the core with the settings, and their log.
func configured(t *testing.T, values map[string]string) (app.Core, *logged) {
	t.Helper()
	c, err := config.Load(config.Source{Rooms: chat.Room().Settings, Flags: values})
	if err != nil {
		t.Fatal(err)
	}
	log := &logged{}
	return app.Core{
		Config: c, Breakers: consumer.NewBreakers(time.Now), Log: slog.New(slog.NewTextHandler(log, nil)), Now: time.Now,
	}, log
}

// started starts the room, and waits for the line of its log.
func started(t *testing.T, values map[string]string, line string) string {
	t.Helper()
	core, log := configured(t, values)
	core.Database = storetest.Open(t, storetest.SQLite(t))
	feature, err := chat.Room().New(core)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if feature.Start != nil {
			feature.Start(ctx)
		}
	}()
	for deadline := time.Now().Add(time.Minute); !strings.Contains(log.String(), line) && time.Now().Before(deadline); {
		time.Sleep(10 * time.Millisecond) // polls the room
	}
	cancel()
	<-ended
	if !strings.Contains(log.String(), line) {
		t.Errorf("%q is missing:\n%s", line, log)
	}
	return log.String()
}

func TestChatServerThatIsAwayAtTheStartIsOneWarning(t *testing.T) {
	t.Parallel()
	away := map[string]string{"CHAT_URL": "http://127.0.0.1:1", "CHAT_ADMIN_BOT_TOKEN": "secret-token"}
	log := started(t, away, "the chat server cannot be used")
	if strings.Count(log, "chat server") != 1 || strings.Contains(log, "secret-token") {
		t.Error(log)
	}
}

func TestWrongTokenOfTheChatServerIsOneWarning(t *testing.T) {
	t.Parallel()
	started(t, map[string]string{"CHAT_URL": chattest.Open(t).URL, "CHAT_ADMIN_BOT_TOKEN": "secret-token"}, "the chat server cannot be used")
}

func TestServerWithoutChatSaysSo(t *testing.T) {
	t.Parallel()
	started(t, nil, "team chat is off")
}

func TestDoctorChecksTheChatServer(t *testing.T) {
	t.Parallel()
	server := chattest.Open(t)
	for token, state := range map[string]doctor.State{server.Token: doctor.OK, "wrong-token": doctor.Failure} {
		core, _ := configured(t, map[string]string{"CHAT_URL": server.URL, "CHAT_ADMIN_BOT_TOKEN": token})
		found := chat.Room().Check(t.Context(), core)
		if len(found) != 1 || found[0].Check != "team chat" || found[0].State != state {
			t.Errorf("%+v", found)
		}
		if state == doctor.Failure && !strings.Contains(found[0].Repair, "CHAT_ADMIN_BOT_TOKEN") {
			t.Errorf("%+v", found)
		}
	}
}

func TestDoctorFindsNothingWithoutChat(t *testing.T) {
	t.Parallel()
	core, _ := configured(t, nil)
	if found := chat.Room().Check(t.Context(), core); found != nil {
		t.Errorf("%+v", found)
	}
}
