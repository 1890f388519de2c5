package processtest_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"equity/cmd/equity/processtest"
)

// The history has one security and three holders. An operation is an issue, a
// transfer of a whole shareholding between holders, or a read of the whole table.
type (
	operation struct {
		kind     string
		from, to int
		shares   int
	}
	outcome struct {
		done  bool
		table table
	}
	// table contains the holdings and the quantity that may still be issued.
	table struct {
		held [3]int
		left int
	}
)

const authorized = 400

func model() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return table{left: authorized} },
		Step: func(state, input, output any) (bool, any) {
			now, _ := state.(table)
			op, _ := input.(operation)
			out, _ := output.(outcome)
			switch op.kind {
			case "issue":
				if !out.done {
					return now.left < op.shares, now
				}
				now.left -= op.shares
				now.held[op.to] += op.shares
				return now.left >= 0, now
			case "transfer":
				now.held[op.from] -= op.shares
				now.held[op.to] += op.shares
				return out.done && now.held[op.from] >= 0, now
			default:
				return out.table == now, now
			}
		},
		Equal:             func(a, b any) bool { return a == b },
		DescribeOperation: func(input, output any) string { return fmt.Sprintf("%+v → %+v", input, output) },
	}
}

func TestLinearizable(t *testing.T) {
	t.Parallel()
	t.Run("concurrent issues, transfers and reads are linearizable", func(t *testing.T) {
		t.Parallel()
		settings := processtest.Services(t)
		client := processtest.SignIn(t, processtest.Start(t, settings), settings, "ada@example.com")
		checkHistory(t, client, client, []string{"issue", "issue", "read", "transfer"}, 40)
	})
	t.Run("concurrent issues, transfers and reads through all nodes of a cluster are linearizable", func(t *testing.T) {
		t.Parallel()
		settings := processtest.ClusterServices(t)
		cluster := processtest.StartCluster(t, settings, 3, nil)
		client := processtest.SignIn(t, cluster.Node(0), settings, "ada@example.com")
		checkHistory(t, client, cluster.Balanced(client), []string{"issue", "read", "read", "read", "transfer"}, 80)
	})
}

// checkHistory runs 8 callers with operations of the kinds, and checks their history.
func checkHistory(t *testing.T, founder, client *processtest.Client, kinds []string, count int) {
	t.Helper()
	company := founder.NewCompany(t, strconv.Itoa(authorized))
	h := &history{t: t, client: client, company: company, begin: time.Now(), holders: []string{company.Holder}, kinds: kinds}
	for i := range 2 {
		h.holders = append(h.holders, founder.NewHolder(t, company, fmt.Sprintf("Holder %d", i+2)))
	}
	var group sync.WaitGroup
	for caller := range 8 {
		group.Go(func() { h.run(caller, count) })
	}
	group.Wait()
	if result := porcupine.CheckOperationsTimeout(model(), h.operations, time.Minute); result != porcupine.Ok {
		t.Errorf("the history of %d operations is not linearizable: %s", len(h.operations), result)
	}
}

// history runs operations and records the times of calls and responses.
type history struct {
	t          *testing.T
	client     *processtest.Client
	company    processtest.Company
	holders    []string
	kinds      []string
	begin      time.Time
	mu         sync.Mutex
	operations []porcupine.Operation
}

// run executes random operations of one caller. It transfers only its own issues,
// so that every transfer must succeed.
func (h *history) run(caller, count int) {
	own := []held{}
	for i := range count {
		op := operation{kind: h.kinds[rand.IntN(len(h.kinds))], to: rand.IntN(3), shares: 1 + rand.IntN(5)}
		at := 0
		if op.kind == "transfer" {
			if len(own) == 0 {
				continue
			}
			at = rand.IntN(len(own))
			op.from, op.shares = own[at].holder, own[at].shares
			op.to = (op.from + 1 + rand.IntN(2)) % 3
		}
		call := time.Since(h.begin).Nanoseconds()
		out, id := h.perform(op, own, at, fmt.Sprintf("linear-%d-%d", caller, i))
		h.note(caller, op, out, call)
		switch {
		case op.kind == "issue" && out.done:
			own = append(own, held{id, op.to, op.shares})
		case op.kind == "transfer":
			own[at] = held{id, op.to, op.shares}
		}
	}
}

type held struct {
	id             string
	holder, shares int
}

func (h *history) note(caller int, op operation, out outcome, call int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.operations = append(h.operations, porcupine.Operation{
		ClientId: caller, Input: op, Output: out, Call: call, Return: time.Since(h.begin).Nanoseconds(),
	})
}

func (h *history) perform(op operation, own []held, at int, key string) (outcome, string) {
	path := "/v1/organization/" + h.company.ID
	var answer processtest.Answer
	var err error
	switch op.kind {
	case "issue":
		answer, err = h.client.Issue(h.t.Context(), h.company, h.holders[op.to], strconv.Itoa(op.shares), key)
	case "transfer":
		answer, err = h.client.Do(h.t.Context(), "POST", path+"/shareholding/transfer", map[string]any{
			"shareholding": own[at].id, "to": map[string]any{"entity": h.holders[op.to]}, "shares": strconv.Itoa(op.shares),
			"date": "2024-05-01", "kind": "sale",
		})
	default:
		answer, err = h.client.Do(h.t.Context(), "GET", path+"/captable", nil)
	}
	if err != nil {
		h.t.Error(err)
		return outcome{}, ""
	}
	return h.read(op, answer)
}

func (h *history) read(op operation, answer processtest.Answer) (outcome, string) {
	switch {
	case op.kind == "read" && answer.Status == http.StatusOK:
		return outcome{done: true, table: h.table(answer.Body)}, ""
	case op.kind == "issue" && answer.Status == http.StatusCreated:
		id, _ := answer.Body["id"].(string)
		return outcome{done: true}, id
	case op.kind == "issue" && answer.Status == http.StatusConflict:
		return outcome{}, ""
	case op.kind == "transfer" && answer.Status < 300:
		to, _ := answer.Body["to"].(map[string]any)
		id, _ := to["id"].(string)
		return outcome{done: true}, id
	default:
		h.t.Errorf("%s was answered %d: %v", op.kind, answer.Status, answer.Body)
		return outcome{}, ""
	}
}

func (h *history) table(body map[string]any) table {
	var read table
	read.left = authorized
	rows, _ := body["holders"].([]any)
	for _, row := range rows {
		holder, _ := row.(map[string]any)
		shares, err := strconv.Atoi(fmt.Sprint(holder["shares"]))
		if err != nil {
			h.t.Error(err)
		}
		for i, entity := range h.holders {
			if holder["entity"] == entity {
				read.held[i] = shares
			}
		}
		read.left -= shares
	}
	return read
}
