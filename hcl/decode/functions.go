package decode

import (
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// functions are what expressions may call: pure functions of their arguments,
// so that a plan depends on nothing but its inputs. None reads a file, the
// clock or the environment. They behave as Terraform's of the same names but
// where docs/configuration.md says otherwise.
var functions = map[string]function.Function{
	// Text.
	"chomp":        stdlib.ChompFunc,
	"endswith":     endsWithFunc,
	"format":       guarded(stdlib.FormatFunc, checkFormat),
	"formatlist":   guarded(stdlib.FormatListFunc, checkFormat),
	"join":         guarded(stdlib.JoinFunc, checkJoin),
	"lower":        stdlib.LowerFunc,
	"regex":        stdlib.RegexFunc,
	"regexall":     stdlib.RegexAllFunc,
	"regexreplace": guarded(stdlib.RegexReplaceFunc, checkRegexReplace),
	"replace":      guarded(stdlib.ReplaceFunc, checkReplace),
	"split":        stdlib.SplitFunc,
	"startswith":   startsWithFunc,
	"strcontains":  strContainsFunc,
	"strrev":       stdlib.ReverseFunc,
	"substr":       stdlib.SubstrFunc,
	"title":        stdlib.TitleFunc,
	"trim":         stdlib.TrimFunc,
	"trimprefix":   stdlib.TrimPrefixFunc,
	"trimspace":    stdlib.TrimSpaceFunc,
	"trimsuffix":   stdlib.TrimSuffixFunc,
	"upper":        stdlib.UpperFunc,

	// Paths, as text.
	"basename": baseNameFunc,
	"dirname":  dirNameFunc,

	// Collections.
	"chunklist":       guarded(stdlib.ChunklistFunc, checkLengths),
	"coalesce":        coalesceFunc,
	"coalescelist":    stdlib.CoalesceListFunc,
	"compact":         stdlib.CompactFunc,
	"concat":          stdlib.ConcatFunc,
	"contains":        stdlib.ContainsFunc,
	"distinct":        guarded(stdlib.DistinctFunc, checkLengths),
	"element":         stdlib.ElementFunc,
	"flatten":         stdlib.FlattenFunc,
	"index":           indexFunc,
	"keys":            stdlib.KeysFunc,
	"length":          lengthFunc,
	"lookup":          lookupFunc,
	"merge":           stdlib.MergeFunc,
	"range":           stdlib.RangeFunc,
	"reverse":         stdlib.ReverseListFunc,
	"setintersection": guarded(stdlib.SetIntersectionFunc, checkLengths),
	"setproduct":      guarded(stdlib.SetProductFunc, checkProduct),
	"setsubtract":     guarded(stdlib.SetSubtractFunc, checkLengths),
	"setunion":        guarded(stdlib.SetUnionFunc, checkLengths),
	"slice":           stdlib.SliceFunc,
	"sort":            stdlib.SortFunc,
	"values":          stdlib.ValuesFunc,
	"zipmap":          stdlib.ZipmapFunc,

	// Numbers.
	"abs":      stdlib.AbsoluteFunc,
	"ceil":     stdlib.CeilFunc,
	"floor":    stdlib.FloorFunc,
	"log":      guarded(stdlib.LogFunc, checkLog),
	"max":      stdlib.MaxFunc,
	"min":      stdlib.MinFunc,
	"parseint": guarded(stdlib.ParseIntFunc, checkParseInt),
	"pow":      guarded(stdlib.PowFunc, checkPow),
	"signum":   stdlib.SignumFunc,

	// Encoding.
	"base64decode": base64DecodeFunc,
	"base64encode": base64EncodeFunc,
	"csvdecode":    stdlib.CSVDecodeFunc,
	"jsondecode":   guarded(stdlib.JSONDecodeFunc, checkJSONDecode),
	"jsonencode":   stdlib.JSONEncodeFunc,
	"sha256":       sha256Func,
	"urlencode":    urlEncodeFunc,

	// Times, as text.
	"formatdate": stdlib.FormatDateFunc,
	"timeadd":    stdlib.TimeAddFunc,

	// Types.
	"can":      canFunc,
	"tobool":   stdlib.MakeToFunc(cty.Bool),
	"tolist":   stdlib.MakeToFunc(cty.List(cty.DynamicPseudoType)),
	"tomap":    stdlib.MakeToFunc(cty.Map(cty.DynamicPseudoType)),
	"tonumber": guarded(stdlib.MakeToFunc(cty.Number), checkToNumber),
	"toset":    stdlib.MakeToFunc(cty.Set(cty.DynamicPseudoType)),
	"tostring": stdlib.MakeToFunc(cty.String),
	"try":      tryFunc,
}
