import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { throttled } from './throttle';

describe('throttled values', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('pass at once, then once in an interval, and the last is kept', () => {
    const passed: number[] = [];
    const { call } = throttled((value: number) => passed.push(value), 100);
    for (let value = 0; value < 25; value++) {
      call(value);
      vi.advanceTimersByTime(10);
    }
    vi.advanceTimersByTime(200);
    expect(passed).toEqual([0, 9, 19, 24]);
  });

  it('pass without waiting at a flush', () => {
    const passed: number[] = [];
    const { call, flush } = throttled((value: number) => passed.push(value), 100);
    call(1);
    call(2);
    flush();
    expect(passed).toEqual([1, 2]);
    vi.advanceTimersByTime(500);
    expect(passed).toEqual([1, 2]);
  });
});
