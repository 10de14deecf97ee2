package decode

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// textToText makes a function of one text.
func textToText(f func(string) (string, error)) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "text", Type: cty.String}},
		Type:   function.StaticReturnType(cty.String),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			s, err := f(args[0].AsString())
			if err != nil {
				return cty.NilVal, function.NewArgError(0, err)
			}
			return cty.StringVal(s), nil
		},
	})
}

// textAndText makes a predicate of two texts.
func textAndText(second string, f func(s, t string) bool) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "text", Type: cty.String}, {Name: second, Type: cty.String}},
		Type:   function.StaticReturnType(cty.Bool),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			return cty.BoolVal(f(args[0].AsString(), args[1].AsString())), nil
		},
	})
}

var (
	startsWithFunc  = textAndText("prefix", strings.HasPrefix)
	endsWithFunc    = textAndText("suffix", strings.HasSuffix)
	strContainsFunc = textAndText("part", strings.Contains)

	baseNameFunc = textToText(func(s string) (string, error) { return s[strings.LastIndexByte(s, '/')+1:], nil })
	dirNameFunc  = textToText(func(s string) (string, error) { return dirOf(s), nil })

	sha256Func = textToText(func(s string) (string, error) {
		sum := sha256.Sum256([]byte(s))
		return hex.EncodeToString(sum[:]), nil
	})
	base64EncodeFunc = textToText(func(s string) (string, error) {
		return base64.StdEncoding.EncodeToString([]byte(s)), nil
	})
	base64DecodeFunc = textToText(decodeBase64)
	urlEncodeFunc    = textToText(func(s string) (string, error) {
		// Spaces as %20, which is right in a path and in a query.
		return strings.ReplaceAll(url.QueryEscape(s), "+", "%20"), nil
	})
)

func decodeBase64(s string) (string, error) {
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return "", errors.New("is not base64")
	}
	if !utf8.Valid(b) {
		return "", errors.New("decodes to bytes that are not UTF-8 text")
	}
	return string(b), nil
}

// dirOf is the part before the last slash, "" where there is none, as
// file.dir has it.
func dirOf(s string) string {
	i := strings.LastIndexByte(s, '/')
	if i < 0 {
		return ""
	}
	return s[:i]
}

// stemAndExt cuts a file's name before its last dot; a name whose only dot is
// its first character has no extension.
func stemAndExt(name string) (stem, ext string) {
	ext = path.Ext(name)
	if len(ext) == len(name) {
		return name, ""
	}
	return name[:len(name)-len(ext)], ext
}

// lengthFunc counts a text's characters (grapheme clusters) or a collection's
// elements.
var lengthFunc = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "value", Type: cty.DynamicPseudoType, AllowDynamicType: true, AllowUnknown: true}},
	Type:   function.StaticReturnType(cty.Number),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		switch t := args[0].Type(); {
		case t == cty.DynamicPseudoType:
			return cty.UnknownVal(cty.Number), nil
		case t == cty.String:
			return stdlib.Strlen(args[0])
		case t.IsObjectType():
			return cty.NumberIntVal(int64(len(t.AttributeTypes()))), nil
		case t.IsTupleType(), t.IsCollectionType():
			return args[0].Length(), nil
		}
		return cty.NilVal, function.NewArgErrorf(0, "must be text, a list, a set, a map or an object")
	},
})

// lookupFunc returns a map's element, or a default.
var lookupFunc = function.New(&function.Spec{
	Params:   []function.Parameter{{Name: "map", Type: cty.DynamicPseudoType}, {Name: "key", Type: cty.String}},
	VarParam: &function.Parameter{Name: "default", Type: cty.DynamicPseudoType, AllowNull: true},
	Type: func(args []cty.Value) (cty.Type, error) {
		switch t := args[0].Type(); {
		case len(args) > 3:
			return cty.NilType, errors.New("takes a map, a key and at most one default")
		case !t.IsObjectType() && !t.IsMapType():
			return cty.NilType, function.NewArgErrorf(0, "must be a map or an object")
		case len(args) == 3:
			return stdlib.LookupFunc.ReturnTypeForValues(args)
		case t.IsMapType():
			return t.ElementType(), nil
		}
		return cty.DynamicPseudoType, nil
	},
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		if len(args) == 3 {
			return stdlib.LookupFunc.Call(args)
		}
		return member(args[0], args[1])
	},
})

// member is the element of a map or an object at a key.
func member(of, key cty.Value) (cty.Value, error) {
	missing := fmt.Errorf("there is no element %q, and no default is given", key.AsString())
	if of.Type().IsObjectType() {
		if !of.Type().HasAttribute(key.AsString()) {
			return cty.NilVal, missing
		}
		return of.GetAttr(key.AsString()), nil
	}
	if of.HasIndex(key).False() {
		return cty.NilVal, missing
	}
	return of.Index(key), nil
}

// indexFunc returns the position of the first element that equals a value.
var indexFunc = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "list", Type: cty.DynamicPseudoType}, {Name: "value", Type: cty.DynamicPseudoType}},
	Type:   function.StaticReturnType(cty.Number),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		if t := args[0].Type(); !t.IsListType() && !t.IsTupleType() {
			return cty.NilVal, function.NewArgErrorf(0, "must be a list")
		}
		for it := args[0].ElementIterator(); it.Next(); {
			i, element := it.Element()
			equal, err := stdlib.Equal(element, args[1])
			if err != nil {
				return cty.NilVal, err
			}
			if !equal.IsKnown() {
				return cty.UnknownVal(cty.Number), nil
			}
			if equal.True() {
				return i, nil
			}
		}
		return cty.NilVal, errors.New("the list has no such element")
	},
})

// coalesceFunc returns the first argument that is neither null nor empty
// text.
var coalesceFunc = function.New(&function.Spec{
	VarParam: &function.Parameter{Name: "values", Type: cty.DynamicPseudoType, AllowUnknown: true, AllowDynamicType: true, AllowNull: true},
	Type: func(args []cty.Value) (cty.Type, error) {
		types := make([]cty.Type, len(args))
		for i, a := range args {
			types[i] = a.Type()
		}
		t, _ := convert.UnifyUnsafe(types)
		if t == cty.NilType {
			return t, errors.New("all arguments must have the same type")
		}
		return t, nil
	},
	Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
		for _, a := range args {
			v, err := convert.Convert(a, t)
			switch {
			case err != nil:
				return cty.NilVal, err
			case !v.IsKnown():
				return cty.UnknownVal(t), nil
			case v.IsNull(), t == cty.String && v.AsString() == "":
			default:
				return v, nil
			}
		}
		return cty.NilVal, errors.New("all arguments are null or empty text")
	},
})
