/**
 * Returns a function that passes values on at once and then at most once in an interval. The last value is never lost, and
 * `flush` passes it on without waiting.
 */
export function throttled<Value>(pass: (value: Value) => void, interval: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waiting: { value: Value } | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (!waiting) return;
    const { value } = waiting;
    waiting = undefined;
    timer = setTimeout(flush, interval);
    pass(value);
  };
  const call = (value: Value) => {
    waiting = { value };
    if (timer === undefined) flush();
  };
  return { call, flush };
}
