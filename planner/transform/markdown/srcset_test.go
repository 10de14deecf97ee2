package markdown

import "testing"

func TestSrcset(t *testing.T) {
	links := published{"a.png": "p/a.png", "b.png": "p/b.png", "a,b.png": "p/c.png"}
	tests := []struct{ name, srcset, want string }{
		{"one", "a.png", "p/a.png"},
		{"several", "a.png, b.png 2x", "p/a.png, p/b.png 2x"},
		{"blanks and commas around", " ,a.png 100w\t,\nb.png\t200w , ", " ,p/a.png 100w\t,\np/b.png\t200w , "},
		{"a comma after an address", "a.png,, b.png", "p/a.png,, p/b.png"},
		{"a comma in an address", "a,b.png 1x,b.png 2x", "p/c.png 1x,p/b.png 2x"},
		{"data", "data:image/png;base64,b.png 1x, b.png 2x", "data:image/png;base64,b.png 1x, p/b.png 2x"},
		{"parentheses", "a.png x(b.png, b.png), b.png", "p/a.png x(b.png, b.png), p/b.png"},
		{"an open parenthesis", "a.png (, b.png", "p/a.png (, b.png"},
		{"nothing", "", ""},
		{"another's", "https://example.com/a.png 2x", "https://example.com/a.png 2x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := withTemplate("{{.Content}}")
			o.UnsafeHTML = true
			got, warnings := renderWith(t, o, input("page.md", "x <img srcset=\""+tt.srcset+"\">", links))
			if want := "<p>x <img srcset=\"" + tt.want + "\"></p>\n"; got != want || len(warnings) > 0 {
				t.Errorf("got  %q, warnings %v\nwant %q", got, warnings, want)
			}
		})
	}
}
