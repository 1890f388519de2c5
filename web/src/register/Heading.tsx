import { ArrowDown, ArrowUp } from 'lucide-react';
import { useMemo } from 'react';
import type { Column } from './column';

type Props<Row> = { columns: Column<Row>[]; sort: string | undefined; onSort: (sort: string) => void; rows: Row[] };

/** The sticky header of a register, with the sums of the displayed rows. */
export function Heading<Row>({ columns, sort, onSort, rows }: Props<Row>) {
  const by = sort?.replace(/^-/, '');
  const descending = sort?.startsWith('-') ?? false;
  const summed = columns.some((column) => column.sum);
  const sums = useMemo(() => columns.map((column) => column.sum?.(rows)), [columns, rows]);
  return (
    <div role="rowgroup" className="sticky top-0 z-10 bg-surface">
      <div
        role="row"
        aria-rowindex={1}
        className="grid h-9 grid-cols-(--tracks) items-center gap-4 border-b border-line text-ink-3"
      >
        {columns.map((column) => (
          <div
            key={column.id}
            role="columnheader"
            aria-sort={by === column.id ? (descending ? 'descending' : 'ascending') : 'none'}
            className={column.kind === 'decimal' ? 'text-right' : ''}
          >
            <button
              type="button"
              className={`inline-flex items-center gap-1 hover:text-ink ${by === column.id ? 'text-ink' : ''}`}
              onClick={() => onSort(nextSort(column, by, descending))}
            >
              {by === column.id &&
                (descending ? <ArrowDown size={12} aria-hidden /> : <ArrowUp size={12} aria-hidden />)}
              {column.header}
            </button>
          </div>
        ))}
      </div>
      {summed && (
        <div role="row" className="grid h-9 grid-cols-(--tracks) items-center gap-4 border-b border-line font-medium">
          {columns.map((column, index) => (
            <div
              key={column.id}
              role="gridcell"
              className={`num truncate ${column.kind === 'decimal' ? 'text-right' : ''}`}
            >
              {sums[index] ?? (index === 0 ? 'Total' : '')}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

/** Returns the next order of a column. Figures begin with the largest. */
function nextSort<Row>(column: Column<Row>, by: string | undefined, descending: boolean): string {
  if (by === column.id) return descending ? column.id : `-${column.id}`;
  return column.kind === 'decimal' ? `-${column.id}` : column.id;
}
