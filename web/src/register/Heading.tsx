import { ArrowDown, ArrowUp } from 'lucide-react';
import { Fragment, useMemo } from 'react';
import { Named } from './Cell';
import { type Column, isDescending, nextSort } from './column';
import { partsOf } from './narrow';

type Props<Row> = {
  columns: Column<Row>[];
  sort: string | undefined;
  onSort: (sort: string) => void;
  /** The displayed rows in any order. */
  rows: Row[];
  narrow: boolean;
  /** How many of the displayed rows are selected. */
  selected: 'none' | 'some' | 'all';
  onSelectAll: (all: boolean) => void;
};

/** The sticky header of a register, with the sums of the displayed rows. */
export function Heading<Row>({ columns, sort, onSort, rows, narrow, selected, onSelectAll }: Props<Row>) {
  const by = sort?.replace(/^-/, '');
  const descending = isDescending(sort);
  const summed = columns.some((column) => column.sum);
  const sums = useMemo(() => new Map(columns.map((column) => [column.id, column.sum?.(rows)])), [columns, rows]);
  const all = (
    <input
      type="checkbox"
      aria-label="Select all shown"
      tabIndex={-1}
      className="size-4 accent-(--accent)"
      checked={selected === 'all'}
      ref={(box) => {
        if (box) box.indeterminate = selected === 'some';
      }}
      onChange={() => onSelectAll(selected !== 'all')}
    />
  );
  if (narrow) {
    const { value, others } = partsOf(columns);
    return (
      <div role="rowgroup" className="sticky top-0 z-10 border-b border-line bg-surface">
        <div role="row" aria-rowindex={1} className="grid grid-cols-(--list) gap-x-4 py-2.5">
          <div role="columnheader" className="flex h-6 items-center">
            {all}
          </div>
          <div role="columnheader" className="h-6 font-medium">
            {summed ? 'Total' : 'All'}
          </div>
          {value?.sum ? (
            <Named name={value.header} figure>
              {sums.get(value.id)}
            </Named>
          ) : (
            <span aria-hidden />
          )}
          {others
            .filter((column) => column.sum)
            .map((column, at) => (
              <Fragment key={column.id}>
                {at % 2 === 0 && <span aria-hidden className="col-start-1" />}
                <Named name={column.header} figure>
                  {sums.get(column.id)}
                </Named>
              </Fragment>
            ))}
        </div>
      </div>
    );
  }
  return (
    <div role="rowgroup" className="sticky top-0 z-10 bg-surface">
      <div
        role="row"
        aria-rowindex={1}
        className="grid h-9 grid-cols-(--tracks) items-center gap-4 border-b border-line text-ink-3"
      >
        <div role="columnheader" className="flex items-center">
          {all}
        </div>
        {columns.map((column) => (
          <div
            key={column.id}
            role="columnheader"
            aria-sort={by === column.id ? (descending ? 'descending' : 'ascending') : 'none'}
            className={column.kind === 'decimal' ? 'text-right' : ''}
          >
            <button
              type="button"
              tabIndex={-1}
              className={`inline-flex items-center gap-1 hover:text-ink ${by === column.id ? 'text-ink' : ''}`}
              onClick={() => onSort(nextSort(column, sort))}
            >
              {by === column.id &&
                (descending ? <ArrowDown size={12} aria-hidden /> : <ArrowUp size={12} aria-hidden />)}
              {column.header}
            </button>
          </div>
        ))}
      </div>
      {summed && (
        <div
          role="row"
          aria-rowindex={2}
          className="grid h-9 grid-cols-(--tracks) items-center gap-4 border-b border-line font-medium"
        >
          <div role="gridcell" />
          {columns.map((column, index) => (
            <div
              key={column.id}
              role="gridcell"
              className={`num truncate ${column.kind === 'decimal' ? 'text-right' : ''}`}
            >
              {sums.get(column.id) ?? (index === 0 ? 'Total' : '')}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
