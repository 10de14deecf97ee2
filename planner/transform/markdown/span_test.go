package markdown

import (
	"context"
	"testing"

	"distributor/catalog/storage"
	"distributor/planner/transform"
)

func TestContentSpan(t *testing.T) {
	for _, c := range []struct{ name, template, source, want string }{
		{"once", "<main>{{.Content}}</main>", "# A\n", "<h1 id=\"a\">A</h1>\n"},
		{"at the ends", "{{.Content}}", "a", "<p>a</p>\n"},
		{"twice", "{{.Content}}{{.Content}}", "a", ""},
		{"not at all", "<p>{{.Title}}</p>", "a", ""},
		{"escaped", "<p title=\"{{.Content}}\">", "a*b*", ""},
		{"nothing", "<main>{{.Content}}</main>", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := New(Options{Template: []byte(c.template), TemplateName: "page.html"})
			if err != nil {
				t.Fatal(err)
			}
			out, err := r.Render(context.Background(), transform.Input{
				Source: storage.MustPath("a.md"), Bytes: []byte(c.source), Output: storage.MustPath("a.html")})
			if err != nil {
				t.Fatal(err)
			}
			if got := string(out.Content.Of(out.Bytes)); got != c.want {
				t.Errorf("content %q of %q, want %q", got, out.Bytes, c.want)
			}
		})
	}
}
