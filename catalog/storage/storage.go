// Package storage is files at rest: the values that name them (Path, Digest,
// Time), and the interfaces a backend fulfils so that a root can be read
// (Reader) and changed (Storage, Locked, Tx). It knows neither HCL nor what a
// catalog says; to it a catalog is one file that is replaced last.
//
// The comments on the interfaces are the contract that every backend keeps;
// package storagetest checks each sentence of it.
package storage

import (
	"context"
	"io"
	"iter"
	"time"
)

// Address says where a root is: two destinations with equal addresses share
// one root and one catalog.
type Address struct {
	Backend  string // "local"
	Location string // the backend's canonical name of the root; local: the absolute folder once links are resolved
}

// String returns the address for people: "local:/srv/www".
func (a Address) String() string { return a.Backend + ":" + a.Location }

// Compare orders addresses by backend, then location.
func (a Address) Compare(b Address) int {
	if a.Backend != b.Backend {
		if a.Backend < b.Backend {
			return -1
		}
		return 1
	}
	switch {
	case a.Location < b.Location:
		return -1
	case a.Location > b.Location:
		return 1
	}
	return 0
}

// Traits says what a root can hold.
type Traits struct {
	// Folds is set where two names that differ only by case or Unicode normal
	// form (equal Path.Fold) are one file.
	Folds bool
	// Flat is set where a path may be an object and a folder of others at the
	// same time, as in an object store.
	Flat bool
}

// Kind is what lies at a path.
type Kind uint8

// The kinds of things in a root.
const (
	KindAbsent     Kind = iota // nothing
	KindFile                   // a regular file
	KindFolder                 // a folder
	KindLink                   // a symbolic link, never followed
	KindSpecial                // a socket, device or pipe
	KindRoot                   // a folder that holds .distributor.json or .distributor: another root
	KindMount                  // a folder on another file system than the root
	KindUnreadable             // a folder that can't be listed
)

var kindNames = [...]string{"absent", "file", "folder", "link", "special", "root", "mount", "unreadable"}

// String returns the kind's name, as plan files spell it.
func (k Kind) String() string { return kindNames[k] }

// ParseKind is the inverse of Kind.String.
func ParseKind(s string) (Kind, bool) {
	for i, n := range kindNames {
		if n == s {
			return Kind(i), true
		}
	}
	return 0, false
}

// Version tells one state of a file from another without reading it. Equal
// versions of one path mean that nobody changed the file in between, as far
// as the backend can tell; it is no proof. Local storage fills the numbers,
// an object store the tag.
type Version struct {
	Device, Inode uint64
	MTime, CTime  int64 // nanoseconds since 1970
	Tag           string
}

// Info describes what lies at a path.
type Info struct {
	Kind    Kind
	Size    int64 // bytes, for files
	Version Version
}

// Entry is one thing found by Reader.List.
type Entry struct {
	Name string // root-relative, byte for byte as stored
	Path Path   // the same as a Path; zero where the name breaks the path rules
	Info
	Err error // for KindUnreadable: why
}

// State is what an apply expects or leaves at a path: nothing, a file with a
// digest and a size, or a folder without any file in it.
type State struct {
	Kind   Kind // KindAbsent, KindFile or KindFolder; another kind only in what was found
	Digest Digest
	Size   int64 // bytes; of a folder that was found, 1 where files are in it
}

// FileState returns the state of a file with this digest and size.
func FileState(d Digest, size int64) State { return State{KindFile, d, size} }

// Reader reads a root. Its methods write nothing, follow no symbolic link
// (inside the root neither) and may be called concurrently. A root that does
// not exist reads as an empty one.
type Reader interface {
	// Address returns the root's address.
	Address() Address

	// Traits returns what the root can hold, found without writing.
	Traits(ctx context.Context) (Traits, error)

	// Stat describes what lies at p. Nothing there, or a file where a folder
	// of p's would be: KindAbsent and no error. A link, another file system
	// or another root above p: a *BlockedError.
	Stat(ctx context.Context, p Path) (Info, error)

	// Open opens the file at p and describes what it opened. Nothing there:
	// an error that is fs.ErrNotExist. Anything but a file: a *BlockedError.
	Open(ctx context.Context, p Path) (io.ReadCloser, Info, error)

	// List yields everything in the root in byte order of name, where a
	// folder is ordered as its name with a slash and comes before what is in
	// it. It leaves out the root's own catalog and work folder. It does not
	// enter links, other roots, other file systems or folders that it can't
	// read, but yields them as what they are. An error ends it.
	List(ctx context.Context) iter.Seq2[Entry, error]

	// OpenCatalog opens the root's catalog. None: fs.ErrNotExist. A link or
	// anything but a file in its place: a *BlockedError.
	OpenCatalog(ctx context.Context) (io.ReadCloser, error)

	// Pending returns the journal of an apply that is promoting or was
	// interrupted, nil where there is none. A journal that can't be
	// understood, or something else in its place: a *JournalError. Where it
	// can't be known whether there is one, as where its folder can't be
	// read: any other error.
	Pending(ctx context.Context) (*Journal, error)

	// AtWork returns who began an apply that has not ended: it is staging or
	// promoting, or died while it did. Nil for nobody, a zero Holder where it
	// can't be told who. Whoever has the lock and has not begun may be told of
	// or not. Errors are those of Pending.
	AtWork(ctx context.Context) (*Holder, error)
}

