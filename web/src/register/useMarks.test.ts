import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { notePulse } from '~/live/pulse';
import type { Column } from './column';
import { useMarks } from './useMarks';

type Row = { id: string; shares: string };
const columns: Column<Row>[] = [
  { id: 'id', header: 'Id', value: (row) => row.id },
  { id: 'shares', header: 'Shares', value: (row) => row.shares },
];
const before: Row[] = [
  { id: 'a', shares: '1' },
  { id: 'b', shares: '2' },
];
const after: Row[] = [
  { id: 'b', shares: '3' },
  { id: 'a', shares: '1' },
];
const marks = () =>
  renderHook(({ rows }) => useMarks(rows, columns, (row) => row.id, [0, 1]), { initialProps: { rows: before } });

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('marks of a register', () => {
  it('are absent after another order or search', () => {
    vi.spyOn(performance, 'now').mockReturnValue(1_000_000);
    const { result, rerender } = marks();
    rerender({ rows: after });
    expect(result.current.size).toBe(0);
    vi.restoreAllMocks();
  });
  it('name the changed columns of a row for a moment after an event, wherever the row is', () => {
    const { result, rerender } = marks();
    notePulse();
    rerender({ rows: after });
    expect([...result.current]).toEqual([['b', ' shares ']]);
    act(() => vi.advanceTimersByTime(2_000));
    expect(result.current.size).toBe(0);
  });
});
