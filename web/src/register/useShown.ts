import { useDeferredValue, useMemo } from 'react';
import { listOf } from '~/shell/address';
import { type Column, type Filter, found, sorted } from './column';

type View = {
  query: string | undefined;
  sort: string | undefined;
  /** The chosen values of each filter, as in the URL. */
  chosen: (string | undefined)[];
};

const separator = '\n';

/**
 * Returns the rows that filters and search select, and the same rows in their order. The control that the user changed is painted first,
 * and the effect on thousands of rows afterwards.
 */
export function useShown<Row>(rows: Row[], columns: Column<Row>[], filters: Filter<Row>[], view: View) {
  const query = useDeferredValue(view.query);
  const sort = useDeferredValue(view.sort);
  const chosen = useDeferredValue(view.chosen.map((values) => values ?? '').join(separator));
  const kept = useMemo(() => {
    const lists = chosen.split(separator).map(listOf);
    const filtered = filters.reduce((left, filter, at) => {
      const values = lists[at] ?? [];
      if (values.length === 0) return left;
      return left.filter((row) => [filter.value(row)].flat().some((value) => values.includes(value)));
    }, rows);
    return found(filtered, columns, query);
  }, [rows, columns, query, chosen]);
  const shown = useMemo(() => sorted(kept, columns, sort), [kept, columns, sort]);
  return { kept, shown };
}
