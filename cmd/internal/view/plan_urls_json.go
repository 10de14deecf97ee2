package view

// urlsJSON is what readers of the published site will notice.
type urlsJSON struct {
	New     []string        `json:"new"`
	Gone    []string        `json:"gone"`
	Moved   []urlChangeJSON `json:"moved"`   // of outputs that go to another path
	Rebased []urlChangeJSON `json:"rebased"` // of outputs that stay where they are
}

type urlChangeJSON struct {
	From string `json:"from"`
	To   string `json:"to"`
}

func newURLsJSON(u *siteURLs) urlsJSON {
	var j urlsJSON
	for i := range u.appear {
		j.New = append(j.New, u.appear[i].After)
	}
	for i := range u.vanish {
		j.Gone = append(j.Gone, u.vanish[i].Before)
	}
	for i := range u.moved {
		j.Moved = append(j.Moved, urlChangeJSON{u.moved[i].Before, u.moved[i].After})
	}
	for i := range u.rebased {
		j.Rebased = append(j.Rebased, urlChangeJSON{u.rebased[i].Before, u.rebased[i].After})
	}
	return j
}
