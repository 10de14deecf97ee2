package planfile

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/flate"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"distributor/catalog/storage"
)

// refused opens b and wants an *Error that says each of the words.
func refused(t *testing.T, b []byte, words ...string) {
	t.Helper()
	path := writeFile(t, b)
	f, err := Open(context.Background(), path)
	if err == nil {
		_ = f.Close()
		t.Fatal("opened")
	}
	var bad *Error
	if !errors.As(err, &bad) || bad.Path != path {
		t.Fatalf("%T, want an *Error that names the file: %v", err, err)
	}
	if len(err.Error()) > 2000 {
		t.Errorf("is told in %d bytes: %v", len(err.Error()), err)
	}
	for _, w := range append(words, path) {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("doesn't say %q: %v", w, err)
		}
	}
}

// opens says whether b passes as a plan file.
func opens(b []byte) bool {
	f := &File{path: "x.plan", file: bytes.NewReader(b), size: int64(len(b))}
	return f.check(context.Background()) == nil
}

func TestEveryFlippedByteIsRefused(t *testing.T) {
	b := withUnchanged().bytes(t)
	for at := range b {
		for _, mask := range []byte{0x01, 0x20, 0x80, 0xff} {
			b[at] ^= mask
			if opens(b) {
				t.Errorf("byte %d of %d, xor %#x: opens", at, len(b), mask)
			}
			b[at] ^= mask
		}
	}
	if !opens(b) {
		t.Error("without damage: refused")
	}
}

func TestEveryCutIsRefused(t *testing.T) {
	b := withUnchanged().bytes(t)
	for n := range b {
		if opens(b[:n]) {
			t.Errorf("cut after %d of %d bytes: opens", n, len(b))
		}
	}
}

func TestNotAPlan(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(context.Background(), dir); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("folder: %v", err)
	}
	missing := filepath.Join(dir, "no.plan")
	if _, err := Open(context.Background(), missing); !errors.Is(err, os.ErrNotExist) || !strings.HasPrefix(err.Error(), missing) {
		t.Errorf("missing file: %v", err)
	}
	refused(t, nil, "is not a plan file")
	refused(t, []byte("{}"), "is not a plan file")
	refused(t, bytes.Repeat([]byte("x"), 1000), "is not a plan file")
	var plain bytes.Buffer
	z := zip.NewWriter(&plain)
	add(t, z, "a.txt", "an ordinary archive")
	_ = z.Close()
	refused(t, plain.Bytes(), "comment")
	refused(t, sealed(t, func(z *zip.Writer) { add(t, z, "a.txt", "a sealed archive") }), "is not a plan file", planName)
	good := sampleBytes(t)
	refused(t, append(append([]byte{}, good...), '\n'), "damaged")
	refused(t, append([]byte("#!/bin/sh\n"), good...), "is not a plan file")
	refused(t, append(append([]byte{}, good[:100]...), good...), "damaged")
}

