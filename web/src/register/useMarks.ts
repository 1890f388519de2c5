import { useLayoutEffect, useRef, useState } from 'react';
import { isPulsing } from '~/live/pulse';
import type { Column } from './column';

const marked = 2_000; // milliseconds

type Marks = ReadonlyMap<string, string>;
const none: Marks = new Map();

/**
 * Returns the columns whose values an event of the company changed just now, as " ID ID " by row, for the rows that the document shows.
 * Another order or search marks nothing.
 */
export function useMarks<Row>(
  rows: Row[],
  columns: Column<Row>[],
  rowId: (row: Row) => string,
  shown: number[],
): Marks {
  const [marks, setMarks] = useState(none);
  const before = useRef({ rows, columns });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useLayoutEffect(() => {
    const old = before.current;
    before.current = { rows, columns };
    if (old.rows === rows || !isPulsing()) return;
    const known = new Map(old.rows.map((row) => [rowId(row), row]));
    const changed = new Map<string, string>();
    for (const index of shown) {
      const row = rows[index];
      const earlier = row && known.get(rowId(row));
      if (!row || !earlier) continue;
      const ids = columns
        .filter((column) => {
          const former = old.columns.find((one) => one.id === column.id);
          return former && former.value(earlier) !== column.value(row);
        })
        .map((column) => column.id);
      if (ids.length > 0) changed.set(rowId(row), ` ${ids.join(' ')} `);
    }
    if (changed.size === 0) return;
    setMarks(changed);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setMarks(none), marked);
  }, [rows, columns]);
  useLayoutEffect(() => () => clearTimeout(timer.current), []);
  return marks;
}
