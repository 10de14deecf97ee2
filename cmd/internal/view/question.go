package view

// Question asks something that is answered on stdin.
func (v *View) Question(text string) {
	out := v.stdout()
	out.printf("\n%s ", out.paint(bold, text))
	out.flush()
}
