package messages

import "context"

type backgroundKey struct{}

// InBackground returns a context whose reads do not count as a use of the organization. It is for retries and schedules of consumers, which
// would otherwise keep the organization in memory.
func InBackground(ctx context.Context) context.Context {
	return context.WithValue(ctx, backgroundKey{}, true)
}

// IsBackground reports whether the context is one of [InBackground].
func IsBackground(ctx context.Context) bool {
	background, _ := ctx.Value(backgroundKey{}).(bool)
	return background
}
