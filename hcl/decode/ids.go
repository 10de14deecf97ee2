package decode

// maxID is the length of the longest id, in bytes.
const maxID = 128

// checkID says what is wrong with a pipeline's or destination's id, or "".
func checkID(id string) string {
	switch {
	case id == "":
		return "The id is empty."
	case len(id) > maxID:
		return "The id is longer than 128 characters."
	}
	for i, r := range id {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
		case i > 0 && (r == '.' || r == '_' || r == '-'):
		case i == 0:
			return "The id begins with " + quoted(string(r)) + "."
		default:
			return "The id has the character " + quoted(string(r)) + " in it."
		}
	}
	return ""
}

// checkLabelID diagnoses a block's id.
func (l *loader) checkLabelID(b block) bool {
	problem := checkID(b.label())
	if problem != "" {
		l.fail(b.named, b.header, "Invalid id", "%s An id consists of letters, digits, \".\", \"_\" and \"-\", and begins with a letter or a digit.", problem)
	}
	return problem == ""
}
