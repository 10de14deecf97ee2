package textdiff

import "strings"

// slide moves each edit that only adds or only removes lines to where people
// would see it, and returns the edits. Such an edit can often stand at several
// places with the same effect: of "a b a b" made from "a b", either pair may
// be the new one. The best place is the last that ends in a blank line, so that
// a paragraph comes with the line that sets it apart; else the last.
func slide(t *texts, edits []edit) []edit {
	for i, e := range edits {
		// One unchanged line stays between two edits.
		room := edit{0, len(t.old), 0, len(t.new)}
		if i > 0 {
			room.oldStart, room.newStart = edits[i-1].oldEnd+1, edits[i-1].newEnd+1
		}
		if i+1 < len(edits) {
			room.oldEnd, room.newEnd = edits[i+1].oldStart-1, edits[i+1].newStart-1
		}
		switch {
		case e.oldStart == e.oldEnd:
			up, down := room.newStart-e.newStart, room.newEnd-e.newEnd
			edits[i] = e.move(bestShift(t.new, t.newIDs, e.newStart, e.newEnd, up, down))
		case e.newStart == e.newEnd:
			up, down := room.oldStart-e.oldStart, room.oldEnd-e.oldEnd
			edits[i] = e.move(bestShift(t.old, t.oldIDs, e.oldStart, e.oldEnd, up, down))
		}
	}
	return edits
}

func (e edit) move(by int) edit {
	return edit{e.oldStart + by, e.oldEnd + by, e.newStart + by, e.newEnd + by}
}

// bestShift returns how far lines[start:end] is best moved: at least up, which
// isn't positive, and at most down.
func bestShift(lines []string, ids []rune, start, end, up, down int) int {
	first, last := 0, 0
	for first > up && ids[start+first-1] == ids[end+first-1] {
		first--
	}
	for last < down && ids[start+last] == ids[end+last] {
		last++
	}
	for shift := last; shift >= first; shift-- {
		if strings.TrimSpace(lines[end+shift-1]) == "" {
			return shift
		}
	}
	return last
}
