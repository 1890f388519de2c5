package transform

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dop251/goja"
)

//go:embed prelude.js
var prelude string

// mostCalls bounds the depth of calls.
const mostCalls = 2000

// Request is the input of a child process.
type Request struct {
	// Folder contains the module and its imports. Both paths are absolute.
	Folder  string            `json:"folder"`
	Module  string            `json:"module"`
	Export  string            `json:"export,omitempty"`
	Payload string            `json:"payload"` // JSON
	Headers map[string]string `json:"headers"`
	URL     string            `json:"url"`
	Path    string            `json:"path"`
}

// Response is the output of a child process.
type Response struct {
	Error string `json:"error,omitempty"`
	// Skip reports the result null.
	Skip bool `json:"skip,omitempty"`
	// Fields are those of a returned object; nil for any other result.
	Fields map[string]any `json:"fields,omitempty"`
}

var (
	errNotFunction = errors.New("the runtime is not complete")
	errPending     = errors.New("the promise of the transform never settles")
)

// Run bundles the module and runs its transform in this process, without limits.
func Run(in Request) Response {
	out, err := run(in)
	if err != nil {
		return Response{Error: err.Error()}
	}
	return out
}

func run(in Request) (Response, error) {
	script, err := Bundle(in.Folder, in.Module)
	if err != nil {
		return Response{}, err
	}
	vm := goja.New()
	vm.SetMaxCallStackSize(mostCalls)
	value, err := vm.RunScript("prelude.js", prelude)
	if err != nil {
		return Response{}, err
	}
	host := value.ToObject(vm)
	if _, err := vm.RunScript("module.js", script); err != nil {
		return Response{}, err
	}
	chosen, err := call(vm, host, "choose", vm.Get(moduleName), vm.ToValue(in.Export))
	if err != nil {
		return Response{}, err
	}
	headers, err := json.Marshal(in.Headers)
	if err != nil {
		return Response{}, err
	}
	result, err := call(
		vm, host, "run", chosen, vm.ToValue(in.Payload), vm.ToValue(string(headers)), vm.ToValue(in.URL), vm.ToValue(in.Path),
	)
	if err != nil {
		return Response{}, err
	}
	result, err = settle(vm, host, result)
	if err != nil {
		return Response{}, err
	}
	return read(result)
}

// call calls a function of the host.
func call(vm *goja.Runtime, host *goja.Object, name string, arguments ...goja.Value) (goja.Value, error) {
	function, ok := goja.AssertFunction(host.Get(name))
	if !ok {
		return nil, errNotFunction
	}
	for i, argument := range arguments {
		if argument == nil {
			arguments[i] = vm.ToValue(nil)
		}
	}
	return function(goja.Undefined(), arguments...)
}

// settle runs timers until the promise has a result.
func settle(vm *goja.Runtime, host *goja.Object, value goja.Value) (goja.Value, error) {
	promise, ok := value.Export().(*goja.Promise)
	if !ok {
		return value, nil
	}
	for promise.State() == goja.PromiseStatePending {
		ran, err := call(vm, host, "tick")
		if err != nil {
			return nil, err
		}
		if !ran.ToBoolean() {
			return nil, errPending
		}
	}
	if promise.State() == goja.PromiseStateRejected {
		return nil, fmt.Errorf("rejected: %s", promise.Result().String()) //nolint:err113 // the cause is a text of the module
	}
	return promise.Result(), nil
}

// read returns the result of a transform.
func read(value goja.Value) (out Response, err error) {
	defer func() {
		if reason := recover(); reason != nil { // a getter threw
			err = fmt.Errorf("result: %v", reason) //nolint:err113 // the cause is a text of the module
		}
	}()
	if value == nil || goja.IsUndefined(value) {
		return out, nil
	}
	if goja.IsNull(value) {
		return Response{Skip: true}, nil
	}
	result, ok := value.(*goja.Object)
	if !ok {
		return out, nil
	}
	out.Fields = map[string]any{}
	for _, name := range []string{
		"kind", "text", "mode", "message", "wakeMode", "name", "agentId", "sessionKey", "deliver", "channel", "to", "model", "thinking",
		"timeoutSeconds",
	} {
		if field := result.Get(name); field != nil && !goja.IsUndefined(field) {
			out.Fields[name] = plain(name, field)
		}
	}
	return out, nil
}

// plain returns the JSON form of a field. Objects in fields of text become texts, as in a template of JavaScript.
func plain(name string, field goja.Value) any {
	if goja.IsNull(field) {
		return nil
	}
	switch value := field.Export().(type) {
	case string, bool, int64:
		return value
	case float64:
		if math.IsNaN(value) || math.IsInf(value, 0) {
			return false
		}
		return value
	}
	if slices.Contains([]string{"kind", "name", "agentId", "to", "model", "thinking"}, name) {
		return field.String()
	}
	return map[string]any{}
}
