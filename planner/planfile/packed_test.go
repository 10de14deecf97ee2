package planfile

import (
	"bytes"
	"compress/flate"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"testing"

	"distributor/catalog/storage"
)

func TestPacked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.plan")
	m := sizes()
	m.write(t, path)
	f := open(t, path)
	methods := map[bool]bool{}
	for _, want := range m.contents {
		p, err := f.Packed(storage.SumBytes(want))
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(p)
		if err != nil || int64(len(raw)) != p.Size {
			t.Errorf("%d bytes of %d, %v", len(raw), p.Size, err)
		}
		if p.Deflated {
			if raw, err = io.ReadAll(flate.NewReader(bytes.NewReader(raw))); err != nil {
				t.Error(err)
			}
		}
		if !bytes.Equal(raw, want) {
			t.Errorf("content of %d bytes (deflated: %v): got %d others", len(want), p.Deflated, len(raw))
		}
		methods[p.Deflated] = true
	}
	if len(methods) != 2 {
		t.Error("the contents are all packed in one way")
	}
	if _, err := f.Packed(storage.SumBytes([]byte("nothing"))); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("content that isn't there: %v", err)
	}
}
