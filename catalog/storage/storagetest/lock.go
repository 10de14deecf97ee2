package storagetest

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"distributor/catalog/storage"
)

// patience is longer than any wait of a test that is to succeed.
const patience = time.Minute

var lockTests = []test{
	{"one writer at a time", func(e *env) {
		l := e.lock()
		_, err := e.open().Lock(e.ctx, who(), 0)
		var le *storage.LockedError
		if !errors.As(err, &le) || le.Address != e.s.Address() || le.Err != nil {
			e.Fatalf("the second lock: %v", err)
		}
		e.must(l.Unlock())
		e.must(e.lockOn(e.open()).Unlock())
	}},
	{"one writer at a time, by one handle too", func(e *env) {
		l := e.lock()
		_, err := e.s.Lock(e.ctx, who(), 0)
		var le *storage.LockedError
		if !errors.As(err, &le) {
			e.Fatalf("the second lock: %v", err)
		}
		e.must(l.Unlock())
	}},
	{"Lock waits for another to finish", func(e *env) {
		l := e.lock()
		s, waiting := e.open(), make(chan error)
		go func() {
			second, err := s.Lock(e.ctx, who(), patience)
			if err == nil {
				err = second.Unlock()
			}
			waiting <- err
		}()
		e.must(l.Unlock())
		e.must(<-waiting)
	}},
	{"a wait ends with its context", func(e *env) {
		e.lock()
		ctx, cancel := context.WithCancel(e.ctx)
		s, waiting := e.open(), make(chan error)
		go func() {
			_, err := s.Lock(ctx, who(), patience)
			waiting <- err
		}()
		cancel()
		if err := <-waiting; !errors.Is(err, context.Canceled) {
			e.Errorf("error %v", err)
		}
	}},
	{"whoever is refused learns who has the root, once work has started", func(e *env) {
		x := e.seal(e.lock(), put("a", nothing, "x"))
		_, err := e.open().Lock(e.ctx, storage.Holder{Plan: "another"}, 0)
		var le *storage.LockedError
		if !errors.As(err, &le) || le.Holder == nil || *le.Holder != who() {
			e.Fatalf("error %v", err)
		}
		e.must(x.Abort(e.ctx))
	}},
	{"a holder that died is not named any more", func(e *env) {
		e.seal(e.lock(), put("a", nothing, "x"))
		e.must(e.s.Close())
		next := storage.Holder{Plan: "next", Host: "h", PID: 1, Since: who().Since}
		_, err := e.open().Lock(e.ctx, next, 0)
		e.must(err)
		_, err = e.open().Lock(e.ctx, who(), 0)
		var le *storage.LockedError
		if !errors.As(err, &le) || le.Holder == nil || *le.Holder != next {
			e.Fatalf("error %v", err)
		}
	}},
	{"the lock ends with the process that holds it", func(e *env) {
		e.lock()
		e.must(e.die().Unlock())
	}},
	{"Unlock leaves no trace", func(e *env) {
		e.must(e.lock().Unlock())
		e.wantTree(tree{})
		for _, name := range []string{storage.WorkName + "/holder", storage.WorkName + "/lock"} {
			if _, ok := e.Read(e.T, name); ok {
				e.Errorf("%s is left", name)
			}
		}
	}},
	{"an unlocked root can't be changed through the old lock", func(e *env) {
		l := e.lock()
		e.must(l.Unlock())
		if err := l.Unlock(); err == nil {
			e.Error("unlocked twice")
		}
		if _, err := l.Begin(e.ctx, e.journal(nil)); err == nil {
			e.Error("an apply began")
		}
	}},
	{"of many writers one has the root at any time", func(e *env) {
		var inside atomic.Int32
		done := make(chan error)
		const writers = 6
		for range writers {
			s := e.open()
			go func() {
				l, err := s.Lock(e.ctx, who(), patience)
				if err == nil {
					if inside.Add(1) != 1 {
						err = errors.New("two writers at once")
					}
					inside.Add(-1)
					err = errors.Join(err, l.Unlock())
				}
				done <- err
			}()
		}
		for range writers {
			if err := <-done; err != nil {
				e.Error(err)
			}
		}
	}},
	{"a locked root can be read", func(e *env) {
		e.Write(e.T, "a", "x")
		l := e.lock()
		info, err := l.Stat(e.ctx, path("a"))
		if err != nil || info.Kind != storage.KindFile {
			e.Errorf("Stat = %+v, %v", info, err)
		}
		if l.Address() != e.s.Address() {
			e.Errorf("the locked root is %v", l.Address())
		}
	}},
}
