//go:build !unix

package main

import (
	"fmt"
	"os"
)

// describe returns what there is to know about a name.
func describe(path string) (string, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return "", err
	}
	target, _ := os.Readlink(path) // "" for what is no link
	return fmt.Sprint(path, info.Mode(), info.Size(), info.ModTime(), target), nil
}
