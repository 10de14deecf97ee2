// Package decode turns configuration files, in HCL's native or JSON syntax,
// into the plain data of hcl/config, and formats them. It is the only package
// that parses or evaluates HCL. It reads the files of one directory and the
// variable files it is given, nothing else: no bundle, template or
// destination.
//
// Whatever a user can write is answered with diagnostics, all of them at once
// and in order of place, never with a panic: input is bounded before the
// parser sees it, and evaluation has a budget. Only a programmer's error
// panics.
package decode
