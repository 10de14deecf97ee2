package mathml

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode"
)

func TestRender(t *testing.T) {
	tests := []struct{ name, formula, want string }{
		{"nothing", "", "<mrow></mrow>"},
		{"letters and numbers", "2ab3.14", "<mrow><mn>2</mn><mi>a</mi><mi>b</mi><mn>3.14</mn></mrow>"},
		{"a point at the end", "x=3.", "<mrow><mi>x</mi><mo>=</mo><mn>3</mn><mo>.</mo></mrow>"},
		{"what HTML escapes", `a<b\&"`, "<mrow><mi>a</mi><mo>&lt;</mo><mi>b</mi><mo lspace=\"0\" rspace=\"0\">&amp;</mo><mo>″</mo></mrow>"},
		{"letters of other scripts", "ж字", "<mrow><mi>ж</mi><mi>字</mi></mrow>"},
		{"minus, times and brackets", "-(a*b)", `<mrow><mo>−</mo><mo stretchy="false">(</mo><mi>a</mi><mo>∗</mo><mi>b</mi><mo stretchy="false">)</mo></mrow>`},
		{"comments", "a % b\n c", "<mrow><mi>a</mi><mi>c</mi></mrow>"},

		{"scripts", "x_1^2 y^{ab}", "<mrow><msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup><msup><mi>y</mi><mrow><mi>a</mi><mi>b</mi></mrow></msup></mrow>"},
		{"scripts of one digit", "x^23", "<mrow><msup><mi>x</mi><mn>2</mn></msup><mn>3</mn></mrow>"},
		{"scripts of nothing", "{}^2_1", "<msubsup><mrow></mrow><mn>1</mn><mn>2</mn></msubsup>"},
		{"primes", "f''^2", "<msup><mi>f</mi><mrow><mo>′′</mo><mn>2</mn></mrow></msup>"},
		{"limits", `\sum_{i}^n \int_0^1 \lim_{x}`, `<mrow><munderover><mo movablelimits="true">∑</mo><mi>i</mi><mi>n</mi></munderover><msubsup><mo movablelimits="true">∫</mo><mn>0</mn><mn>1</mn></msubsup><munder><mo movablelimits="true" lspace="0" rspace="0.1667em">lim</mo><mi>x</mi></munder></mrow>`},
		{"limits asked for", `\int\limits_0 \sum\nolimits_i`, `<mrow><munder><mo movablelimits="true">∫</mo><mn>0</mn></munder><msub><mo movablelimits="true">∑</mo><mi>i</mi></msub></mrow>`},

		{"symbols", `\alpha\Gamma\leq\to`, `<mrow><mi>α</mi><mi mathvariant="normal">Γ</mi><mo>≤</mo><mo>→</mo></mrow>`},
		{"functions", `\sin x \ln(x)`, "<mrow><mi>sin</mi><mo>\u2061</mo><mspace width=\"0.1667em\"></mspace><mi>x</mi><mi>ln</mi><mo>\u2061</mo><mo stretchy=\"false\">(</mo><mi>x</mi><mo stretchy=\"false\">)</mo></mrow>"},
		{"a function's power", `\sin^2 x`, "<mrow><msup><mi>sin</mi><mn>2</mn></msup><mo>\u2061</mo><mspace width=\"0.1667em\"></mspace><mi>x</mi></mrow>"},
		{"a name", `\operatorname{rank} A`, "<mrow><mi>rank</mi><mo>\u2061</mo><mspace width=\"0.1667em\"></mspace><mi>A</mi></mrow>"},
		{"spaces", `a\,b\quad c`, `<mrow><mi>a</mi><mspace width="0.1667em"></mspace><mi>b</mi><mspace width="1em"></mspace><mi>c</mi></mrow>`},
		{"text", `\text{if $x} y`, "<mrow><mtext>if\u00a0$x</mtext><mi>y</mi></mrow>"},
		{"variants", `\mathbb{R}\mathcal LM\mathrm{d}\mathbf{x2}`, `<mrow><mi>ℝ</mi><mi>ℒ</mi><mi>M</mi><mi mathvariant="normal">d</mi><mrow><mi>𝐱</mi><mn>𝟐</mn></mrow></mrow>`},
		{"negations", `\not= \not\in`, "<mrow><mo>=\u0338</mo><mo>∈\u0338</mo></mrow>"},

		{"fractions", `\frac12 \frac{a}{b+c}`, "<mrow><mfrac><mn>1</mn><mn>2</mn></mfrac><mfrac><mi>a</mi><mrow><mi>b</mi><mo>+</mo><mi>c</mi></mrow></mfrac></mrow>"},
		{"binomial", `\binom n k`, `<mrow><mo>(</mo><mfrac linethickness="0"><mi>n</mi><mi>k</mi></mfrac><mo>)</mo></mrow>`},
		{"roots", `\sqrt2 \sqrt[3]{x}`, "<mrow><msqrt><mn>2</mn></msqrt><mroot><mi>x</mi><mn>3</mn></mroot></mrow>"},
		{"accents", `\hat x \overline{ab}`, `<mrow><mover accent="true"><mi>x</mi><mo stretchy="false">^</mo></mover><mover accent="true"><mrow><mi>a</mi><mi>b</mi></mrow><mo stretchy="true">¯</mo></mover></mrow>`},
		{"brackets that grow", `\left(x\middle|y\right.`, `<mrow><mo fence="true" stretchy="true">(</mo><mi>x</mi><mo fence="true" stretchy="true">|</mo><mi>y</mi><mo fence="true" stretchy="true"></mo></mrow>`},
		{"brackets of a size", `\bigl[\Bigg\}`, `<mrow><mo stretchy="true" minsize="1.2em" maxsize="1.2em">[</mo><mo stretchy="true" minsize="2.470em" maxsize="2.470em">}</mo></mrow>`},
		{"above and below", `\overset{a}{b}\underbrace{x}_n\xrightarrow{f}`, `<mrow><mover><mi>b</mi><mi>a</mi></mover><munder><munder><mi>x</mi><mo stretchy="true">⏟</mo></munder><mi>n</mi></munder><mover><mo stretchy="true">→</mo><mrow><mspace width="0.4em"></mspace><mi>f</mi><mspace width="0.4em"></mspace></mrow></mover></mrow>`},
		{"colour", `\color{#f00}{x}`, `<mstyle mathcolor="#f00"><mi>x</mi></mstyle>`},
		{"style", `\displaystyle x`, `<mstyle displaystyle="true" scriptlevel="0"><mi>x</mi></mstyle>`},

		{"matrix", `\begin{pmatrix}a&b\\c&d\end{pmatrix}`, `<mrow><mo fence="true" stretchy="true">(</mo><mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr><mtr><mtd><mi>c</mi></mtd><mtd><mi>d</mi></mtd></mtr></mtable><mo fence="true" stretchy="true">)</mo></mrow>`},
		{"cases", `\begin{cases}1&x\\0\end{cases}`, `<mrow><mo fence="true" stretchy="true">{</mo><mtable><mtr><mtd style="text-align:left"><mn>1</mn></mtd><mtd style="text-align:left"><mi>x</mi></mtd></mtr><mtr><mtd style="text-align:left"><mn>0</mn></mtd></mtr></mtable><mo fence="true" stretchy="true"></mo></mrow>`},
		{"aligned", `\begin{aligned}a&=b\\[1ex]\end{aligned}`, `<mtable displaystyle="true"><mtr><mtd style="text-align:right;padding-right:0"><mi>a</mi></mtd><mtd style="text-align:left;padding-left:0"><mo>=</mo><mi>b</mi></mtd></mtr></mtable>`},
		{"array", `\begin{array}{l|r}a&b\end{array}`, `<mtable><mtr><mtd style="text-align:left"><mi>a</mi></mtd><mtd style="text-align:right"><mi>b</mi></mtd></mtr></mtable>`},
		{"substack", `\sum_{\substack{i\\j}}`, `<munder><mo movablelimits="true">∑</mo><mtable scriptlevel="1"><mtr><mtd><mi>i</mi></mtd></mtr><mtr><mtd><mi>j</mi></mtd></mtr></mtable></munder>`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Render(tt.formula, false)
			if err != nil {
				t.Fatal(err)
			}
			_, inside, _ := strings.Cut(got, ">")
			if inside = strings.TrimSuffix(inside, "</math>"); inside != tt.want {
				t.Errorf("%s\ngot  %s\nwant %s", tt.formula, inside, tt.want)
			}
		})
	}
}

