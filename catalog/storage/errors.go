package storage

import (
	"errors"
	"fmt"
)

// ErrBaseline is returned by Tx.Commit where the catalog in place is not the
// one that the journal names as its baseline.
var ErrBaseline = errors.New("the catalog was replaced by someone else")

// ErrMoved is returned by Tx.Commit where the root's location leads to another
// root than the locked one.
var ErrMoved = errors.New("its location leads to another folder now")

// BlockedError says that a path can't be used because of what lies at it or
// above it.
type BlockedError struct {
	Path string // the path asked for
	At   string // where the obstacle is: the path itself or a folder of it
	Kind Kind   // what it is
}

func (e *BlockedError) Error() string {
	if e.At == e.Path {
		return fmt.Sprintf("%s: is %s", e.Path, e.Kind.Phrase())
	}
	return fmt.Sprintf("%s: %s is %s", e.Path, e.At, e.Kind.Phrase())
}

// Phrase returns the kind as a phrase for sentences: "a symbolic link".
func (k Kind) Phrase() string {
	switch k {
	case KindAbsent:
		return "missing"
	case KindFile:
		return "a file"
	case KindFolder:
		return "a folder"
	case KindLink:
		return "a symbolic link"
	case KindSpecial:
		return "a special file"
	case KindRoot:
		return "another root"
	case KindMount:
		return "on another file system"
	default:
		return "a folder that can't be read"
	}
}

// UnexpectedError says that a path did not hold what a step expected. The
// path was left, or put back, as it was found.
type UnexpectedError struct {
	Path        Path
	Want, Found State
}

func (e *UnexpectedError) Error() string {
	return fmt.Sprintf("%s: expected %s, found %s", e.Path, e.Want, e.Found)
}

// String describes the state: "a file with sha256:…"; of a file whose bytes
// nobody looked at "a file".
func (s State) String() string {
	switch {
	case s.Kind == KindFile && !s.Digest.IsZero():
		return "a file with " + s.Digest.String()
	case s.Kind == KindAbsent:
		return "nothing"
	case s.Kind == KindFolder && s.Size > 0:
		return "a folder with files in it"
	case s.Kind == KindMount:
		return "another file system"
	}
	return s.Kind.Phrase()
}

// ContentError says that the bytes given for a path aren't the ones that were
// reviewed.
type ContentError struct {
	Path        Path
	Want, Found State
}

func (e *ContentError) Error() string {
	return fmt.Sprintf("%s: its bytes are %s, not %s as planned", e.Path, e.Found.Digest, e.Want.Digest)
}

// LockedError says that another writer has the root, or that it can't be
// locked.
type LockedError struct {
	Address Address
	Holder  *Holder // nil where unknown
	Err     error   // why it can't be locked at all; nil where another writer has it
}

func (e *LockedError) Error() string {
	switch {
	case e.Err != nil:
		return fmt.Sprintf("%s: can't be locked: %v", e.Address, e.Err)
	case e.Holder != nil:
		return fmt.Sprintf("%s: is locked by %s", e.Address, e.Holder)
	default:
		return fmt.Sprintf("%s: is locked by another process", e.Address)
	}
}

func (e *LockedError) Unwrap() error { return e.Err }

// StagingError says that what an interrupted apply had staged, which undoing it
// needs, isn't there any more.
type StagingError struct{ Path Path }

func (e *StagingError) Error() string {
	return fmt.Sprintf("%s: nothing is staged any more", e.Path)
}

// JournalError says that a root has a journal that this program can't read.
type JournalError struct {
	Address Address
	Version int // the journal's version where it is a newer one, else 0
	Err     error
}

func (e *JournalError) Error() string {
	if e.Version > 0 {
		return fmt.Sprintf("%s: the journal of an interrupted apply has version %d, written by a newer distributor; this one reads version %d", e.Address, e.Version, JournalVersion)
	}
	return fmt.Sprintf("%s: the journal of an interrupted apply can't be read: %v", e.Address, e.Err)
}

func (e *JournalError) Unwrap() error { return e.Err }