// Storage is a root that can be changed.
type Storage interface {
	Reader

	// Lock takes the root for one writer, waiting up to wait for another to
	// finish; then, or when the root can't be locked, a *LockedError. It
	// makes the root where it does not exist, and takes it away again if it
	// could not be locked. The lock ends with the process that holds it,
	// where the backend can tell.
	Lock(ctx context.Context, who Holder, wait time.Duration) (Locked, error)

	// Close frees what the Storage holds open. A lock that is still held is
	// freed too, and what its apply has left stays: to the root it is as if
	// the process had died.
	Close() error
}

// Locked is a root under its lock.
type Locked interface {
	Reader

	// Begin starts an apply: j.Steps say what it will do. It first removes
	// staging that no journal speaks of. Nothing outside the work folder
	// changes before Tx.Promote or Tx.Remove. Pending journal: an error.
	Begin(ctx context.Context, j *Journal) (Tx, error)

	// Resume returns the interrupted apply of the journal that Pending
	// returned, so that it can be finished or undone.
	Resume(ctx context.Context, j *Journal) (Tx, error)

	// Sweep removes what an apply that died before it sealed its journal
	// left in the work folder, and says whether there was anything. With a
	// journal there it does nothing.
	Sweep(ctx context.Context) (bool, error)

	// Unlock frees the root. A root folder that Lock made and that is still
	// empty is removed.
	Unlock() error
}

// Tx is one apply to one root. The order of its calls is Stage for every step
// that writes and StageCatalog (concurrently, in any order); Seal; Promote or
// Remove for each step; Commit; Finish. Steps are given by their index in the
// journal. Before Seal, or where Seal failed, Abort leaves no trace; after it,
// every promoted step is to be reverted first. Where a call fails, the path it names holds its
// old or its new bytes, whole.
type Tx interface {
	// Stage copies what open gives to the staging of this step and makes it
	// ready to be promoted. Bytes that aren't those of the step's After: a
	// *ContentError. A backend that can't stage keeps open for Promote.
	Stage(ctx context.Context, step int, open func() (io.ReadCloser, error)) error

	// StageCatalog stages the next catalog and returns its digest.
	StageCatalog(ctx context.Context, write func(io.Writer) error) (Digest, error)

	// Seal makes all that was staged durable and then writes the journal,
	// durably, so that from now on an interruption can be recovered. Where it
	// fails the journal may be there or not, and it can be repeated.
	Seal(ctx context.Context) error

	// Promote puts the staged file of a step at its path, by what its Before
	// says must be there, and makes missing folders. What is replaced goes
	// to the staging. What is there is compared with Before when it is
	// already out of the way of others: by seen, the version that was hashed
	// under this lock, or where that differs or is zero, by digest. If it
	// isn't Before it is put back: a *UnexpectedError, and the path is as it
	// was. A file, a link or another root in the place of a folder of the
	// path: a *BlockedError.
	Promote(ctx context.Context, step int, seen Version) error

	// Remove is Promote for a step whose After is absent. Folders stay until
	// Finish.
	Remove(ctx context.Context, step int, seen Version) error

	// Staged says what lies in the staging of a step: before its promotion
	// the new file, after it what was replaced or removed. After a crash that
	// may be something else than Before, which the promotion had no time to
	// put back; Revert does.
	Staged(ctx context.Context, step int) (State, error)

	// Revert undoes a promoted step: its path holds what it held before, and
	// folders that the promotion made are removed where they are empty. If
	// the path no longer holds After it is left alone: a *UnexpectedError. A
	// step that was not promoted, or was reverted before, is left as it is;
	// so before Seal, or where Seal failed, Revert does nothing. Once the
	// staged catalog is in place it is an error.
	Revert(ctx context.Context, step int) error

	// Commit makes the promoted files durable, sees to it that the root's
	// location still leads to the locked root (else: ErrMoved), compares the catalog in place
	// with the journal's baseline (another: ErrBaseline, nothing done) and
	// puts the staged catalog in its place, durably. It can be repeated.
	Commit(ctx context.Context) error

	// Finish, after Commit, removes the folders that this apply's removals
	// left empty, and so upwards to the root, then the journal, then the
	// staging with the old bytes. It can be repeated. A Commit that died may
	// have taken out a catalog that it had no time to look at: if that isn't
	// the baseline it is put back, as Commit would have done, and nothing is
	// removed: ErrBaseline. Then the apply can be undone.
	Finish(ctx context.Context) error

	// Abort, instead of Commit, removes the journal, then the staging, and
	// folders that were made for it. Once the staged catalog is in place it
	// is an error.
	Abort(ctx context.Context) error
}