// TestForged edits a plan as somebody would who can make every digest right.
func TestForged(t *testing.T) {
	replace := func(old, new string) func(*archive) {
		return func(a *archive) {
			if !strings.Contains(a.changes, old) {
				panic("the sample doesn't contain " + old)
			}
			a.changes = strings.Replace(a.changes, old, new, 1)
		}
	}
	inPlan := func(name, old, new string) func(*archive) {
		return func(a *archive) {
			if !strings.Contains(string(a.plan[name]), old) {
				panic(name + " doesn't contain " + old)
			}
			a.plan[name] = jsontext.Value(strings.Replace(string(a.plan[name]), old, new, 1))
		}
	}
	member := func(name, value string) func(*archive) {
		return func(a *archive) { a.plan[name] = jsontext.Value(value) }
	}
	keepID := func(edit func(*archive)) func(*archive) {
		return func(a *archive) { edit(a); a.keepID = true }
	}
	everywhere := func(old, new string) func(*archive) {
		return func(a *archive) { a.changes = strings.ReplaceAll(a.changes, old, new) }
	}
	forgeries := map[string]struct {
		edit func(*archive)
		want string
	}{
		"path leaves the root":      {everywhere(`"c"`, `"../../etc/passwd"`), `"../../etc/passwd" has a ".." segment`},
		"absolute path":             {everywhere(`"c"`, `"/etc/passwd"`), "starts with a slash"},
		"path of the catalog":       {everywhere(`"c"`, `".distributor.json"`), "reserved"},
		"path of the staging":       {everywhere(`"c"`, `"d/.Distributor/x"`), "reserved"},
		"path with a backslash":     {everywhere(`"c"`, `"c\\d"`), "backslash"},
		"record of another path":    {replace(`"after":{"path":"c"`, `"after":{"path":"d"`), "not the change's"},
		"moved to outside":          {replace(`"moved":"f"`, `"moved":"../f"`), "moved"},
		"out of order":              {everywhere(`"path":"c"`, `"path":"z"`), "comes after"},
		"twice":                     {everywhere(`"path":"d"`, `"path":"c"`), "comes after"},
		"root that isn't there":     {everywhere(`{"root":1,`, `{"root":2,`), "at root 2"},
		"root far away":             {everywhere(`{"root":1,`, `{"root":9007199254740991,`), "at root 9007199254740991"},
		"root missing":              {everywhere(`{"root":1,`, `{`), "root is missing"},
		"root negative":             {replace(`{"root":0,`, `{"root":-1,`), "not an integer"},
		"root with exponent":        {replace(`{"root":0,`, `{"root":0e0,`), "not an integer"},
		"unknown action":            {replace(`"action":"drop"`, `"action":"burn"`), `action "burn" is not known`},
		"unknown reason":            {replace(`"reason":"bundle"`, `"reason":"fun"`), `reason "fun" is not known`},
		"reason of another action":  {replace(`"reason":"link"`, `"reason":"new"`), `reason "new" does not fit`},
		"create without after":      {replace(`"action":"update"`, `"action":"delete"`), "does not fit"},
		"delete of what isn't ours": {replace(`"action":"block","reason":"link"`, `"action":"delete","reason":"unplanned"`), "does not fit"},
		"record over other bytes":   {replace(`"action":"update","reason":"drift"`, `"action":"record","reason":"bundle"`), "does not fit"},
		"overwritten as if owned":   {replace(`"reason":"overwritten"`, `"reason":"content"`), "does not fit"},
		"overwritten unasked":       {inPlan("request", `"i*"`, ``), "neither --adopt nor --overwrite"},
		"superseded that isn't":     {replace(`"reason":"overwritten"`, `"reason":"superseded"`), "and it is not"},
		"unknown kind of output":    {replace(`"kind":"generated"`, `"kind":"made"`), `"made"`},
		"unknown kind in storage":   {replace(`"kind":"absent"`, `"kind":"ghost"`), `"ghost"`},
		"unknown kind of diff":      {replace(`"kind":"binary"`, `"kind":"blob"`), `"blob"`},
		"size negative":             {replace(`"size":4`, `"size":-4`), "not an integer"},
		"size too large":            {replace(`"size":4`, `"size":9007199254740992`), "not an integer"},
		"size a string":             {replace(`"size":4`, `"size":"4"`), "not an integer"},
		"size null":                 {replace(`"size":4`, `"size":null`), "null can't stand here"},
		"size missing":              {replace(`,"size":4`, ``), "size is missing"},
		"digest in upper case":      {replace(`sha256:`, `SHA256:`), "is not \"sha256:\""},
		"digest missing":            {replace(`"digest":`, `"Digest":`), "digest is missing"},
		"time of no such day":       {replace(`"created":"2026-06-19`, `"created":"2026-02-30`), "timestamp"},
		"times of its own":          {replace(`"url":"https`, `"created_at":"2026-06-19T12:00:00Z","url":"https`), "after has times"},
		"duplicate key":             {replace(`"reason":"new"`, `"reason":"new","reason":"new"`), "duplicate"},
		"owner of another":          {replace(`"pipeline_id":"weather.daily"`, `"pipeline_id":"archive"`), "belongs to"},
		"not JSON":                  {replace(`{"root":0`, `root 0`), "line 1"},
		"two on a line":             {replace("\n", " "), "line 1"},
		"no line feed at the end":   {func(a *archive) { a.changes = strings.TrimSuffix(a.changes, "\n") }, "has no end"},
		"empty line":                {replace("\n", "\n\n"), "line 2"},
		"hunk without mark":         {replace(`"+body{}"`, `"*body{}"`), "hunk 1"},
		"hunk with empty line":      {replace(`"+body{}"`, `""`), "hunk 1"},
		"hunk miscounted":           {replace(`"new_lines":2`, `"new_lines":3`), "count"},
		"a change left out":         {func(a *archive) { _, a.changes, _ = strings.Cut(a.changes, "\n") }, "in its changes"},
		"content left out": {func(a *archive) {
			a.order = a.order[1:]
			delete(a.contents, contentPrefix+storage.SumBytes([]byte("<p>a")).Hex())
		}, "content is missing"},
		"content nobody wants": {func(a *archive) {
			name := contentPrefix + strings.Repeat("0", 64)
			a.order, a.contents[name] = append(a.order, name), "stowaway"
		}, "belongs to no change"},
		"content of another length": {func(a *archive) { a.contents[a.order[0]] = "longer than it was" }, "size"},

		"unknown cause":               {replace(`"causes":["path"]`, `"causes":["fun"]`), `cause "fun" is not known`},
		"cause twice":                 {replace(`"causes":["path"]`, `"causes":["path","path"]`), `cause "path" comes after "path"`},
		"causes out of order":         {replace(`"source-file","owner"`, `"owner","source-file"`), `cause "source-file" comes after "owner"`},
		"owner that doesn't change":   {replace(`"causes":["path"]`, `"causes":["owner"]`), `cause "owner" does not fit`},
		"drift that isn't":            {replace(`"causes":["path"]`, `"causes":["drift"]`), `cause "drift" does not fit`},
		"retention without prune":     {replace(`"causes":["source-file-gone"]`, `"causes":["retention"]`), `cause "retention" does not fit`},
		"source gone and published":   {replace(`"causes":["path"]`, `"causes":["source-file-gone"]`), `cause "source-file-gone" does not fit`},
		"cause of what is kept":       {replace(`"causes":["drift"]`, `"causes":["template"]`), `cause "template" does not fit`},
		"source of another page":      {replace(`"source_file":"in.md"`, `"source_file":"out.md"`), `source_file "out.md" is not the record's`},
		"source outside the bundle":   {replace(`"source_file":"styles/b.css"`, `"source_file":"../b.css"`), `".." segment`},
		"source of what goes":         {replace(`"causes":["source-file-gone"]`, `"source_file":"in.md"`), "an output that nothing makes"},
		"diff of no source":           {replace(`"source_file":"styles/b.css",`, ``), "no source_file"},
		"diff of what is no cause":    {replace(`"source-file","owner"`, `"owner"`), "no cause"},
		"unknown kind of source diff": {replace(`"kind":"large"`, `"kind":"blob"`), "source_diff"},

		"moved from another path":   {replace(`"moved":"f"`, `"moved":"e"`), "halves of its moves"},
		"diff left out":             {replace(`"diff":{"kind":"text"`, `"note":{"kind":"text"`), "diff is missing"},
		"diff of what moves":        {replace(`"moved":"f"`, `"moved":"f","diff":{"kind":"text","summary":"empty file","added":0,"removed":0}`), "bytes that stay"},
		"diff that counts more":     {replace(`"added":1,"removed":1`, `"added":2,"removed":1`), "its hunks add 1 lines and remove 1, and it counts 2 and 1"},
		"diff that counts no hunks": {replace(`"kind":"binary","summary":"binary: 2 bytes become 1","added":0`, `"kind":"binary","summary":"binary: 2 bytes become 1","added":9007199254740991`), "no summary alone"},
		"binary diff with hunks":    {replace(`"kind":"text"`, `"kind":"binary"`), `kind "binary" has no hunks`},
		"hunk at another line":      {replace(`"new_start":1`, `"new_start":2`), "hunk 1 doesn't follow"},
		"rules that make an output": {replace(`"causes":["path"]`, `"causes":["rules"]`), `cause "rules" does not fit`},
		"list of a source file":     {replace(`"causes":["path"]`, `"causes":["listing"]`), `cause "listing" does not fit`},

		"link at no root":          {inPlan("broken_links", `"root": 0`, `"root": 2`), "at root 2"},
		"link without root":        {inPlan("broken_links", `"root": 0,`, ``), "broken_links.links[0].root is missing"},
		"link in no page":          {inPlan("broken_links", `a/index.html`, `/a`), "broken_links.links[0].page"},
		"link out of the root":     {inPlan("broken_links", `"f"`, `"../f"`), "broken_links.links[1].target"},
		"links out of order":       {inPlan("broken_links", `a/index.html`, `z`), `"e/keep" comes after one in "z"`},
		"links not counted":        {inPlan("broken_links", `"count": 3`, `"count": 1`), "1 broken links are counted, and 2 listed"},
		"skipped and changed":      {skipAll, "yet outputs of it change"},
		"at another's root":        {inPlan("publications", `"root": 0`, `"root": 1`), "its destination doesn't reach"},
		"address that is a script": {inPlan("publications", `"base_url": "https://reports.example.com"`, `"base_url": "javascript:alert(1)"`), "not an address of http or https"},
		"address with a user":      {inPlan("publications", `"base_url": "https://`, `"base_url": "https://me:secret@`), "not an address of http or https"},
		"primary elsewhere":        {inPlan("publications", `"primary": "https://reports.example.com/`, `"primary": "https://example.org/`), "is not below base_url"},
		"primary without address":  {inPlan("publications", `"base_url"`, `"base"`), "without base_url"},
		"kept in no catalog":       {inPlan("roots", `"kept": 0`, `"kept": 9`), "no catalog that they could be in"},
		"nothing configures more":  {inPlan("roots", `"records": 2`, `"records": 3`), "and 2 in all"},
		"a line feed in a line":    {replace(`"+body{}"`, `"+body\n{}"`), "line feed"},

		"links without count": {inPlan("broken_links", `"count": 3,`, ``), "broken_links.count is missing"},

		"id of before":       {keepID(inPlan("roots", `/srv/www"`, `/srv/ww"`)), "its id is"},
		"changes of before":  {keepID(replace(`"detail":"`, `"detail":"Trust me. `)), "not the one that plan.json names"},
		"contents of before": {keepID(func(a *archive) { a.contents[a.order[0]] += "!" }), "contents are not those"},
		"major version":      {member("format_version", `"2.0"`), "format version 2.0, and this distributor reads versions 1.x"},
		"future major version": {func(a *archive) {
			a.plan = members{"format_version": jsontext.Value(`"10.3"`), "roots": jsontext.Value(`7`)}
			a.keepID = true
		}, "format version 10.3"},
		"nested very deeply": {func(a *archive) {
			a.changes = strings.Replace(a.changes, "{", `{"deep":`+strings.Repeat("[", 20000)+strings.Repeat("]", 20000)+",", 1)
		}, "/deep/0/0/"},
		"version of no form":    {member("format_version", `"1"`), `"1" is not a version`},
		"version missing":       {func(a *archive) { delete(a.plan, "format_version") }, "is not a version"},
		"version a number":      {member("format_version", `1.0`), "format_version"},
		"created_at missing":    {func(a *archive) { delete(a.plan, "created_at") }, "created_at is missing"},
		"created_at null":       {member("created_at", "null"), "null can't stand here"},
		"mode unknown":          {inPlan("request", `"publish"`, `"destroy"`), `"destroy" is not known`},
		"embed a string":        {inPlan("request", `"embed": true`, `"embed": "yes"`), "/request/embed"},
		"count of others":       {inPlan("roots", `"deleted": 1`, `"deleted": 0`), "in its changes"},
		"count missing":         {inPlan("roots", `"created": 1,`, ``), "roots[0].counts.created is missing"},
		"bytes of others":       {inPlan("roots", `"bytes_written": 14`, `"bytes_written": 13`), "in its changes"},
		"moves of others":       {replace(`,"moved":"a/index.html"`, ``), "move away"},
		"drift of others":       {inPlan("roots", `"missing": 2`, `"missing": 0`), "drift"},
		"roots out of order":    {inPlan("roots", `/srv/www"`, `/srv/www3"`), "comes after"},
		"root without address":  {inPlan("roots", `"location": "/srv/www"`, `"location": ""`), "no address"},
		"relative root":         {inPlan("roots", `"location": "/srv/www"`, `"location": "srv/www"`), "is not absolute"},
		"unclean root":          {inPlan("roots", `"location": "/srv/www"`, `"location": "/tmp/../srv/www"`), "is not clean"},
		"root with NUL":         {inPlan("roots", `"location": "/srv/www"`, `"location": "/srv/\u0000www"`), "control character"},
		"configured elsewhere":  {inPlan("roots", `"configured": "`, `"configured": ".`), "is not absolute"},
		"baseline without sum":  {inPlan("roots", `"exists": true`, `"exists": false`), "does not exist"},
		"baseline without time": {inPlan("roots", `"updated_at"`, `"updated"`), "no updated_at"},
		"no result":             {inPlan("roots", `"result"`, `"results"`), "no result"},
		"publication elsewhere": {inPlan("publications", `"root": 0`, `"root": 7`), "at root 7"},
		"publications unsorted": {inPlan("publications", `"archive"`, `"zoo"`), "comes after"},
		"block that isn't":      {inPlan("roots", `"max-delete"`, `"new"`), "does not fit"},
	}
	good := sampleBytes(t)
	for name, forgery := range forgeries {
		t.Run(name, func(t *testing.T) {
			a := takeApart(t, good)
			forgery.edit(a)
			refused(t, a.zip(t, nil), forgery.want, makeAgain)
		})
	}
	f := open(t, writeFile(t, takeApart(t, good).zip(t, nil)))
	if f.Plan().ID != open(t, writeFile(t, good)).Plan().ID {
		t.Error("taking a plan apart and putting it together changes its id")
	}
}

