package planfile

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"distributor/catalog/storage/strictjson"
)

// Error says that a file can't be used as a plan, why, and what to do.
type Error struct {
	Path   string // of the file
	Err    error  // what is wrong with it
	Advice string // what to do about it
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %v; %s", e.Path, e.Err, e.Advice) }

func (e *Error) Unwrap() error { return e.Err }

const makeAgain = "make the plan again"

// notPlan is the error for a file that is something else.
func notPlan(path, why string) error {
	return &Error{path, errors.New("is not a plan file: " + why), "give the file that plan --out wrote"}
}

// damaged is the error for a file whose bytes aren't the ones written.
func damaged(path string, err error) error {
	return &Error{path, fmt.Errorf("is damaged or was cut off: %w", err), "copy it again, or " + makeAgain}
}

// unsound is the error for a file that is sealed correctly and yet says what
// no plan may say: it was edited, or made by something else.
func unsound(path string, err error) error {
	return &Error{path, fmt.Errorf("is not a sound plan: %w", err), makeAgain}
}

// aboutFile names path in err, which may name a temporary file or an
// operation that nobody asked for.
func aboutFile(path string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// jsonError says what is wrong with a JSON text in the words of the format
// instead of Go's.
func jsonError(err error) error {
	var semantic *json.SemanticError
	if errors.As(err, &semantic) {
		where := pointer(semantic.JSONPointer)
		if semantic.Err != nil {
			return fmt.Errorf("%s%w", where, jsonError(semantic.Err))
		}
		return fmt.Errorf("%s%s can't stand here", where, strictjson.Phrase(semantic.JSONKind))
	}
	var syntactic *jsontext.SyntacticError
	if errors.As(err, &syntactic) {
		return fmt.Errorf("%sis not JSON: %w", pointer(syntactic.JSONPointer), syntactic.Err)
	}
	return err
}

func pointer(p jsontext.Pointer) string {
	if p == "" {
		return ""
	}
	if len(p) > longestPointer {
		p = p[:longestPointer] + "…"
	}
	return string(p) + ": "
}

// longestPointer is how many bytes of a JSON pointer are told: that of a text
// nested ten thousand deep fills screens.
const longestPointer = 200
