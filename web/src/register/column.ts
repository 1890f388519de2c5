import type { ReactNode } from 'react';
import { compare, type Decimal, isDecimal } from '~/decimal/decimal';

/** Column is one column of a register. */
export type Column<Row> = {
  id: string;
  header: string;
  /** The plain value, for sorting, searching, copying and exporting. Decimals and dates in the form of the contract. */
  value: (row: Row) => string | undefined;
  /** The displayed value; the plain one by default. */
  cell?: (row: Row) => ReactNode;
  /** decimal and date values are sorted by their meaning; decimals are aligned right. */
  kind?: 'text' | 'decimal' | 'date';
  /** The width as a track of a CSS grid. */
  width?: string;
  /** The sum below the header, over the displayed rows. */
  sum?: (rows: Row[]) => ReactNode;
  /** The place in the list of a narrow screen; absent columns are left out there. */
  narrow?: 'title' | 'value' | 'detail';
  /** Hidden until the user selects the column. */
  extra?: boolean;
};

/** Filter selects the rows with one of the chosen values. */
export type Filter<Row> = {
  id: string;
  label: string;
  choices: { value: string; label: string; color?: string }[];
  value: (row: Row) => string | string[];
};

/** Returns the track widths of the columns. */
export const tracks = <Row>(columns: Column<Row>[]): string =>
  columns
    .map(
      (column) =>
        column.width ??
        (column.kind === 'decimal' ? 'minmax(110px, 1fr)' : column.kind === 'date' ? '112px' : 'minmax(120px, 1.2fr)'),
    )
    .join(' ');

function order(kind: Column<unknown>['kind'], a: string | undefined, b: string | undefined): number {
  if (kind === 'decimal') return compare(decimalOr(a), decimalOr(b));
  return (a ?? '').localeCompare(b ?? '', 'en', { numeric: true });
}

const decimalOr = (value: string | undefined): Decimal => (value !== undefined && isDecimal(value) ? value : '0');

/** Returns the rows in the order of "COLUMN" or "-COLUMN" (descending). Rows with equal values keep their order. */
export function sorted<Row>(rows: Row[], columns: Column<Row>[], by: string | undefined): Row[] {
  const descending = by?.startsWith('-') ?? false;
  const column = columns.find((one) => one.id === by?.replace(/^-/, ''));
  if (!column) return rows;
  const keyed = rows.map((row) => ({ row, value: column.value(row) }));
  keyed.sort((a, b) => (descending ? -1 : 1) * order(column.kind, a.value, b.value));
  return keyed.map(({ row }) => row);
}

/** Returns the rows that contain each word of the text in one of the columns. */
export function found<Row>(rows: Row[], columns: Column<Row>[], text: string | undefined): Row[] {
  const words = (text ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const all = columns
      .map((column) => column.value(row) ?? '')
      .join('\u0000')
      .toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

/** Returns the rows as tab-separated or comma-separated text with a header line. */
export function delimited<Row>(rows: Row[], columns: Column<Row>[], separator: '\t' | ','): string {
  const quoted = (text: string) => {
    const safe = /^[=+\-@\t\r]/.test(text) && !isDecimal(text) ? `'${text}` : text; // no formulas in spreadsheets
    return /["\n\r\t,]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const lines = [
    columns.map((column) => column.header),
    ...rows.map((row) => columns.map((column) => column.value(row) ?? '')),
  ];
  return lines.map((line) => line.map(quoted).join(separator)).join('\r\n');
}
