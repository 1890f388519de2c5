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
    <Named name={column.header} mark={mark}>
      {contentOf(column, row)}
    </Named>
  );
}

export const Named = ({ name, mark = '', children }: { name: string; mark?: string; children: ReactNode }) => (
  <div role="gridcell" className="flex h-6 min-w-0 items-center justify-between gap-2 text-xs">
    <span className="shrink-0 text-ink-3">{name}</span>
    <span className={`num min-w-0 truncate text-right text-ink-2 ${mark}`}>{children}</span>
  </div>
);