// TestForgedUnchanged is TestForged for what stays.
// skipAll gives what skips the first publication to each.
func skipAll(a *archive) {
	var pubs []map[string]jsontext.Value
	if err := json.Unmarshal(a.plan["publications"], &pubs); err != nil {
		panic(err)
	}
	for _, p := range pubs {
		p["skipped"] = pubs[0]["skipped"]
	}
	text, err := json.Marshal(pubs)
	if err != nil {
		panic(err)
	}
	a.plan["publications"] = text
}

func TestForgedUnchanged(t *testing.T) {
	replace := func(old, by string) func(*archive) {
		return func(a *archive) {
			if !strings.Contains(*a.stays, old) {
				panic("what stays doesn't contain " + old)
			}
			a.stays = new(strings.Replace(*a.stays, old, by, 1))
		}
	}
	forgeries := map[string]struct {
		edit func(*archive)
		want string
	}{
		"left out": {func(a *archive) {
			a.stays = nil
			delete(a.plan, "unchanged")
		}, "don't go together"},
		"left out, but summed up": {func(a *archive) { a.stays = nil }, "it has unchanged.jsonl"},
		"not summed up":           {func(a *archive) { a.text(t); delete(a.plan, "unchanged"); a.keepID = true }, "don't go together"},
		"not asked for": {func(a *archive) {
			a.plan["request"] = jsontext.Value(strings.Replace(string(a.plan["request"]), `"unchanged": true`, `"unchanged": false`, 1))
		}, "don't go together"},
		"of before": {func(a *archive) { a.text(t); a.keepID = true; a.stays = new("{}\n" + *a.stays) }, "line 1"},
		"of before, cut": {func(a *archive) {
			a.text(t)
			a.keepID = true
			_, rest, _ := strings.Cut(*a.stays, "\n")
			a.stays = &rest
		}, "not the one that plan.json names"},
		"one left out":             {func(a *archive) { _, rest, _ := strings.Cut(*a.stays, "\n"); a.stays = &rest }, "7 unchanged and 2 kept in its counts, 6 and 2 are there"},
		"kept as if planned":       {replace(`"kept":true,`, ``), "8 and 1 are there"},
		"planned as if kept":       {replace(`{"root":0,`, `{"root":0,"kept":true,`), "6 and 3 are there"},
		"has a change too":         {replace(`"path":"c/d"`, `"path":"c"`), `"c" stays as it is, and has a change`},
		"twice":                    {replace(`"path":"b"`, `"path":"a"`), `"a" comes after "a"`},
		"out of order":             {replace(`"path":"b"`, `"path":"zz"`), `comes after "zz"`},
		"at no root":               {replace(`{"root":0,"kept"`, `{"root":2,"kept"`), "at root 2"},
		"at a root far away":       {replace(`{"root":0,"kept"`, `{"root":9007199254740991,"kept"`), "at root 9007199254740991"},
		"root missing":             {replace(`{"root":0,`, `{`), "root is missing"},
		"record missing":           {replace(`"record":`, `"records":`), "record is missing"},
		"path leaves the root":     {replace(`"path":"b"`, `"path":"../b"`), `".." segment`},
		"path of the catalog":      {replace(`"path":"b"`, `"path":".distributor.json"`), "reserved"},
		"no times":                 {replace(`"created_at":`, `"created":`), "no times"},
		"size negative":            {replace(`"size":5`, `"size":-5`), "not an integer"},
		"null":                     {replace(`"size":5`, `"size":null`), "null can't stand here"},
		"not JSON":                 {replace(`{"root":0`, `root 0`), "line 1"},
		"empty line":               {replace("\n", "\n\n"), "line 2"},
		"no line feed at the end":  {func(a *archive) { a.stays = new(strings.TrimSuffix(*a.stays, "\n")) }, "has no end"},
		"record of no sound owner": {replace(`"pipeline_id":"weather.daily"`, `"pipeline_id":"-"`), "line 1"},
	}
	good := withUnchanged().bytes(t)
	for name, forgery := range forgeries {
		t.Run(name, func(t *testing.T) {
			a := takeApart(t, good)
			forgery.edit(a)
			refused(t, a.zip(t, nil), forgery.want, makeAgain)
		})
	}
	f := open(t, writeFile(t, takeApart(t, good).zip(t, nil)))
	if f.Plan().ID != open(t, writeFile(t, good)).Plan().ID {
		t.Error("taking a plan apart and putting it together changes its id")
	}
}

