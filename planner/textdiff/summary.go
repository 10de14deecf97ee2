package textdiff

import "fmt"

// sizes tells the sizes before and after, in words; -1 stands for an absent
// file.
func sizes(before, after int64) string {
	switch {
	case before < 0:
		return byteSize(after)
	case after < 0:
		return byteSize(before)
	case before == after:
		return byteSize(before) + " before and after"
	}
	b, a := byteSize(before), byteSize(after)
	if a == b { // rounding hides the difference
		return fmt.Sprintf("%d to %d bytes", before, after)
	}
	return b + " to " + a
}

// byteSize writes n bytes in decimal units with one digit of fraction, as
// file managers do: "999 bytes", "12.3 kB".
func byteSize(n int64) string {
	if n == 1 {
		return "1 byte"
	}
	if n < 1000 {
		return fmt.Sprintf("%d bytes", n)
	}
	const units = "kMGTPE"
	v, u := float64(n)/1000, 0
	for v >= 999.95 && u < len(units)-1 { // would be written as 1000.0
		v /= 1000
		u++
	}
	return fmt.Sprintf("%.1f %cB", v, units[u])
}
