package decode

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclwrite"
)

// Format returns src in canonical form, or says why it doesn't parse. A file
// in the JSON syntax is returned as it is: its layout is no part of HCL.
func Format(filename string, src []byte) ([]byte, hcl.Diagnostics) {
	if _, diags := parse(filename, src); diags.HasErrors() {
		return nil, inOrder(diags)
	}
	if strings.HasSuffix(filename, jsonSuffix) {
		return src, nil
	}
	return hclwrite.Format(src), nil
}
