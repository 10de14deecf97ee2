package catalog

// chunkLen is how many records are allocated together while their number is
// not known yet.
const chunkLen = 1024

// chunks collects records without copying them each time there are more. The
// zero value is empty.
type chunks struct {
	full [][]Record // all but the last with chunkLen records
	n    int
}

// add appends a zero record and returns it.
func (c *chunks) add() *Record {
	if c.n%chunkLen == 0 {
		c.full = append(c.full, make([]Record, chunkLen))
	}
	c.n++
	return c.at(c.n - 1)
}

// at returns the record with this index.
func (c *chunks) at(i int) *Record { return &c.full[i/chunkLen][i%chunkLen] }

// take returns all records in one slice and empties c chunk by chunk, so that
// the memory of those that were copied can be used again.
func (c *chunks) take() []Record {
	all := make([]Record, 0, c.n)
	for i, chunk := range c.full {
		all = append(all, chunk[:min(chunkLen, c.n-len(all))]...)
		c.full[i] = nil
	}
	*c = chunks{}
	return all
}
