package decode

import (
	"net/url"
	"strconv"
	"strings"
)

// baseURL checks that text is an absolute http or https URL that paths can be
// put after, and returns it without a slash at its end.
func (l *loader) baseURL(given located, a attribute) string {
	if problem := urlProblem(given.text); problem != "" {
		l.fail(given.at, a.whole, "Invalid base URL", "%q %s. A base URL looks like https://example.com/reports.", given.text, problem)
		return ""
	}
	return strings.TrimSuffix(given.text, "/")
}

// urlCharacters are all that RFC 3986 lets stand in a URL besides letters and
// digits.
const urlCharacters = "-._~:/?#[]@!$&'()*+,;=%"

func urlProblem(s string) string {
	for _, r := range s {
		if !isASCIIAlphanumeric(r) && !strings.ContainsRune(urlCharacters, r) {
			return "has the character " + quoted(string(r)) + " in it, which has to be percent-encoded"
		}
	}
	u, err := url.Parse(s)
	switch {
	case err != nil:
		return "is not a URL"
	case !strings.EqualFold(u.Scheme, "http") && !strings.EqualFold(u.Scheme, "https"):
		return "is not an absolute URL that begins with http:// or https://"
	case u.Hostname() == "":
		return "has no host"
	case u.Port() != "" && !isPort(u.Port()):
		return "has the port " + u.Port() + ", and ports go from 1 to 65535"
	case u.User != nil:
		return "has a user in it; catalogs and pages would publish it"
	case strings.Contains(s, "?"):
		return "has a query; the paths of outputs could not be put after it"
	case strings.Contains(s, "#"):
		return "has a fragment; the paths of outputs could not be put after it"
	}
	return ""
}

func isPort(text string) bool {
	n, err := strconv.ParseUint(text, 10, 16)
	return err == nil && n > 0
}

func isASCIIAlphanumeric(r rune) bool {
	return (r >= 'a' && r <= 'z') || (r >= 'A' && r <= 'Z') || (r >= '0' && r <= '9')
}
