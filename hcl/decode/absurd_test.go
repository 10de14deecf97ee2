package decode_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"distributor/hcl/decode"
)

// absurd are files that no parser or evaluator of HCL bounds by itself. Each
// must be refused, or be without effect, in an ordinary way.
func absurd() map[string]string {
	n := 100000
	deep := func(open, middle, shut string) string {
		return "locals {\n  a = " + strings.Repeat(open, n) + middle + strings.Repeat(shut, n) + "\n}\n"
	}
	files := map[string]string{
		"brackets":              deep("[", "", "]"),
		"parentheses":           deep("(", "1", ")"),
		"objects":               deep("{a=", "1", "}"),
		"calls":                 deep("upper(", "1", ")"),
		"templates":             deep(`"${`, "1", `}"`),
		"unclosed brackets":     deep("[", "", ""),
		"mismatched brackets":   deep("[)", "", ""),
		"negations":             deep("!", "true", ""),
		"minuses":               deep("-", "1", ""),
		"sums":                  deep("1+", "1", ""),
		"conditions":            deep("true ? 1 : ", "1", ""),
		"indexes":               deep("", "upper(1)", "[0]"),
		"splats":                deep("", "x", "[*]"),
		"attributes":            deep("", "var", ".a"),
		"for expressions":       deep("[for x in ", "[]", ": x]"),
		"blocks":                strings.Repeat("a {\n", n) + strings.Repeat("}\n", n),
		"template conditions":   "locals {\n  a = \"" + strings.Repeat("%{if true}", n) + strings.Repeat("%{endif}", n) + "\"\n}\n",
		"heredocs":              "locals {\n  a = " + strings.Repeat("<<A\n${", 1000) + "\n}\n",
		"endless heredoc":       "locals {\n  a = <<EOT\n" + strings.Repeat("a = <<EOT\n", n),
		"dollars":               "locals {\n  a = \"" + strings.Repeat("$ % ", 200000) + "\"\n}\n",
		"quotes":                strings.Repeat(`"`, n),
		"huge exponent":         "locals {\n  a = \"${1e1000000000}\"\n}\n",
		"huge negative":         "locals {\n  a = 1e-1000000000\n}\n",
		"many digits":           "locals {\n  a = " + strings.Repeat("9", n) + "\n}\n",
		"multiplied":            "locals {\n  a = \"${" + strings.Repeat("1e999*", 900) + "1}\"\n}\n",
		"large file":            "#" + strings.Repeat("x", 20<<20),
		"byte-order mark":       "\ufefflocals {}\n",
		"NUL":                   "locals {\n  a = \"\x00\"\n}\n",
		"invalid UTF-8":         "locals {\n  a = \"\xff\"\n}\n",
		"only NUL":              strings.Repeat("\x00", n),
		"wide format":           "locals {\n  a = format(\"%1000000000d\", 1)\n  b = format(\"%.1000000000f\", 1)\n  c = format(\"%-0900000000d\", 1)\n}\n",
		"long range":            "locals {\n  a = range(1000000000)\n}\n",
		"large power":           "locals {\n  a = pow(10, 1000000000)\n  b = pow(-1, 0.5)\n  c = log(-1, 2)\n  d = log(0, 2)\n}\n",
		"replaced and replaced": "locals {\n  a = " + strings.Repeat(`replace(`, 50) + `"aaaaaaaaaa"` + strings.Repeat(`, "a", "aaaaaaaaaa")`, 50) + "\n}\n",
		"regexreplaced":         "locals {\n  a = " + strings.Repeat(`regexreplace(`, 50) + `"aaaaaaaaaa"` + strings.Repeat(`, ".", "$0$0$0$0$0")`, 50) + "\n}\n",
		"nested loops":          "locals {\n  a = " + strings.Repeat(`[for x in range(1000) : `, 20) + `1` + strings.Repeat(`]`, 20) + "\n}\n",
		"nested conditions":     "locals {\n  a = " + strings.Repeat(`[for x in [1, 2] : x if length(`, 40) + `[]` + strings.Repeat(`) == 0]`, 40) + "\n}\n",
		"errors in loops":       "locals {\n  a = [for x in range(1000) : [for y in range(1000) : x.nope]]\n}\n",
		"products":              "locals {\n  a = setproduct(range(1000), range(1000), range(1000))\n}\n",
		"decoded JSON":          "locals {\n  a = jsondecode(join(\"\", [for i in range(1000) : \"[[[[[[[[[[\"]))\n  b = jsondecode(\"1e1000000000\")\n  c = \"${tonumber(\"1e1000000000\")}\"\n}\n",
		"JSON brackets":         `{"locals": {"a": ` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}}`,
		"JSON unclosed":         strings.Repeat(`{"a":`, n),
		"JSON number":           `{"locals": {"a": "${local.b}", "b": 1e1000000000}}`,
		"JSON template":         `{"locals": {"a": "` + strings.Repeat("${[", n) + `"}}`,
		"JSON type":             `{"variable": {"a": {"type": "` + strings.Repeat("list(", n) + `"}}}`,
		"JSON quotes":           strings.Repeat(`"`, n),
		"JSON NUL":              "{\"locals\": {\"a\": \"\x00\"}}",
		"JSON BOM":              "\ufeff{}",
		"JSON escapes":          `{"` + strings.Repeat(`\`, n) + `"`,
	}
	files["doubled text"] = doubling(`"${local.%s}${local.%s}"`, `"0123456789"`)
	files["doubled list"] = doubling(`[local.%s, local.%s]`, `["x"]`)
	files["squared number"] = doubling(`local.%s * local.%s`, "1e1000") + "locals {\n  z = \"${local.a60}\"\n}\n"
	return files
}

// doubling makes 60 locals, each of twice the one before.
func doubling(twice, first string) string {
	var b strings.Builder
	b.WriteString("locals {\n  a0 = " + first + "\n")
	for i := 1; i <= 60; i++ {
		before := fmt.Sprintf("a%d", i-1)
		fmt.Fprintf(&b, "  a%d = "+twice+"\n", i, before, before)
	}
	return b.String() + "}\n"
}

func TestAbsurdInputIsRefused(t *testing.T) {
	for name, src := range absurd() {
		t.Run(name, func(t *testing.T) {
			file := "distributor.hcl"
			if strings.HasPrefix(name, "JSON") {
				file += ".json"
			}
			_, _, diags := decode.Load(decode.Options{Dir: write(t, file, src)})
			if !diags.HasErrors() {
				t.Error("no error")
			}
			for _, d := range diags {
				if d.Subject == nil || d.Summary == "" || d.Detail == "" || strings.Contains(d.Detail, "goroutine") {
					t.Fatalf("a diagnostic lacks something: %s", render(diags))
				}
			}
		})
	}
}

// Much of what is ordinary is not absurd.
func TestLargeConfiguration(t *testing.T) {
	var b strings.Builder
	b.WriteString("locals {\n")
	for i := range 5000 {
		fmt.Fprintf(&b, "  n%d = upper(local.n%d)\n", i, max(i-1, 0))
	}
	src := strings.Replace(b.String(), `upper(local.n0)`, `"y"`, 1) + "}\n"
	tries := "locals {\n  tries = " + strings.Repeat(`try(`, 90) + `1` + strings.Repeat(`)`, 90) + "\n}\n"
	long := "locals {\n  list = [" + strings.Repeat(`"a/b/c/**", `, 2000) + "]\n  text = " + strings.Repeat(`"x" == "y" ? "z" : `, 200) + "\"end\"\n}\n"
	names, err := json.Marshal(map[string]any{"locals": map[string]any{"description": strings.Repeat("- a line of text (and more)\n", 5000)}})
	if err != nil {
		t.Fatal(err)
	}
	_, _, diags := decode.Load(decode.Options{Dir: write(t, "a.distributor.hcl", src, "b.distributor.hcl", long, "c.distributor.hcl.json", string(names), "d.distributor.hcl", tries)})
	if diags.HasErrors() {
		t.Error(render(diags))
	}
}
