package hooks

import (
	"strconv"
	"strings"
	"time"
)

// scope has the values of the templates of one request.
type scope struct {
	payload any
	headers map[string]string
	query   map[string]string
	path    string
	now     time.Time
}

// render replaces each {{expression}} by its value. Values are not rendered again.
func (s *scope) render(template string) string {
	if !strings.Contains(template, "{{") {
		return template
	}
	var b strings.Builder
	for {
		start := strings.Index(template, "{{")
		if start < 0 {
			break
		}
		inside := template[start+2:]
		end := strings.IndexByte(inside, '}')
		if end < 0 {
			break
		}
		if end == 0 || !strings.HasPrefix(inside[end:], "}}") { // not an expression; it may begin at the next brace
			skip := start + 1
			if end > 0 {
				skip = start + 2 + end // no expression contains the closing brace
			}
			b.WriteString(template[:skip])
			template = template[skip:]
			continue
		}
		b.WriteString(template[:start])
		b.WriteString(display(s.value(trim(inside[:end]))))
		template = inside[end+2:]
	}
	b.WriteString(template)
	return b.String()
}

// optional renders a template and returns its trimmed text.
func (s *scope) optional(template string) string { return trim(s.render(template)) }

// value returns the value of an expression.
func (s *scope) value(expression string) any {
	switch expression {
	case "path":
		return s.path
	case "now":
		return s.now.UTC().Format("2006-01-02T15:04:05.000Z")
	}
	if name, ok := strings.CutPrefix(expression, "headers."); ok {
		return lookupText(s.headers, name)
	}
	if name, ok := strings.CutPrefix(expression, "query."); ok {
		return lookupText(s.query, name)
	}
	if path, ok := strings.CutPrefix(expression, "payload."); ok {
		return lookup(s.payload, path)
	}
	return lookup(s.payload, expression)
}

// lookupText returns the text with the name. A path into a text has no value.
func lookupText(texts map[string]string, name string) any {
	steps := path(name)
	if len(steps) != 1 || steps[0].isIndex {
		return absent{}
	}
	if text, ok := texts[steps[0].key]; ok {
		return text
	}
	return absent{}
}

// step is a key of an object or an index of an array.
type step struct {
	key     string
	index   int
	isIndex bool
}

// path returns the steps of an expression such as a.b[0].c. Digits in brackets are an index. All other brackets only separate.
func path(expression string) (steps []step) {
	for expression != "" {
		if expression[0] == '[' {
			digits := strings.IndexFunc(expression[1:], func(r rune) bool { return r < '0' || r > '9' })
			if digits > 0 && expression[1+digits] == ']' {
				index, err := strconv.Atoi(expression[1 : 1+digits])
				if err != nil {
					index = -1 // beyond every array
				}
				steps = append(steps, step{index: index, isIndex: true})
				expression = expression[digits+2:]
				continue
			}
		}
		end := strings.IndexAny(expression, ".[]")
		switch {
		case end < 0:
			end = len(expression)
		case end == 0:
			expression = expression[1:]
			continue
		}
		steps = append(steps, step{key: expression[:end]})
		expression = expression[end:]
	}
	return steps
}

// lookup returns the value at the path, or absent.
func lookup(value any, expression string) any {
	if expression == "" {
		return absent{}
	}
	for _, s := range path(expression) {
		value = child(value, s)
	}
	return value
}

// child returns the value of one step.
func child(value any, s step) any {
	switch value := value.(type) {
	case *object:
		if !s.isIndex {
			return value.get(s.key)
		}
	case []any:
		index := s.index
		switch {
		case s.isIndex:
		case s.key == "length":
			return float64(len(value))
		case isIndex(s.key):
			n, err := strconv.Atoi(s.key)
			if err != nil {
				return absent{}
			}
			index = n
		default:
			return absent{}
		}
		if index >= 0 && index < len(value) {
			return value[index]
		}
	}
	return absent{}
}
