package assistant

import "equity/messages"

// maxTools is the number of tools in a prompt, in addition to findTools.
const maxTools = 40

const toolFindTools = "findTools"

// findTools returns the tool that searches tools.
func findTools() messages.Tool {
	return messages.Tool{
		Name: toolFindTools, Title: "Search tools", Class: messages.ToolRead,
		Description: "Searches the available operations by words, such as \"vesting schedule\" or \"transfer shares\". The found tools can be called next.",
		InputSchema: []byte(`{"type":"object","properties":{"query":{"type":"string"}},"required":["query"],"additionalProperties":false}`),
	}
}
