import { Fragment, memo, type ReactNode } from 'react';
import { day } from '~/format/dates';
import { cell } from '~/format/figures';
import { Changed } from '~/ui/Changed';
import type { Column } from './column';

type Props<Row> = {
  index: number;
  top: number;
  height: number;
  row: Row;
  columns: Column<Row>[];
  narrow: boolean;
  tabStop: boolean;
  /** undefined if rows cannot be selected. */
  selected: boolean | undefined;
  onFocus: (index: number) => void;
  onOpen?: (row: Row) => void;
  onToggle: () => void;
};

function content<Row>(column: Column<Row>, row: Row): ReactNode {
  if (column.cell) return column.cell(row);
  const value = column.value(row);
  if (column.kind === 'decimal') return <Changed value={cell(value)} />;
  if (column.kind === 'date') return day(value);
  return value || '–';
}

const lookOf = (column: Column<never>, index: number) =>
  column.kind === 'decimal'
    ? 'num text-right'
    : column.kind === 'date'
      ? 'num text-ink-2'
      : index === 0
        ? 'font-medium'
        : 'text-ink-2';

/** One row of a register: cells of a grid, or two lines on a narrow screen. */
function LineOf<Row>({
  index,
  top,
  height,
  row,
  columns,
  narrow,
  tabStop,
  selected,
  onFocus,
  onOpen,
  onToggle,
}: Props<Row>) {
  const part = (place: Column<Row>['narrow']) => columns.filter((column) => column.narrow === place);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the body of the register handles the keys
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected}
      data-index={index}
      tabIndex={tabStop ? 0 : -1}
      onFocus={() => onFocus(index)}
      onClick={(event) => (event.metaKey || event.ctrlKey ? onToggle() : onOpen?.(row))}
      className={`absolute inset-x-0 border-b border-line hover:bg-hover focus-visible:bg-accent-soft focus-visible:outline-offset-[-2px] aria-selected:bg-accent-soft ${narrow ? 'flex items-center gap-3' : 'grid grid-cols-(--tracks) items-center gap-4'}`}
      style={{ transform: `translateY(${top}px)`, height }}
    >
      {narrow ? (
        <>
          <div role="gridcell" className="mr-auto min-w-0">
            <p className="truncate font-medium">
              {part('title').map((column) => (
                <Fragment key={column.id}>{content(column, row)}</Fragment>
              ))}
            </p>
            <p className="flex gap-2 truncate text-xs text-ink-3">
              {part('detail').map((column) => (
                <span key={column.id}>{content(column, row)}</span>
              ))}
            </p>
          </div>
          <div role="gridcell" className="num flex flex-col items-end">
            {part('value').map((column) => (
              <span key={column.id}>{content(column, row)}</span>
            ))}
          </div>
        </>
      ) : (
        columns.map((column, place) => (
          <div key={column.id} role="gridcell" className={`truncate ${lookOf(column as Column<never>, place)}`}>
            {content(column, row)}
          </div>
        ))
      )}
    </div>
  );
}

export const Line = memo(LineOf) as typeof LineOf;
