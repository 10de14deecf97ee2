package planner

import (
	"crypto/sha256"
	"encoding/binary"
	"strconv"

	"distributor/catalog/storage"
	"distributor/planner/transform"
)

// Keys stand for everything that decides the bytes of an output, but for what
// rendering asks of other files and for the program itself: those are the
// cache's.

// keyOf returns one digest for several texts.
func keyOf(texts ...string) storage.Digest {
	h := sha256.New()
	var length [binary.MaxVarintLen64]byte
	for _, t := range texts {
		_, _ = h.Write(binary.AppendUvarint(length[:0], uint64(len(t))))
		_, _ = h.Write([]byte(t))
	}
	return storage.DigestOf(h)
}

// pageKey is the key of an output that is made of a source file.
func pageKey(o *output) storage.Digest {
	return keyOf(append(surroundings(o), o.file.Path.String(), o.file.Digest.Hex())...)
}

// encodingKey is the key of another coding of an output that is complete.
func encodingKey(o *output) storage.Digest {
	return keyOf("encoding", o.made.identity, o.made.suffix, o.encodes.record.Digest.Hex())
}

// listKey is the key of a list of outputs.
func listKey(o *output, in transform.Listing) storage.Digest {
	texts := append(surroundings(o), in.Root)
	for _, i := range in.Items {
		texts = append(texts, i.Path.String(), i.URL, i.Title, i.SourceID, i.Created.String(), strconv.FormatInt(i.Size, 10))
	}
	return keyOf(texts...)
}

// surroundings is what an output's recipe may show, whatever it is made of.
func surroundings(o *output) []string {
	b := o.pub.bundle
	texts := []string{o.made.name, o.made.identity, o.pub.owner.Pipeline, o.pub.owner.Destination, o.record.Path.String(), o.record.URL, b.ID}
	if o.made.showsBundle {
		return append(texts, b.Digest.Hex(), b.Created.String())
	}
	return append(texts, "", "")
}