// TestNewerMinor adds fields that this version doesn't know. They count in the
// id all the same.
func TestNewerMinor(t *testing.T) {
	a := takeApart(t, sampleBytes(t))
	before := a.text(t)
	a.plan["format_version"] = jsontext.Value(`"1.7"`)
	a.plan["approvals"] = jsontext.Value(`[{"by":"someone"}]`)
	a.changes = strings.Replace(a.changes, `"reason":"bundle"`, `"reason":"new-in-seven","weight":3`, 1)
	a.changes = strings.Replace(a.changes, `"causes":["path"]`, `"causes":["moon","path"]`, 1)
	f := open(t, writeFile(t, a.zip(t, nil)))
	for c, err := range f.Changes() {
		if err != nil {
			t.Fatal(err)
		}
		if c.Path.String() == "a/index.html" && (len(c.Causes) != 2 || c.Causes[0] != "moon") {
			t.Errorf("causes %q, want the new one too", c.Causes)
		}
	}
	if bytes.Contains(before, []byte(f.Plan().ID.String())) {
		t.Error("an unknown field doesn't change the id")
	}
	a.plan["approvals"] = jsontext.Value(`[]`)
	if open(t, writeFile(t, a.zip(t, nil))).Plan().ID == f.Plan().ID {
		t.Error("an unknown field doesn't change the id")
	}
}

