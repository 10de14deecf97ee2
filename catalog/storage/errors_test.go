package storage

import "testing"

func TestStateString(t *testing.T) {
	sum := SumBytes([]byte("a"))
	for _, tt := range []struct {
		state State
		want  string
	}{
		{State{}, "nothing"},
		{FileState(sum, 1), "a file with " + sum.String()},
		{State{Kind: KindFile}, "a file"},
		{State{Kind: KindFolder}, "a folder"},
		{State{Kind: KindFolder, Size: 1}, "a folder with files in it"},
		{State{Kind: KindLink}, "a symbolic link"},
		{State{Kind: KindSpecial}, "a special file"},
		{State{Kind: KindRoot}, "another root"},
		{State{Kind: KindMount}, "another file system"},
		{State{Kind: KindUnreadable}, "a folder that can't be read"},
	} {
		if got := tt.state.String(); got != tt.want {
			t.Errorf("%+v: got %q, want %q", tt.state, got, tt.want)
		}
	}
}
