package properties_test

import (
	"encoding/csv"
	"fmt"
	"maps"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"equity/captable"
)

// position maps the figures of holders, pools and convertibles to their values.
type position map[string]*big.Rat

func (p position) add(key string, value *big.Rat) {
	if value.Sign() != 0 {
		p[key] = plus(orZero(p[key]), value)
	}
}

// positions returns the figures of the table in JSON.
func positions(table map[string]any) position {
	of := position{}
	for _, holder := range list(table["holders"]) {
		for _, line := range list(holder["bySecurity"]) {
			for _, name := range []string{"shares", "options", "warrants", "percentOutstanding", "percentFullyDiluted"} {
				of.add(text(holder["name"])+" "+text(line["security"])+" "+name, rational(line[name]))
			}
		}
	}
	for _, pool := range list(table["pools"]) {
		of.add(text(pool["planName"])+": "+text(pool["name"])+" "+text(pool["security"])+" available", rational(pool["available"]))
		of.add(text(pool["planName"])+": "+text(pool["name"])+" "+text(pool["security"])+" percentFullyDiluted", rational(pool["percentFullyDiluted"]))
	}
	for _, line := range list(table["convertibles"]) {
		principal, _ := line["principal"].(map[string]any)
		of.add(text(line["holding"])+" principal", rational(principal["amount"]))
		of.add(text(line["holding"])+" accruedInterest", rational(line["accruedInterest"]))
	}
	return of
}

// inCSV returns the figures of the table in CSV.
func inCSV(file string) position {
	rows, err := csv.NewReader(strings.NewReader(file)).ReadAll()
	if err != nil {
		failf("CSV: %v", err)
	}
	of := position{}
	for _, row := range rows[1:] {
		cell := map[string]string{}
		for i, name := range rows[0] {
			cell[name] = row[i]
		}
		key := cell["holder"] + " " + cell["securityId"] + " "
		names := []string{"shares", "options", "warrants", "available", "percentOutstanding", "percentFullyDiluted"}
		if cell["holdingId"] != "" {
			key, names = cell["holdingId"]+" ", []string{"principal", "accruedInterest"}
		}
		for _, name := range names {
			of.add(key+name, rational(cell[name]))
		}
	}
	return of
}

// agree checks that two forms of the table have the same figures.
func (c *company) agree(day captable.Date, what string, got, want position) {
	for key := range maps.Keys(want) {
		c.holds(
			got[key] != nil && got[key].Cmp(want[key]) == 0, "on %s: %s: %s is %v and should be %s", day, what, c.named(key), got[key],
			exactly(want[key]),
		)
	}
	for key := range maps.Keys(got) {
		c.holds(want[key] != nil, "on %s: %s has %s, which is %s", day, what, c.named(key), exactly(got[key]))
	}
}

// inWorkbook checks that each number of the workbook equals that of the table.
func (c *company) inWorkbook(day captable.Date, table map[string]any) {
	book, err := excelize.OpenReader(strings.NewReader(c.get(c.home+"/captable", "format", "xlsx", "asOf", day.String())))
	if err != nil {
		failf("XLSX: %v", err)
	}
	defer func() { _ = book.Close() }()
	sheet := book.GetSheetName(0)
	rows, err := book.GetRows(sheet, excelize.Options{RawCellValue: true})
	if err != nil {
		failf("XLSX: %v", err)
	}
	classes := list(table["securities"])
	got, want := position{}, position{}
	header := -1
	for i, row := range rows {
		if len(row) > 1 && contains(row, text(classes[0]["name"])) && header < 0 {
			header = i
		}
	}
	c.holds(header >= 0, "no row of the workbook names the classes: %v", rows)
	for _, holder := range list(table["holders"]) {
		for _, line := range list(holder["bySecurity"]) {
			for _, class := range classes {
				if class["id"] == line["security"] {
					want.add(text(holder["name"])+" "+text(class["name"]), rational(line["shares"]))
				}
			}
		}
		for _, row := range rows[header+1:] {
			if len(row) == 0 || row[0] != text(holder["name"]) {
				continue
			}
			for _, class := range classes {
				for i, name := range rows[header] {
					if name == text(class["name"]) && i < len(row) && row[i] != "" {
						got.add(row[0]+" "+name, rational(row[i]))
					}
				}
			}
		}
	}
	c.agree(day, "the workbook", got, want)
}

// inQuery checks that the answers in a query equal the answers to separate requests.
func (c *company) inQuery(day captable.Date) {
	of := map[string]string{
		"exportCapTable": c.home + "/captable", "getDashboard": "/v1/captable/" + c.id + "/dashboard", "getPools": "/v1/captable/" + c.id + "/pool",
		"listSecurities": c.home + "/security", "listShareholdings": c.home + "/shareholding", "listOptions": c.home + "/option",
		"listHoldings": c.home + "/holding", "listValuations": c.home + "/valuation", "listPlans": c.home + "/plan",
	}
	var questions []any
	for operation := range maps.Keys(of) {
		questions = append(questions, map[string]any{
			"id": operation, "operation": operation, "parameters": map[string]any{"organization": c.id, "asOf": day.String()},
		})
	}
	got := c.owner.send(c.cached, "POST", "/v1/query", "application/json", written(map[string]any{"queries": questions}))
	if got.status != 200 {
		failf("query: %d %s", got.status, got.body)
	}
	answered, _ := parsed(got.body).(map[string]any)
	results := list(answered["results"])
	c.holds(len(results) == len(of), "%d of %d questions are answered", len(results), len(of))
	for _, result := range results {
		operation := text(result["id"])
		alone := parsed(c.get(of[operation], "asOf", day.String()))
		c.holds(
			written(result["body"]) == written(alone), "on %s: %s\nin a query %s\nalone      %s", day, operation, written(result["body"]),
			written(alone),
		)
	}
}

