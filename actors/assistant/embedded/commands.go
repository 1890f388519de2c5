package embedded

import (
	"regexp"
	"strings"
)

// command is a form of messages. Run receives the groups of the form.
type command struct {
	form    *regexp.Regexp
	example string
	run     func(w *work, found []string)
}

// quantity matches an exact number with or without separators of thousands.
const quantity = `(\d[\d,]*(?:\.\d+)?)`

// day matches an optional date at the end of a command.
const day = `(?: on (\d{4}-\d{2}-\d{2}))?`

// commands returns the commands in the order in which they are tried.
func commands() []command {
	form := func(pattern string) *regexp.Regexp { return regexp.MustCompile(`(?i)^(?:please )?` + pattern + `$`) }
	return []command{
		{form(`help|what can you do|commands`), "", func(w *work, _ []string) { w.say("I understand these commands:\n" + New(nil).list()) }},
		{form(`(?:show |what is |display )?(?:me )?(?:the |our )?cap ?table|who owns (?:what|the company)`), "show the cap table", capTable},
		{form(`(?:show |open )?(?:me )?(?:the |our )?dashboard|show (?:the )?totals`), "show the dashboard", dashboard},
		{form(`(?:list|show) (?:me )?(?:all |the |our )*(?:members|people|stakeholders)`), "list members", members},
		{form(`(?:list|show) (?:me )?(?:all |the |our )*(?:securities|share classes)`), "list securities", securities},
		{form(`(?:list|show) (?:me )?(?:all |the |our )*(?:documents|files|data room)`), "list documents", documents},
		{form(`(?:add|create) (?:a |the )?member (.+?),?(?: (?:with )?(?:the )?(?:e-?mail|mail)(?: address)?| with)? <?([^\s<>]+@[^\s<>]+)>?`), "add a member NAME ADDRESS", addMember},
		{form(`create (?:a |the )?(?:security|share class) (.+?) with ` + quantity + ` (?:authorized )?shares`), "create a security NAME with N shares", createSecurity},
		{form(`issue ` + quantity + ` (?:shares )?(?:of )?(.+?) to (.+?)(?: (?:for|at) ` + quantity + ` (?:per share|each|a share))?` + day), "issue N of SECURITY to NAME", issue},
		{form(`grant ` + quantity + ` (?:options )?(?:(?:of|from|in) (.+?) )?to (.+?)` + day), "grant N options from POOL to NAME", grant},
		{form(`explain (?:the )?(?:figure )?(\S+/\S+)`), "explain FIGURE, such as total/outstanding", explain},
		{form(`explain (?:the |our )?(authorized|issued|outstanding|treasury|reserved|available|options|warrants|fully diluted)(?: shares)?`), "", explainTotal},
	}
}

// exactNumber returns a quantity without separators of thousands.
func exactNumber(text string) string { return strings.ReplaceAll(text, ",", "") }

// withoutCapTable answers a caller whose dashboard has no totals.
const withoutCapTable = "Your roles do not include the cap table. Ask an Owner for a role with the permission viewCapTable."

func capTable(w *work, _ []string) {
	var found struct {
		AsOf       string                                                         `json:"asOf"`
		Totals     struct{ Outstanding, FullyDiluted string }                     `json:"totals"`
		Securities []struct{ Name, Authorized, Outstanding, FullyDiluted string } `json:"securities"`
		TopHolders []struct{ Name, Shares, Options, PercentFullyDiluted string }  `json:"topHolders"`
	}
	if !w.call("getDashboard", map[string]any{}, &found) {
		return
	}
	if found.Totals.Outstanding == "" {
		w.say(withoutCapTable)
		return
	}
	lines := []string{"Cap table as of " + found.AsOf + ": " + found.Totals.Outstanding + " shares outstanding, " + found.Totals.FullyDiluted + " fully diluted."}
	for _, s := range found.Securities {
		lines = append(lines, "- "+s.Name+": "+s.Outstanding+" of "+s.Authorized+" authorized shares outstanding")
	}
	for _, h := range found.TopHolders {
		lines = append(lines, "- "+h.Name+": "+h.Shares+" shares, "+h.Options+" options, "+percent(h.PercentFullyDiluted)+" fully diluted")
	}
	w.say(strings.Join(lines, "\n"))
}

func dashboard(w *work, _ []string) {
	var found struct {
		AsOf     string `json:"asOf"`
		Currency string `json:"currency"`
		Totals   struct {
			Authorized, Issued, Outstanding, FullyDiluted, Options, Warrants, Invested string
		} `json:"totals"`
		Counts struct{ Holders, Securities, Members, Waiting int } `json:"counts"`
	}
	if !w.call("getDashboard", map[string]any{}, &found) {
		return
	}
	t := found.Totals
	if t.Outstanding == "" {
		w.say(withoutCapTable)
		return
	}
	lines := []string{
		"As of " + found.AsOf + ":",
		"- " + t.Authorized + " shares authorized, " + t.Issued + " issued, " + t.Outstanding + " outstanding, " + t.FullyDiluted + " fully diluted",
		"- " + t.Options + " options, " + t.Warrants + " warrants",
	}
	if t.Invested != "" {
		lines = append(lines, "- "+t.Invested+" "+found.Currency+" invested")
	}
	w.say(strings.Join(append(lines, "- "+counted(found.Counts.Holders, "holder")+", "+counted(found.Counts.Members, "member")+", "+
		counted(found.Counts.Securities, "security")+", "+counted(found.Counts.Waiting, "waiting item")), "\n"))
}

func explain(w *work, found []string) { w.explain(found[0]) }

func explainTotal(w *work, found []string) {
	figure := strings.ToLower(found[0])
	if figure == "fully diluted" {
		figure = "fullyDiluted"
	}
	w.explain("total/" + figure)
}

// term is a figure with the terms that it consists of.
type term struct {
	Label     string `json:"label"`
	Value     string `json:"value"`
	Operation string `json:"operation"`
	Terms     []term `json:"terms"`
}

func (w *work) explain(figure string) {
	var found struct {
		AsOf        string `json:"asOf"`
		Explanation term   `json:"explanation"`
	}
	if !w.call("explainFigure", map[string]any{"figure": figure}, &found) {
		return
	}
	lines := []string{figure + " as of " + found.AsOf + ": " + found.Explanation.Value}
	for _, one := range found.Explanation.Terms {
		lines = append(lines, "- "+one.Label+": "+one.Value)
	}
	w.say(strings.Join(lines, "\n"))
}
