package cli

import (
	"bufio"
	"context"
	"strings"

	"distributor/cmd/internal/view"
)

// confirm asks whether to apply. Anything but "yes" is a no, and an error.
func (a *app) confirm(ctx context.Context) error {
	a.view.Question("Apply this plan? Only 'yes' is taken for a yes:")
	answers := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(a.env.Stdin).ReadString('\n') // the end of input is an empty answer
		answers <- strings.TrimSpace(line)
	}()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case answer := <-answers:
		if answer == "yes" {
			return nil
		}
		return &view.Problem{What: "not applied: the answer was not 'yes'"}
	}
}
