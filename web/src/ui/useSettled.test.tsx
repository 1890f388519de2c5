import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useSettled } from './useSettled';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('a value is settled once it has not changed for the pause', () => {
  const { result, rerender } = renderHook(({ value }) => useSettled(value, 300), { initialProps: { value: 'a' } });
  expect(result.current).toBe('a');
  for (const value of ['b', 'c']) {
    rerender({ value });
    act(() => void vi.advanceTimersByTime(200));
    expect(result.current).toBe('a');
  }
  act(() => void vi.advanceTimersByTime(100));
  expect(result.current).toBe('c');
});
