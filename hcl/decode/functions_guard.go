package decode

import (
	"fmt"
	"math"
	"regexp"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// Limits of what one call may make. The budget sees a result only when it is
// there, so a function whose result can be far larger than its arguments is
// asked for the size first.
const (
	maxText     = 1 << 20 // bytes
	maxElements = 4096    // where the work grows with the square, or the product
)

// guarded is f with a check of its arguments, all of them known, before the
// call.
func guarded(f function.Function, check func(args []cty.Value) error) function.Function {
	return function.New(&function.Spec{
		Description: f.Description(),
		Params:      f.Params(),
		VarParam:    f.VarParam(),
		Type: func(args []cty.Value) (cty.Type, error) {
			if err := checkKnown(args, check); err != nil {
				return cty.NilType, err
			}
			return f.ReturnTypeForValues(args)
		},
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			return f.Call(args)
		},
	})
}

func checkKnown(args []cty.Value, check func([]cty.Value) error) error {
	for _, a := range args {
		if !a.IsWhollyKnown() || a.IsNull() {
			return nil // nothing is computed of these
		}
	}
	return check(args)
}

// wideVerb is a verb of format with a width or precision of more than three
// digits.
var wideVerb = regexp.MustCompile(`%[^A-Za-z%]*[0-9]{4}`)

func checkFormat(args []cty.Value) error {
	if args[0].Type() == cty.String && wideVerb.MatchString(args[0].AsString()) {
		return function.NewArgErrorf(0, "a width or precision may have at most three digits")
	}
	return nil
}

func checkJoin(args []cty.Value) error {
	size, separator := 0, len(args[0].AsString())
	for _, list := range args[1:] {
		if list.CanIterateElements() {
			size += separator * list.LengthInt()
		}
	}
	return checkTextSize(size)
}

func checkReplace(args []cty.Value) error {
	text, old, new := args[0].AsString(), args[1].AsString(), args[2].AsString()
	return checkTextSize(len(text) + strings.Count(text, old)*len(new))
}

func checkRegexReplace(args []cty.Value) error {
	// A match can be empty, so there may be one more than bytes; a
	// replacement can repeat what it matched.
	text, new := len(args[0].AsString()), args[2].AsString()
	return checkTextSize((text + 1) * (len(new) + strings.Count(new, "$")*text))
}

func checkTextSize(n int) error {
	if n > maxText {
		return fmt.Errorf("the result could be longer than %d bytes", maxText)
	}
	return nil
}

func checkLengths(args []cty.Value) error {
	for i, a := range args {
		if a.CanIterateElements() && a.LengthInt() > maxElements {
			return function.NewArgErrorf(i, "at most %d elements are allowed here", maxElements)
		}
	}
	return nil
}

func checkProduct(args []cty.Value) error {
	n := 1
	for _, a := range args {
		if !a.CanIterateElements() {
			return nil
		}
		if n *= a.LengthInt(); n > maxElements {
			return fmt.Errorf("the result would have more than %d elements", maxElements)
		}
	}
	return nil
}

func checkPow(args []cty.Value) error {
	return checkFinite(math.Pow(float(args[0]), float(args[1])))
}

func checkLog(args []cty.Value) error {
	return checkFinite(math.Log(float(args[0])) / math.Log(float(args[1])))
}

func checkFinite(f float64) error {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return fmt.Errorf("the result is not a finite number")
	}
	return nil
}

func float(v cty.Value) float64 {
	f, _ := v.AsBigFloat().Float64()
	return f
}

func checkParseInt(args []cty.Value) error {
	if args[0].Type() == cty.String && len(args[0].AsString()) > maxDigits {
		return function.NewArgErrorf(0, "a number may have at most %d digits", maxDigits)
	}
	return nil
}

func checkToNumber(args []cty.Value) error {
	if args[0].Type() == cty.String && !reasonableNumber([]byte(args[0].AsString())) {
		return function.NewArgErrorf(0, "a number may have at most %d digits and an exponent from -%d to %d", maxDigits, maxExponent, maxExponent)
	}
	return nil
}

func checkJSONDecode(args []cty.Value) error {
	text := args[0].AsString()
	if diags := checkJSONLimits("", []byte(text)); diags.HasErrors() {
		return function.NewArgErrorf(0, "%s", diags[0].Detail)
	}
	return nil
}
