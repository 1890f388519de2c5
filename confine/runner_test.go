package confine_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"equity/confine"
	"equity/confine/confinetest"
)

// work returns a hostile or a harmless parser with small limits.
func work(name string, do func(in io.Reader, out io.Writer) error) confine.Work {
	return confine.Work{
		Name: name, Do: do,
		Limits: confine.Limits{Memory: 64 << 20, Processor: time.Second, Time: 5 * time.Second, Output: 1 << 20},
	}
}

// nested counts a depth that no stack has.
func nested(depth int) int {
	if depth < 0 {
		return 0
	}
	return 1 + nested(depth+1)*depth
}

var errContent = errors.New("the word secret is in the content")

func works() []confine.Work {
	brief := work("endless", func(io.Reader, io.Writer) error {
		for {
			time.Sleep(time.Hour)
		}
	})
	brief.Limits.Time = 300 * time.Millisecond
	return []confine.Work{
		work("echo", func(in io.Reader, out io.Writer) error { _, err := io.Copy(out, in); return err }),
		work("refuse", func(io.Reader, io.Writer) error { return errContent }),
		work("loop", func(io.Reader, io.Writer) error {
			for i := 0; ; i++ {
			}
		}),
		work("deep", func(_ io.Reader, out io.Writer) error { _, err := out.Write([]byte{byte(nested(1))}); return err }),
		work("grow", func(io.Reader, io.Writer) error {
			all := bytes.Repeat([]byte{1}, 1<<20)
			for {
				all = append(all, all...)
			}
		}),
		work("once", func(_ io.Reader, out io.Writer) error {
			_, err := out.Write(bytes.Repeat([]byte{1}, 1<<30)[:1])
			return err
		}),
		work("flood", func(_ io.Reader, out io.Writer) error {
			for {
				if _, err := out.Write(make([]byte, 1<<10)); err != nil {
					return err
				}
			}
		}),
		work("panic", func(io.Reader, io.Writer) error { panic("the word secret is in the content") }),
		work("environment", func(_ io.Reader, out io.Writer) error {
			_, err := io.WriteString(out, strings.Join(os.Environ(), "\n"))
			return err
		}),
		brief,
	}
}

func TestMain(m *testing.M) { confinetest.Main(m, works()...) }

// runner returns the runner of the named work.
func runner(t *testing.T, name string) *confine.Runner {
	t.Helper()
	for _, w := range works() {
		if w.Name == name {
			return confinetest.Runner(w)
		}
	}
	t.Fatalf("no work %s", name)
	return nil
}

func TestChildAnswersTheRequest(t *testing.T) {
	t.Parallel()
	content := strings.Repeat("0123456789", 50_000)
	got, err := runner(t, "echo").Run(t.Context(), "", strings.NewReader(content))
	if err != nil || string(got) != content {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

func TestHostileContentIsRefusedWithItsReason(t *testing.T) {
	t.Parallel()
	for name, reasons := range map[string][]confine.Reason{
		"refuse": {confine.Refused}, "loop": {confine.TooLong}, "endless": {confine.TooLong}, "deep": {confine.TooDeep}, "grow": {confine.TooMuch},
		"once": {confine.TooMuch}, "flood": {confine.TooLarge}, "panic": {confine.Crashed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := runner(t, name).Run(t.Context(), "", strings.NewReader("content"))
			refusal, ok := errors.AsType[*confine.ContentError](err)
			if !ok || refusal.Reason != reasons[0] {
				t.Fatalf("%v, want %s", err, reasons[0])
			}
			if strings.Contains(err.Error(), "secret") {
				t.Errorf("the error quotes the content: %v", err)
			}
		})
	}
}

func TestChildHasNoEnvironment(t *testing.T) {
	t.Setenv("EQUITY_TEST_SECRET", "secret")
	got, err := runner(t, "environment").Run(t.Context(), "", strings.NewReader(""))
	if err != nil || strings.Contains(string(got), "SECRET") || strings.Contains(string(got), "PATH=") {
		t.Errorf("%s, %v", got, err)
	}
}

// broken fails after some bytes.
type broken struct{ io.Reader }

var errStore = errors.New("the store is away")

func (b broken) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if errors.Is(err, io.EOF) {
		err = errStore
	}
	return n, err
}

func TestErrorOfTheStoreIsNotThatOfTheContent(t *testing.T) {
	t.Parallel()
	_, err := runner(t, "echo").Run(t.Context(), "", broken{strings.NewReader("begin")})
	if _, content := errors.AsType[*confine.ContentError](err); content || !errors.Is(err, errStore) {
		t.Errorf("%v", err)
	}
}

// failing fails at the first byte.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errStore }

func TestErrorOfTheAnswerIsNotThatOfTheContent(t *testing.T) {
	t.Parallel()
	err := runner(t, "echo").Stream(t.Context(), "", strings.NewReader("content"), failing{})
	if _, content := errors.AsType[*confine.ContentError](err); content || !errors.Is(err, errStore) {
		t.Errorf("%v", err)
	}
}

func TestCancelledCallerIsNotTheContent(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	begin := time.Now()
	_, err := runner(t, "loop").Run(ctx, "", strings.NewReader(""))
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) > 3*time.Second {
		t.Errorf("%v after %s", err, time.Since(begin))
	}
}

func TestUnknownWorkIsNoFaultOfTheContent(t *testing.T) {
	t.Parallel()
	_, err := confinetest.Runner(work("unknown", nil)).Run(t.Context(), "", strings.NewReader(""))
	if _, content := errors.AsType[*confine.ContentError](err); content || err == nil {
		t.Errorf("%v", err)
	}
}