// TestLayout hides things where a zip archive has room for them.
func TestLayout(t *testing.T) {
	good := takeApart(t, sampleBytes(t))
	with := func(fill func(z *zip.Writer)) []byte { return good.zip(t, fill) }
	plain := func(name string) []byte { return with(func(z *zip.Writer) { add(t, z, name, "") }) }
	special := func(edit func(h *zip.FileHeader)) []byte {
		return edited(t, good, edit)
	}
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"another member":   {plain("README"), "not one of a plan's"},
		"outside":          {plain("../x"), "not one of a plan's"},
		"absolute":         {plain("/x"), "not one of a plan's"},
		"a folder":         {plain("content/"), "not one of a plan's"},
		"content a folder": {plain(good.order[0] + "/"), "not one of a plan's"},
		"upper case":       {plain(contentPrefix + strings.Repeat("A", 64)), "not one of a plan's"},
		"content twice":    {plain(good.order[0]), "twice"},
		"changes twice":    {plain(changesName), "not one of a plan's"},
		"what stays last":  {plain(unchangedName), "not one of a plan's"},
		"plan twice":       {plain(planName), "not one of a plan's"},
		"encrypted":        {special(func(h *zip.FileHeader) { h.Flags |= 1 }), "encrypted"},
		"a symbolic link":  {special(func(h *zip.FileHeader) { h.SetMode(os.ModeSymlink | 0o777) }), "no plain file"},
		"its own comment":  {special(func(h *zip.FileHeader) { h.Comment = "hello" }), "contradicts"},
		"extra field":      {special(func(h *zip.FileHeader) { h.Extra = []byte{0xfe, 0xca, 0, 0} }), "contradicts"},
		"unknown method":   {special(func(h *zip.FileHeader) { h.Method = 12 }), "method 12"},
		"before it":        {moved(t, good, func(b []byte) []byte { return append([]byte("PK\x03\x04 hidden"), b...) }), "contradicts"},
		"before the directory": {moved(t, good, func(b []byte) []byte {
			at := directoryOffset(b)
			b = append(append(append([]byte{}, b[:at]...), "hidden"...), b[at:]...)
			binary.LittleEndian.PutUint32(b[len(b)-storage.DigestLen-6:], uint32(at+6))
			return b
		}), "contradicts"},
		"after the directory": {moved(t, good, func(b []byte) []byte {
			end := len(b) - storage.DigestLen - endLen
			return append(append(append([]byte{}, b[:end]...), "hidden"...), b[end:]...)
		}), "contradicts"},
		"another name before the data": {moved(t, good, func(b []byte) []byte {
			copy(b[localLen:], "Changes.jsonl")
			return b
		}), "contradicts"},
		"another sum after the data": {moved(t, good, func(b []byte) []byte {
			at := bytes.Index(b, []byte("PK\x07\x08"))
			b[at+9]++
			return b
		}), "contradicts"},
		"another count in the end": {moved(t, good, func(b []byte) []byte {
			b[len(b)-storage.DigestLen-endLen+4]++ // the number of the disk
			return b
		}), "contradicts"},
	} {
		t.Run(name, func(t *testing.T) { refused(t, c.file, c.want) })
	}
}

