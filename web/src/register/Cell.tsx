import type { ReactNode } from 'react';
import { day } from '~/format/dates';
import { cell } from '~/format/figures';
import { useMark } from '~/ui/Changed';
import type { Column } from './column';

/** Returns the displayed value of a row in a column. */
export function contentOf<Row>(column: Column<Row>, row: Row): ReactNode {
  if (column.cell) return column.cell(row);
  const value = column.value(row);
  if (column.kind === 'decimal') return cell(value);
  if (column.kind === 'date') return day(value);
  return value || '–';
}

type Props<Row> = { column: Column<Row>; row: Row; first: boolean };

/** One cell of a row, marked briefly after its value changed. */
export function Cell<Row>({ column, row, first }: Props<Row>) {
  const mark = useMark(column.value(row));
  const look =
    column.kind === 'decimal'
      ? 'num text-right'
      : column.kind === 'date'
        ? 'num text-ink-2'
        : first
          ? 'font-medium'
          : 'text-ink-2';
  return (
    <div role="gridcell" className={`truncate ${look} ${mark}`}>
      {contentOf(column, row)}
    </div>
  );
}

/** A value with its name, in a row of a narrow screen. */
export function NamedCell<Row>({ column, row }: Omit<Props<Row>, 'first'>) {
  const mark = useMark(column.value(row));
  return (
    <Named name={column.header} figure={column.kind !== undefined && column.kind !== 'text'} mark={mark}>
      {contentOf(column, row)}
    </Named>
  );
}

type NamedProps = { name: string; figure?: boolean; mark?: string; children: ReactNode };

/** A value with its name. The value of a figure is always complete; its name is cut if both have no room. */
export const Named = ({ name, figure, mark = '', children }: NamedProps) => (
  <div role="gridcell" className="flex h-6 min-w-0 items-center justify-between gap-2 text-xs">
    <span className={`text-ink-3 in-[[aria-selected=true]]:text-ink-2 ${figure ? 'min-w-0 truncate' : 'shrink-0'}`}>
      {name}
    </span>
    <span
      className={`num text-right text-ink-2 ${figure ? 'shrink-0' : 'min-w-0 flex-1 truncate [&>.flex]:justify-end'} ${mark}`}
    >
      {children}
    </span>
  </div>
);
