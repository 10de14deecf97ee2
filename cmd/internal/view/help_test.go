package view

import "testing"

func TestTable(t *testing.T) {
	got := Table([]Entry{{"a", "one two three"}, {"long", "four"}}, 16)
	want := "  a     one two\n        three\n  long  four\n"
	if got != want {
		t.Errorf("the table is\n%s\nwant\n%s", got, want)
	}
}