// edited rewrites an archive's first content with another header.
func edited(t *testing.T, a *archive, edit func(h *zip.FileHeader)) []byte {
	return sealed(t, func(z *zip.Writer) {
		add(t, z, changesName, a.changes)
		for i, name := range a.order {
			p := pack([]byte(a.contents[name]))
			h := header(name, p.method)
			h.CreatorVersion, h.ReaderVersion = 20, 20
			h.CRC32, h.UncompressedSize64, h.CompressedSize64 = p.crc, uint64(p.size), uint64(len(p.bytes))
			if i == 0 {
				edit(h)
			}
			w, err := z.CreateRaw(h)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = w.Write(p.bytes)
		}
		add(t, z, planName, string(a.text(t)))
	})
}

// moved changes an archive's bytes and seals it again.
func moved(t *testing.T, a *archive, edit func(b []byte) []byte) []byte {
	b := edit(a.zip(t, nil))
	end := len(b) - storage.DigestLen
	return append(b[:end:end], storage.SumBytes(b[:end]).String()...)
}

func directoryOffset(b []byte) int {
	return int(binary.LittleEndian.Uint32(b[len(b)-storage.DigestLen-6:]))
}

// TestBomb unpacks to more than it says, and to more than anyone should read.
func TestBomb(t *testing.T) {
	var packed bytes.Buffer
	z, _ := flate.NewWriter(&packed, flate.BestCompression)
	_, _ = z.Write(make([]byte, 1<<20))
	_ = z.Close()
	bomb := func(name string, size uint64) []byte {
		return sealed(t, func(w *zip.Writer) {
			for _, member := range []string{changesName, planName} {
				h := header(member, zip.Deflate)
				h.CreatorVersion, h.ReaderVersion = 20, 20
				body := []byte{3, 0} // nothing, deflated
				if member == name {
					body, h.UncompressedSize64 = packed.Bytes(), size
				}
				h.CompressedSize64 = uint64(len(body))
				m, err := w.CreateRaw(h)
				if err != nil {
					t.Fatal(err)
				}
				_, _ = m.Write(body)
			}
		})
	}
	refused(t, bomb(planName, 80<<20), planName, "more than")
	refused(t, bomb(planName, 1<<10), planName)
}

