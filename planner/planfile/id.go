package planfile

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"distributor/catalog/storage"
)

// members is a JSON object whose values are kept as they are.
type members = map[string]jsontext.Value

// identified is plan.json, taken apart as far as the id leaves something out.
type identified struct {
	Request members   `json:"request,omitzero"`
	Sources []members `json:"sources,omitzero"`
	Others  members   `json:",embed"`
}

// drop takes out what the id doesn't depend on: where and when the plan was
// made and by which program, what it carries along, how thoroughly it looked,
// and what it only tells people. The list is fixed for the major version.
func (f *identified) drop() {
	for _, name := range []string{"id", "created_at", "distributor_version", "content", "unchanged", "warnings", "broken_links"} {
		delete(f.Others, name)
	}
	for _, name := range []string{"embed", "deep", "unchanged"} {
		delete(f.Request, name)
	}
	for _, s := range f.Sources {
		delete(s, "location")
	}
}

// planID computes a plan's id: the SHA-256 of the RFC 8785 form of plan.json
// without what drop takes out, followed by the digest of changes.jsonl as
// text. It works on the text, not on what this program understands of it, so
// that a field of a newer minor version counts too.
func planID(planJSON []byte, changes storage.Digest) (storage.Digest, error) {
	var f identified
	if err := json.Unmarshal(planJSON, &f); err != nil {
		return storage.Digest{}, jsonError(err)
	}
	f.drop()
	form, err := json.Marshal(f)
	if err != nil {
		return storage.Digest{}, jsonError(err)
	}
	if err := (*jsontext.Value)(&form).Canonicalize(); err != nil {
		return storage.Digest{}, jsonError(err)
	}
	return storage.SumBytes(append(form, changes.String()...)), nil
}

// sumContent sums up the contents: the digest of the text that sha256sum
// prints for the content members in byte order of name.
func sumContent(sizes map[storage.Digest]int64) contentSum {
	h := sha256.New()
	var total int64
	for _, d := range slices.SortedFunc(maps.Keys(sizes), storage.Digest.Compare) {
		total += sizes[d]
		_, _ = fmt.Fprintf(h, "%s  %s%s\n", d.Hex(), contentPrefix, d.Hex())
	}
	return contentSum{nat(len(sizes)), nat(total), storage.DigestOf(h)}
}
