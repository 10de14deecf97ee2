package decode

import (
	"fmt"

	"github.com/hashicorp/hcl/v2/ext/customdecode"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// HCL's own try evaluates what it is given twice, once for its type; nested,
// that doubles each time. These evaluate it once.

// tryFunc returns the value of the first expression that has one.
var tryFunc = function.New(&function.Spec{
	VarParam: &function.Parameter{Name: "expressions", Type: customdecode.ExpressionClosureType},
	Type:     function.StaticReturnType(cty.DynamicPseudoType),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		problem := "there is none"
		for _, arg := range args {
			v, diags := customdecode.ExpressionClosureFromVal(arg).Value()
			switch {
			case diags.HasErrors():
				problem = diags.Errs()[len(diags.Errs())-1].Error()
			case !v.IsWhollyKnown():
				// Which expression it will be shows only with all values.
				return cty.DynamicVal, nil
			default:
				return v, nil
			}
		}
		return cty.NilVal, fmt.Errorf("no expression has a value; of the last: %s", problem)
	},
})

// canFunc says whether an expression has a value.
var canFunc = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "expression", Type: customdecode.ExpressionClosureType}},
	Type:   function.StaticReturnType(cty.Bool),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		v, diags := customdecode.ExpressionClosureFromVal(args[0]).Value()
		switch {
		case diags.HasErrors():
			return cty.False, nil
		case !v.IsWhollyKnown():
			return cty.UnknownVal(cty.Bool), nil
		}
		return cty.True, nil
	},
})