func TestEndlessLine(t *testing.T) {
	r := lineReader{lines: bufio.NewReader(endless{})}
	if _, err := r.line(); err == nil || !strings.Contains(err.Error(), "line 1: is longer than") {
		t.Errorf("got %v", err)
	}
}

// endless is a line that never ends.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

// TestContentOfOtherBytes is a plan whose content was swapped for one of the
// same length by somebody who made the other digests right.
func TestContentOfOtherBytes(t *testing.T) {
	a := takeApart(t, sampleBytes(t))
	a.contents[a.order[0]] = "<p>b"
	path := writeFile(t, a.zip(t, nil))
	r, err := open(t, path).Content(storage.SumBytes([]byte("<p>a")))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var bad *Error
	if b, err := io.ReadAll(r); !errors.As(err, &bad) || bad.Path != path {
		t.Errorf("read %q, %v; want an *Error", b, err)
	}
}

func TestOpenStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Open(ctx, writeFile(t, sampleBytes(t))); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestChangedWhileOpen changes the file under a reader.
func TestChangedWhileOpen(t *testing.T) {
	path := writeFile(t, sampleBytes(t))
	f := open(t, path)
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.WriteAt([]byte{0}, int64(localLen+len(changesName)+20)); err != nil {
		t.Fatal(err)
	}
	for _, err = range f.Changes() {
		if err != nil {
			break
		}
	}
	if err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("got %v", err)
	}
}

func ExampleError() {
	fmt.Println(notPlan("daily.plan", "it does not begin like a zip archive"))
	fmt.Println(unsound("daily.plan", errors.New("plan.json: /id: is missing")))
	// Output:
	// daily.plan: is not a plan file: it does not begin like a zip archive; give the file that plan --out wrote
	// daily.plan: is not a sound plan: plan.json: /id: is missing; make the plan again
}
