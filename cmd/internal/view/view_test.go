package view

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// screen is a View that writes to buffers, with a clock that tests set.
type screen struct {
	*View
	stdout, stderr bytes.Buffer
	clock          time.Time
}

func newScreen(env map[string]string) *screen {
	s := &screen{clock: time.Date(2026, 6, 19, 12, 0, 0, 0, time.UTC)}
	s.View = New(Options{
		Stdout: &s.stdout,
		Stderr: &s.stderr,
		Getenv: func(name string) string { return env[name] },
		Now:    func() time.Time { return s.clock },
	})
	return s
}

// shows compares what was written with what is wanted; got is read after
// everything buffered is out.
func shows(t *testing.T, s *screen, got *bytes.Buffer, want string) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("output (-want +got):\n%s", diff)
	}
}
