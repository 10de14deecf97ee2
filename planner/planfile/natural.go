package planfile

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"distributor/catalog/storage"
)

// natural is an integer from 0 to 2^53-1, written without sign, fraction or
// exponent. The zero natural stands for a number that isn't there.
type natural struct {
	value int64
	given bool
}

func nat[T int | int64](v T) natural { return natural{int64(v), true} }

// MarshalJSONTo writes the number.
func (n natural) MarshalJSONTo(e *jsontext.Encoder) error {
	if n.value < 0 || n.value > storage.MaxSize {
		return fmt.Errorf("%d is not from 0 to 2^53-1", n.value)
	}
	return e.WriteToken(jsontext.Int(n.value))
}

// UnmarshalJSONFrom reads the number strictly.
func (n *natural) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	v, err := d.ReadValue()
	if err != nil {
		return err
	}
	value, err := storage.ParseSize(string(v))
	*n = natural{value, true}
	return err
}

// refuseNull finds a null in a JSON text: no plan file has one, and a decoder
// would take it for the absence of what it stands in for.
func refuseNull(text []byte) error {
	if !bytes.Contains(text, []byte("null")) {
		return nil
	}
	d := jsontext.NewDecoder(bytes.NewReader(text))
	for {
		t, err := d.ReadToken()
		if err != nil {
			return nil // the end, or what the real decoder reports
		}
		if t.Kind() == jsontext.KindNull {
			return fmt.Errorf("%snull can't stand here", pointer(d.StackPointer()))
		}
	}
}
