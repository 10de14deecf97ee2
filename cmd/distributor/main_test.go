package main

import (
	"runtime/debug"
	"testing"
)

func TestProgramVersion(t *testing.T) {
	tests := []struct {
		name, set, main string
		want            string
	}{
		{"set by the build", "0.1.0+5.g1a2b3c4", "v0.2.0", "0.1.0+5.g1a2b3c4"},
		{"installed as a release", "", "v0.2.0", "v0.2.0"},
		{"installed as a pre-release", "", "v1.0.0-rc.1", "v1.0.0-rc.1"},
		{"built from a clone with tags", "", "v0.2.1-0.20260619120000-1a2b3c4d5e6f", "v0.2.1-0.20260619120000-1a2b3c4d5e6f"},
		{"built from a clone without tags", "", "v0.0.0-20260619120000-1a2b3c4d5e6f", "dev"},
		{"built from one with changes", "", "v0.0.0-20260619120000-1a2b3c4d5e6f+dirty", "dev"},
		{"built without version control", "", "(devel)", "dev"},
		{"unknown", "", "", "dev"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			info := func() (*debug.BuildInfo, bool) {
				return &debug.BuildInfo{Main: debug.Module{Version: tt.main}}, true
			}
			if got := programVersion(tt.set, info); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	if got := programVersion("", func() (*debug.BuildInfo, bool) { return nil, false }); got != "dev" {
		t.Errorf("without build information: got %q", got)
	}
}
