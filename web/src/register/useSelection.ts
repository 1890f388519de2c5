import { useCallback, useRef, useState } from 'react';

/** The selected rows of a register, by their ids. A range reaches from the latest choice to a row. */
export function useSelection<Row>(rows: Row[], rowId: (row: Row) => string) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const latest = useRef(0);
  const now = useRef({ rows, rowId });
  now.current = { rows, rowId };
  const toggle = useCallback((index: number, range: boolean) => {
    const from = range ? Math.min(latest.current, index) : index;
    const to = range ? Math.max(latest.current, index) : index;
    const ids = now.current.rows.slice(from, to + 1).map(now.current.rowId);
    latest.current = index;
    setSelected((before) => {
      const after = new Set(before);
      for (const id of ids) {
        if (!range && before.has(id)) after.delete(id);
        else after.add(id);
      }
      return after;
    });
  }, []);
  const selectAll = (all: boolean) => setSelected(new Set(all ? rows.map(rowId) : []));
  const picked = selected.size > 0 ? rows.filter((row) => selected.has(rowId(row))) : [];
  const extent: 'none' | 'some' | 'all' = picked.length === 0 ? 'none' : picked.length === rows.length ? 'all' : 'some';
  return { selected, picked, extent, toggle, selectAll };
}
