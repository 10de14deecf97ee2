package textdiff

import (
	"slices"
	"sort"
)

// anchor is a line that both texts have exactly once: where it is in each.
type anchor struct{ old, new int }

// anchors returns the most anchors that come in the same order in both texts,
// in that order. This is the idea of Bram Cohen's patience diff.
func anchors(old, new []rune) []anchor {
	return longestRising(uniqueCommon(old, new))
}

// uniqueCommon returns the lines that are exactly once in old and exactly
// once in new, in the order of old.
func uniqueCommon(old, new []rune) []anchor {
	type place struct{ oldCount, newCount, newPos int }
	places := make(map[rune]place, len(old))
	for _, id := range old {
		p := places[id]
		p.oldCount++
		places[id] = p
	}
	for i, id := range new {
		p := places[id]
		p.newCount++
		p.newPos = i
		places[id] = p
	}
	var common []anchor
	for i, id := range old {
		if p := places[id]; p.oldCount == 1 && p.newCount == 1 {
			common = append(common, anchor{i, p.newPos})
		}
	}
	return common
}

// longestRising returns a longest subsequence of all in which new rises, by
// patience sorting in O(n log n).
func longestRising(all []anchor) []anchor {
	var tops []int                // tops[n] ends the rising run of n+1 anchors whose end is lowest
	prev := make([]int, len(all)) // the anchor before each in its run, or -1
	for i, a := range all {
		n := sort.Search(len(tops), func(j int) bool { return all[tops[j]].new > a.new })
		prev[i] = -1
		if n > 0 {
			prev[i] = tops[n-1]
		}
		if n == len(tops) {
			tops = append(tops, i)
		} else {
			tops[n] = i
		}
	}
	if len(tops) == 0 {
		return nil
	}
	var run []anchor
	for i := tops[len(tops)-1]; i >= 0; i = prev[i] {
		run = append(run, all[i])
	}
	slices.Reverse(run)
	return run
}
