package onboarding

import (
	"regexp"
	"slices"
	"strings"

	"equity/captable/exact"
	"equity/fault"
	"equity/messages"
)

// The kinds of questions.
const (
	kindText   = "text"
	kindNumber = "number"
	kindMoney  = "money"
	kindChoice = "choice"
)

// mostQuestions bounds the questions of an onboarding.
const mostQuestions = 7

// ask returns the answer to a question, else its default. Beyond the maximum, a question is omitted, and the field of its item has to be
// corrected.
func (p *planner) ask(name string, question messages.PlanQuestion) string {
	question.ID = p.id("question", name)
	if answer, given := p.of.Answers[question.ID]; given && checkAnswer(question, answer) == nil {
		question.Answer = &answer
	}
	if len(p.questions) < mostQuestions {
		p.questions = append(p.questions, question)
	}
	switch {
	case question.Answer != nil:
		return *question.Answer
	case question.Default != nil:
		return *question.Default
	}
	return ""
}

// source returns the source of a fact of an item that may depend on a question.
func (p *planner) source(question string) string {
	if _, answered := p.of.Answers[p.id("question", question)]; answered {
		return fromAnswer
	}
	return fromDefault
}

// open returns the required questions without an answer. With defaults, a default is an answer.
func open(questions []messages.PlanQuestion, defaults bool) bool {
	return slices.ContainsFunc(questions, func(q messages.PlanQuestion) bool {
		return q.Required && q.Answer == nil && (!defaults || q.Default == nil)
	})
}

// grouped matches numbers whose thousands are separated. The first group does not begin with 0, and all groups but the last may have two digits.
var grouped = regexp.MustCompile(`^[1-9][0-9]{0,2}(?:[, '][0-9]{2,3})*[, '][0-9]{3}(?:\.[0-9]+)?$`)

// normalAnswer returns the answer without the separators of thousands and symbols that people write in numbers. An answer in another notation
// stays, and is refused: 1,5 is not 15.
func normalAnswer(question messages.PlanQuestion, answer string) string {
	answer = strings.TrimSpace(answer)
	switch question.Kind {
	case kindNumber, kindMoney:
		number := strings.TrimSpace(without(answer, "$€£"))
		if !grouped.MatchString(number) {
			return number
		}
		return without(number, ", '")
	case kindChoice:
		for _, option := range question.Options {
			if strings.EqualFold(option, answer) {
				return option
			}
		}
	}
	return answer
}

// without returns the text without the characters.
func without(text, characters string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(characters, r) {
			return -1
		}
		return r
	}, text)
}

const longestAnswer = 200

// checkAnswer returns an error if the answer does not fit the kind of the question.
func checkAnswer(question messages.PlanQuestion, answer string) error {
	wrong := func(code, text string) error {
		return &fault.Error{
			Code: fault.Invalid, Message: "The answer does not fit the question.",
			Fields: fault.Fields{{Pointer: "/answer", Code: code, Message: text}},
		}
	}
	switch question.Kind {
	case kindNumber, kindMoney:
		number, err := exact.ParseDecimal(answer)
		switch {
		case err != nil:
			return wrong("invalidDecimal", "Write a decimal number such as 1,234,567.5.")
		case number.Sign() <= 0:
			return wrong("notPositive", "The answer must be greater than 0.")
		case question.Kind == kindNumber && !number.IsWhole():
			return wrong("notWhole", "The answer must be a whole number.")
		}
	case kindChoice:
		if !slices.Contains(question.Options, answer) {
			return wrong("unknownOption", "Choose one of: "+strings.Join(question.Options, ", ")+".")
		}
	default:
		if answer == "" {
			return wrong("required", "The answer is required.")
		}
		if len([]rune(answer)) > longestAnswer {
			return wrong("tooLong", "The answer must have at most 200 characters.")
		}
	}
	return nil
}

// status returns the state of an analyzed plan.
func status(questions []messages.PlanQuestion) messages.OnboardingStatus {
	if open(questions, false) {
		return messages.OnboardingQuestions
	}
	return messages.OnboardingAnalyzed
}
