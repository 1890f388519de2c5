import { useLayoutEffect, useRef } from 'react';
import { count } from '~/decimal/count';
import { controlIn } from './useGridKeys';

/**
 * The row with the focus. It stays in the document while the register scrolls, and the focus follows it when new rows or another order
 * give it another place.
 */
export function useFocusedRow<Row>(
  rows: Row[],
  rowId: (row: Row) => string,
  lineAt: (index: number) => HTMLElement | null | undefined,
) {
  const focused = useRef<{ index: number; id: string }>(undefined);
  const idAt = (index: number) => {
    const row = rows[index];
    return row && rowId(row);
  };
  const index = (): number | undefined => {
    const known = focused.current;
    if (known && idAt(known.index) !== known.id) {
      const found = rows.findIndex((row) => rowId(row) === known.id);
      focused.current = found < 0 ? undefined : { ...known, index: found };
    }
    return focused.current?.index;
  };
  const note = (at: number | undefined) => {
    const id = at === undefined ? undefined : idAt(at);
    focused.current = at === undefined || id === undefined ? undefined : { index: at, id };
  };
  useLayoutEffect(() => {
    const line = document.activeElement?.closest<HTMLElement>('[data-index]');
    const at = count(line?.dataset.index ?? '');
    const known = focused.current;
    if (!line || at === undefined || lineAt(at) !== line) return;
    if (!known) return note(at); // its row is gone; the next one has its place
    if (at === known.index) return;
    const cell = [...line.children].findIndex((one) => one.contains(document.activeElement));
    const target = lineAt(known.index);
    (controlIn(target, cell < 0 ? undefined : cell) ?? target)?.focus({ preventScroll: true });
  }, [rows]);
  return { index, note };
}