// inReads checks that dashboards, reports and records show the figures of the table.
func (c *company) inReads(day captable.Date, table map[string]any) {
	dashboard := c.object("/v1/captable/"+c.id+"/dashboard", "asOf", day.String())
	for _, name := range []string{"totals", "securities", "pools", "sequence", "currency", "asOf"} {
		absent := dashboard[name] == nil && written(table[name]) == "[]"
		c.holds(
			absent || written(dashboard[name]) == written(table[name]), "on %s: %s in the dashboard\n%s\nin the table\n%s", day, name,
			written(dashboard[name]), written(table[name]),
		)
	}
	holders := list(table["holders"])
	for i, top := range list(dashboard["topHolders"]) {
		for name, value := range top {
			c.holds(
				holders[i][name] == value || holders[i][name] == nil && value == "0", "on %s: %s of a top holder is %v, in the table %v",
				day, name, value, holders[i][name],
			)
		}
	}
	counts, _ := dashboard["counts"].(map[string]any)
	for name, of := range map[string]string{"securities": "securities", "holders": "holders", "convertibles": "convertibles", "warrants": "warrants"} {
		c.holds(
			fmt.Sprint(counts[name]) == strconv.Itoa(len(list(table[of]))), "on %s: the dashboard counts %v %s of %d", day, counts[name],
			name, len(list(table[of])),
		)
	}
	records := map[any]map[string]any{}
	for _, class := range c.pages(c.home+"/security", "asOf", day.String()) {
		records[class["id"]] = class
	}
	for _, class := range list(table["securities"]) {
		record := records[class["id"]]
		c.shows(day, class, record, map[string]string{
			"authorized": "authorizedShares", "issued": "issued", "outstanding": "outstanding", "treasury": "treasury",
			"reserved": "reserved", "available": "available",
		})
	}
	c.inPlans(day, table)
}

// inPlans checks the plans, their dashboards and the report of pools.
func (c *company) inPlans(day captable.Date, table map[string]any) {
	figures := map[string]string{
		"outstanding": "outstanding", "exercised": "exercised", "cancelled": "cancelled", "returned": "returned", "available": "available",
		"granted": "granted",
	}
	lines := map[any]map[string]any{}
	for _, of := range list(table["pools"]) {
		lines[of["pool"]] = of
	}
	for _, plan := range c.pages(c.home+"/plan", "asOf", day.String()) {
		for _, of := range list(plan["pools"]) {
			c.shows(day, of, lines[of["id"]], figures)
		}
		dashboard := c.object("/v1/plan/"+text(plan["id"])+"/dashboard", "asOf", day.String())
		for _, of := range list(dashboard["pools"]) {
			c.shows(day, of, lines[of["pool"]], figures)
		}
	}
	report := c.object("/v1/captable/"+c.id+"/pool", "asOf", day.String())
	for _, plan := range list(report["plans"]) {
		for _, of := range list(plan["pools"]) {
			c.shows(day, of, lines[of["pool"]], figures)
			c.shows(day, of, lines[of["pool"]], map[string]string{"reserve": "reserve"})
		}
	}
}

// shows checks that the fields of a record equal the mapped fields of another record.
func (c *company) shows(day captable.Date, is, other map[string]any, fields map[string]string) {
	for name, theirs := range fields {
		wanted := other[theirs]
		if other == nil { // a pool without figures on the day has no line in the table
			wanted = "0"
		}
		c.holds(
			is[name] == wanted, "on %s: %s is %v, elsewhere %v\n%s\n%s", day, name, is[name], other[theirs], c.named(written(is)),
			c.named(written(other)),
		)
	}
}

// JSON, CSV, XLSX, queries and dashboards of one sequence have the same figures.
func TestFormsOfTheCapTableAgree(t *testing.T) {
	t.Parallel()
	everywhere(t, &property{kinds: all(), most: 40, histories: 2, check: func(w *world, steps []step) {
		c := w.found("company", 1, 1)
		for n, s := range steps {
			c.perform(n, s)
		}
		for _, day := range append(sample(w, c.days(), 3), c.today) {
			table := c.object(c.home+"/captable", "asOf", day.String())
			c.agree(day, "CSV", inCSV(c.get(c.home+"/captable", "format", "csv", "asOf", day.String())), positions(table))
			if day >= founding() {
				c.inWorkbook(day, table)
			}
			c.inQuery(day)
			c.inReads(day, table)
			c.inPackage(day, table)
		}
	}})
}
