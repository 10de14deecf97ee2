package planner

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"testing"

	"distributor/hcl/config"
	"distributor/planner/plan"
)

// stayingSink keeps what stays, each as "root path", with "kept" where nothing
// plans it.
type stayingSink struct {
	changesSink
	stays []string
}

func (s *stayingSink) Unchanged(all iter.Seq[plan.Unchanged]) error {
	for u := range all {
		line := fmt.Sprintf("%d %s", u.Root, u.Record.Path)
		if u.Kept {
			line += " kept"
		}
		s.stays = append(s.stays, line)
	}
	return nil
}

func TestPublishHandsOutWhatStays(t *testing.T) {
	s := linkSite(t, map[string]string{"b": "b", "d": "d", "n": "n"})
	s.config.Destination("www").Workflow.Kind = config.Additive
	source := s.publish().Sources[0].Bundle
	s.holds("www", out("a"), out("b", from(source)), out("c", by(other)), out("d", from(source)), out("e"))
	s.roots["www"].Put("d", []byte("edited"))
	s.roots["www"].Delete("e")
	for _, asked := range []bool{false, true} {
		r, sink := s.request(), stayingSink{}
		r.Unchanged = asked
		p, diags, err := Publish(context.Background(), r, &sink)
		if err != nil || diags.HasErrors() {
			t.Fatal(err, diags)
		}
		var want []string
		if asked {
			want = []string{"0 a kept", "0 b", "0 c kept"}
		}
		if !slices.Equal(sink.stays, want) || p.Request.Unchanged != asked {
			t.Errorf("asked %v: %q stay, want %q", asked, sink.stays, want)
		}
		if changes := []string{"restore drift d", "keep missing e", "create new n"}; !slices.Equal(sink.changesSink, changes) {
			t.Errorf("changes %q, want %q", sink.changesSink, changes)
		}
	}
}