func TestElement(t *testing.T) {
	for _, tt := range []struct {
		display bool
		want    string
	}{
		{false, `<math alttext="a&lt;&#34;b"><mrow><mi>a</mi><mo>&lt;</mo><mo>″</mo><mi>b</mi></mrow></math>`},
		{true, `<math display="block" alttext="a&lt;&#34;b"><mrow><mi>a</mi><mo>&lt;</mo><mo>″</mo><mi>b</mi></mrow></math>`},
	} {
		if got, err := Render(` a<"b `, tt.display); err != nil || got != tt.want {
			t.Errorf("got  %s, %v\nwant %s", got, err, tt.want)
		}
	}
}

func TestErrors(t *testing.T) {
	tests := []struct{ name, formula, want string }{
		{"unknown command", `\nope`, `\nope isn't known`},
		{"unknown environment", `\begin{nope}\end{nope}`, `the environment "nope" isn't known`},
		{"open group", "{a", "it ends where } is missing"},
		{"closed group", "a}", `it has a "}" that nothing before it asks for`},
		{"ampersand", "a & b", `it has a "&" that nothing before it asks for`},
		{"missing argument", `\frac{a}`, "it ends where something must follow"},
		{"missing script", "a^", "it ends where something must follow"},
		{"two subscripts", "a_b_c", "it has two subscripts at one place: put one in braces"},
		{"two superscripts", "a^b^c", "it has two superscripts at one place: put one in braces"},
		{"open bracket", `\left( a`, `it ends where \right is missing`},
		{"no bracket", `\left a`, `it has "a" where a bracket must stand`},
		{"another end", `\begin{matrix}a\end{cases}`, `\begin{matrix} is ended by \end{cases}`},
		{"no end", `\begin{matrix}a`, `it ends where \end is missing`},
		{"open text", `\text{a`, "it ends where } is missing"},
		{"no text", `\text a`, "braces are missing after a command that takes text"},
		{"colour", `\color{"x}{a}`, `"\"x" isn't a colour: write a name or #rrggbb`},
		{"length", `\hspace{1em;x}`, `"1em;x" isn't a length: write a number and em, ex, pt, mm, cm or in`},
		{"backslash", `a\`, "it ends in a backslash"},
		{"negation of a group", `\not{ab}`, `\not doesn't stand before a symbol`},
		{"deep groups", strings.Repeat("{", 100) + strings.Repeat("}", 100), "it has more than 64 groups and commands within each other"},
		{"deep commands", strings.Repeat(`\hat`, 100) + "a", "it has more than 64 groups and commands within each other"},
		{"long", strings.Repeat("a", 20_000), "a formula of 20000 bytes is longer than the 16384 that one may have"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := Render(tt.formula, false); err == nil || err.Error() != tt.want || got != "" {
				t.Errorf("got  %q, %v\nwant %s", got, err, tt.want)
			}
		})
	}
}

