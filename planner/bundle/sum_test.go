package bundle

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"time"

	"distributor/catalog/storage"
)

// changing is a file that is described so after it was read.
type changing struct {
	*strings.Reader
	after fs.FileInfo
}

func (c *changing) Stat() (fs.FileInfo, error) { return c.after, nil }

type info struct {
	fs.FileInfo
	size int64
	at   time.Time
}

func (i info) Size() int64        { return i.size }
func (i info) ModTime() time.Time { return i.at }

func TestSumSteady(t *testing.T) {
	then := time.Date(2026, 6, 19, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name          string
		before, after info
		want          error
	}{
		{"steady", info{size: 3, at: then}, info{size: 3, at: then}, nil},
		{"grown", info{size: 3, at: then}, info{size: 4, at: then}, errChanged},
		{"grown before it was read", info{size: 2, at: then}, info{size: 3, at: then}, errChanged},
		{"written", info{size: 3, at: then}, info{size: 3, at: then.Add(1)}, errChanged},
	} {
		d, n, err := sumSteady(t.Context(), &changing{strings.NewReader("one"), c.after}, c.before)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: got %v", c.name, err)
		}
		if err == nil && (n != 3 || d != storage.SumBytes([]byte("one"))) {
			t.Errorf("%s: got %s and %d bytes", c.name, d, n)
		}
	}
}
