package planfile

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"testing"
	"testing/iotest"
	"time"
)

// readAheadSizes are on both sides of the size of a piece, and of all of them.
var readAheadSizes = []int{0, 1, readAheadLen - 1, readAheadLen, readAheadLen + 1, 3 * readAheadLen, 5*readAheadLen + 7}

func TestReadAhead(t *testing.T) {
	for _, size := range readAheadSizes {
		want := make([]byte, size)
		for i := range want {
			want[i] = byte(i * 31 >> 3)
		}
		a := newReadAhead(iotest.HalfReader(bytes.NewReader(want)))
		got, err := io.ReadAll(a)
		a.close()
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d bytes: got %d, %v", size, len(got), err)
		}
	}
}

// TestReadAheadError: what was read before an error is returned before it, and
// the error again and again, as it was.
func TestReadAheadError(t *testing.T) {
	for _, size := range readAheadSizes {
		for _, want := range []error{errors.New("no more"), io.ErrUnexpectedEOF} {
			a := newReadAhead(io.MultiReader(bytes.NewReader(make([]byte, size)), iotest.ErrReader(want)))
			got, err := io.ReadAll(a)
			if len(got) != size || !errors.Is(err, want) {
				t.Errorf("%d bytes: got %d, %v, want %v", size, len(got), err, want)
			}
			if _, err := a.Read(make([]byte, 1)); !errors.Is(err, want) {
				t.Errorf("the second time: %v, want %v", err, want)
			}
			a.close()
		}
	}
}

// TestReadAheadEndsEarly: nothing goes on when somebody reads no further.
func TestReadAheadEndsEarly(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 100 {
		a := newReadAhead(noEnd{})
		if _, err := io.ReadFull(a, make([]byte, readAheadLen+1)); err != nil {
			t.Fatal(err)
		}
		a.close()
	}
	deadline := time.Now().Add(10 * time.Second)
	for runtime.NumGoroutine() > before && time.Now().Before(deadline) {
		time.Sleep(time.Millisecond)
	}
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines are left of %d readers", after-before, 100)
	}
}

// noEnd reads zeros.
type noEnd struct{}

func (noEnd) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
