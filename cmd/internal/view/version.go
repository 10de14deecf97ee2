package view

// Version prints the program's version and what it was built with and for.
func (v *View) Version(version, toolchain, platform string) {
	v.stdout().printf("distributor %s\n%s %s\n", version, toolchain, platform)
}
