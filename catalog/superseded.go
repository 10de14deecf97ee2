package catalog

import (
	"context"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"distributor/catalog/storage"
	"distributor/catalog/storage/strictjson"
)

// The keys that the schemas 1 to 3 require somewhere, and their places in
// surveyKeys.
const (
	oldSchema = iota
	oldPipeline
	oldDestination
	oldPublished
	oldSource
	oldOutputs
	oldOwners
)

var (
	surveyKeys   = strictjson.OpenKeys("schema_version", "pipeline_id", "destination_id", "published_at", "source", "outputs", "owners")
	manifestKeys = strictjson.OpenKeys("manifest")
)

// surveyor looks at state of whatever schema: is it sound JSON, which
// schema_version does it have, and what lies under the keys that the old
// schemas require.
type surveyor struct {
	r         *strictjson.Reader
	schema    int64 // 0 for none that is an integer from 1
	kinds     [oldOwners + 1]jsontext.Kind
	manifest  jsontext.Kind
	published string
}

// survey returns the schema_version of the state in r, 0 for none that counts,
// and what keeps it from being sound state of that version. The error is one
// of reading.
func survey(ctx context.Context, r io.Reader) (int64, []strictjson.Problem, error) {
	s := &surveyor{r: strictjson.NewSurveyReader(ctx, r)}
	s.r.Document(surveyKeys, s.read)
	if err := s.r.Err(); err != nil {
		return 0, nil, err
	}
	if !s.r.Stopped() {
		s.require()
	}
	return s.schema, s.r.Problems(), nil
}

func (s *surveyor) read(key int) {
	kind := s.r.Kind()
	s.kinds[key] = kind
	switch {
	case key == oldSchema:
		s.schema, _ = s.r.Integer()
	case key == oldPublished && kind == jsontext.KindString:
		text, _ := s.r.Text()
		s.published = string(text)
	case key == oldSource && kind == jsontext.KindBeginObject:
		s.r.Object(manifestKeys, s.readManifest)
	default:
		s.r.Skip()
	}
}

func (s *surveyor) readManifest(int) {
	s.manifest = s.r.Kind()
	s.r.Skip()
}

// require records which of its required fields state of an old schema lacks.
func (s *surveyor) require() {
	switch s.schema {
	case 1:
		s.requireKind("pipeline_id", s.kinds[oldPipeline], jsontext.KindString)
		s.requireKind("destination_id", s.kinds[oldDestination], jsontext.KindString)
		if _, err := storage.ParseTime(s.published); err != nil {
			s.lacks("published_at", "a timestamp")
		}
		s.requireKind("source.manifest", s.manifest, jsontext.KindBeginObject)
		s.requireKind("outputs", s.kinds[oldOutputs], jsontext.KindBeginArray)
	case 2, 3:
		if s.kinds[oldOutputs] != jsontext.KindBeginArray && s.kinds[oldOwners] != jsontext.KindBeginArray {
			s.lacks(`outputs" or "owners`, "an array")
		}
	}
}

func (s *surveyor) requireKind(field string, got, want jsontext.Kind) {
	if got != want {
		s.lacks(field, strictjson.Phrase(want))
	}
}

func (s *surveyor) lacks(field, what string) {
	s.r.Problem("%s", fmt.Sprintf(`has schema_version %d but lacks %s as "%s", which that schema requires`, s.schema, what, field))
}
