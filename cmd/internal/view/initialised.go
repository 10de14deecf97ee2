package view

// Initialised lists the files that init wrote and says what to do next.
func (v *View) Initialised(dir string, files []string) {
	out := v.stdout()
	for _, f := range files {
		out.printf("%s %s\n", out.paint(green, "Wrote"), f)
	}
	out.printf("\nNext:\n")
	if dir != "." {
		out.printf("  cd %s\n", raw(shellWord(Escape(dir))))
	}
	out.printf("  distributor plan --out first.plan\n  distributor apply first.plan\n")
}
