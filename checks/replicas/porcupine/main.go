// Checks histories of replicas with Porcupine: one history a line on standard input, one verdict a line on standard output.
//
// An operation is a definite success or refusal, whose response the model must give, or its outcome is not known: then it may have
// happened at any moment after it began, or never. Those that surely did not happen are not in the history.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
)

// For one history.
const patience = 60 * time.Second

type item struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
}

type operation struct {
	Client int    `json:"client"`
	Kind   string `json:"kind"`
	ID     int    `json:"id"`
	Name   string `json:"name"`
	// The item that If-Match demands; without a name there is none.
	Demanded item `json:"demanded"`
	Offset   int  `json:"offset"`
	Limit    int  `json:"limit"`
	// Microseconds of one clock.
	Began int64 `json:"began"`
	Ended int64 `json:"ended"`
	// 0 where the outcome is not known.
	Status int    `json:"status"`
	Items  []item `json:"items"`
	// Seconds that the clock of the sandbox has been advanced by.
	Clock int `json:"clock"`
}

type history struct {
	Initial    snapshot    `json:"initial"`
	Operations []operation `json:"operations"`
}

type snapshot struct {
	Items []item `json:"items"`
	// The id of the next item.
	Next  int `json:"next"`
	Clock int `json:"clock"`
	// How many more reads of an item a fault strikes.
	Faults int `json:"faults"`
}

// A snapshot that can be compared: its items are a text.
type state struct {
	items               string
	next, clock, faults int
}

func (s state) list() []item {
	items := []item{}
	for _, line := range strings.Split(s.items, "\n") {
		one := item{}
		if _, err := fmt.Sscanf(line, "%d %s", &one.ID, &one.Name); err == nil {
			items = append(items, one)
		}
	}
	return items
}

func (s state) with(items []item) state {
	text := strings.Builder{}
	for _, one := range items {
		fmt.Fprintf(&text, "%d %s\n", one.ID, one.Name)
	}
	s.items = text.String()
	return s
}

type outcome struct {
	after  state
	status int
	items  []item
	clock  int
}

// What an operation may do in a state.
func apply(s state, op operation) []outcome {
	items := s.list()
	at := -1
	for index, one := range items {
		if one.ID == op.ID {
			at = index
		}
	}
	missing := outcome{after: s, status: 404}
	switch op.Kind {
	case "create":
		made := item{ID: s.next, Name: op.Name}
		after := s.with(append(items, made))
		after.next++
		return []outcome{{after: after, status: 201, items: []item{made}}}
	case "put":
		isDemanded := op.Demanded.Name == "" || (at >= 0 && items[at] == op.Demanded)
		if at < 0 && op.Demanded.Name != "" {
			return []outcome{missing, {after: s, status: 412}}
		}
		if at < 0 {
			return []outcome{missing}
		}
		if !isDemanded {
			return []outcome{{after: s, status: 412}}
		}
		items[at].Name = op.Name
		return []outcome{{after: s.with(items), status: 200, items: []item{items[at]}}}
	case "delete":
		if at < 0 {
			return []outcome{missing}
		}
		return []outcome{{after: s.with(append(items[:at:at], items[at+1:]...)), status: 204}}
	case "get":
		if s.faults > 0 {
			s.faults--
			return []outcome{{after: s, status: 418}}
		}
		if at < 0 {
			return []outcome{missing}
		}
		return []outcome{{after: s, status: 200, items: []item{items[at]}}}
	case "list":
		from := min(op.Offset, len(items))
		return []outcome{{after: s, status: 200, items: items[from:min(from+op.Limit, len(items))]}}
	case "advance":
		s.clock += 60
		return []outcome{{after: s, status: 200, clock: s.clock}}
	case "clock":
		return []outcome{{after: s, status: 200, clock: s.clock}}
	}
	panic("there is no operation " + op.Kind)
}

func same(a, b []item) bool {
	if len(a) != len(b) {
		return false
	}
	for at := range a {
		if a[at] != b[at] {
			return false
		}
	}
	return true
}

func step(before, input, _ interface{}) []interface{} {
	op := input.(operation)
	after := []interface{}{}
	if op.Status == 0 {
		after = append(after, before)
	}
	for _, one := range apply(before.(state), op) {
		if op.Status == 0 || (one.status == op.Status && one.clock == op.Clock && same(one.items, op.Items)) {
			after = append(after, one.after)
		}
	}
	return after
}

func check(one history) porcupine.CheckResult {
	start := one.Initial
	initial := state{next: start.Next, clock: start.Clock, faults: start.Faults}.with(start.Items)
	operations := []porcupine.Operation{}
	for _, op := range one.Operations {
		ended := op.Ended
		if op.Status == 0 {
			ended = math.MaxInt64
		}
		operations = append(operations, porcupine.Operation{ClientId: op.Client, Input: op, Call: op.Began, Return: ended})
	}
	model := porcupine.NondeterministicModel{Init: func() []interface{} { return []interface{}{initial} }, Step: step}
	return porcupine.CheckOperationsTimeout(model.ToModel(), operations, patience)
}

func main() {
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		text, err := lines.ReadBytes('\n')
		if len(text) == 0 && err != nil {
			return
		}
		one := history{}
		if err := json.Unmarshal(text, &one); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(check(one))
	}
}
