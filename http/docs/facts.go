package docs

import "html/template"

// facts contain the text of the page, in display order.
type facts struct {
	Title       string
	Description template.HTML
	Groups      []group
	Schemas     []schemaFacts
}

// group contains the operations of a tag.
type group struct {
	ID, Title   string
	Description template.HTML
	Operations  []operationFacts
}

type operationFacts struct {
	ID, Method, Path, Summary string
	Description               template.HTML
	// Permission is the name. Audience is its description.
	Permission, Audience string
	Agent, Feature       string
	Parameters           []fieldFacts
	Body                 *bodyFacts
	Answers              []answerFacts
	Refusals             []answerFacts
	Callbacks            *callbackFacts
	Curl                 string
}

// callbackFacts describe the requests that an operation causes. They differ in their bodies only.
type callbackFacts struct {
	Address     string
	Description template.HTML
	Parameters  []fieldFacts
	Answers     []answerFacts
	Bodies      []callbackBody
}

// callbackBody is the body of the callback with the name.
type callbackBody struct {
	Name string
	bodyFacts
}

// fieldFacts describe a parameter or a field of a schema.
type fieldFacts struct {
	Name, In, Example string
	Required          bool
	Type              template.HTML
	Description       template.HTML
}

type bodyFacts struct {
	Required bool
	Kinds    string
	Type     template.HTML
	Example  string
}

type answerFacts struct {
	Status, Kinds string
	Description   template.HTML
	Type          template.HTML
	Headers       []string
	Example       string
}

type schemaFacts struct {
	Name        string
	Description template.HTML
	Type        template.HTML
	Rules       string
	Fields      []fieldFacts
	Example     string
}