// FuzzRender: what comes out is one well-formed element, of MathML alone.
func FuzzRender(f *testing.F) {
	for _, seed := range []string{
		`x=\frac{-b\pm\sqrt[3]{b^2-4ac}}{2a}`, `\begin{cases}1&\text{if }x\\0\end{cases}`, `\left(\begin{matrix}a&b\end{matrix}\right]`,
		`\not\in \mathbb{R}_{+}'^2`, `\color{red}{x}\hspace{1em}\tag{1}`, `\xrightarrow[a]{b}\overbrace{x}^n`, `<script>`, `"'&;`, "\\", "{}^", "%\n", `\substack{a\\b}\displaystyle`,
	} {
		f.Add(seed, true)
	}
	f.Fuzz(func(t *testing.T, formula string, display bool) {
		got, err := Render(formula, display)
		if err != nil {
			return
		}
		if again, _ := Render(formula, display); again != got {
			t.Errorf("rendered again %q differs", formula)
		}
		if strings.IndexFunc(formula, notXML) < 0 {
			checkElements(t, formula, got)
		}
	})
}

// notXML says whether XML can't hold a character; HTML can.
func notXML(r rune) bool {
	return unicode.IsControl(r) || r == unicode.ReplacementChar || r == 0xfffe || r == 0xffff
}

func checkElements(t *testing.T, formula, got string) {
	d := xml.NewDecoder(strings.NewReader(got))
	for depth := 0; ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%q: %v in %s", formula, err, got)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if depth++; token.Name.Local[0] != 'm' {
				t.Errorf("%q: has %v in %s", formula, token, got)
			}
		case xml.EndElement:
			if depth--; depth == 0 && d.InputOffset() != int64(len(got)) {
				t.Errorf("%q: goes on after its end: %s", formula, got)
			}
		}
	}
}
