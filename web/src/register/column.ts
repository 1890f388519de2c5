import type { ReactNode } from 'react';
import { isDecimal, scaled } from '~/decimal/decimal';

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
  /** The place in the list of a narrow screen. The first value stands beside the title; all others follow with their names. */
  narrow?: 'title' | 'value' | 'detail';
  /** The order in which columns are left out where not all fit: 1 is the first. Columns without it follow. */
  spare?: number;
  /** Hidden until the user selects the column. */
  extra?: boolean;
};

/** Filter selects the rows with one of the chosen values. */
export type Filter<Row> = {
  id: string;
  label: string;
  /** The choices depend on the rows. They have a line of their own. */
  line?: true;
  choices: { value: string; label: string; color?: string }[];
  value: (row: Row) => string | string[];
};

const usual = { decimal: 'minmax(100px, 1fr)', date: '96px', text: 'minmax(120px, 1.2fr)' };

/** Returns the width of a column as a track of a CSS grid. */
export const trackOf = <Row>(column: Column<Row>): string => column.width ?? usual[column.kind ?? 'text'];

/** Returns the track widths of the columns. */
export const tracks = <Row>(columns: Column<Row>[]): string => columns.map(trackOf).join(' ');

/** Reports whether an order is descending. */
export const isDescending = (sort: string | undefined): boolean => sort?.startsWith('-') ?? false;

/** Returns the next order after the choice of a column: the opposite one, or the first one of the column. Figures begin with the largest. */
export function nextSort<Row>(column: Column<Row>, sort: string | undefined): string {
  if (sort?.replace(/^-/, '') === column.id) return isDescending(sort) ? column.id : `-${column.id}`;
  return column.kind === 'decimal' ? `-${column.id}` : column.id;
}

let collator: Intl.Collator | undefined; // the first page does not wait 10 ms for it

const scaledOr = (value: string | undefined): bigint => (value !== undefined && isDecimal(value) ? scaled(value) : 0n);

/** Returns the places of the values in ascending order. */
function ordered(values: (string | undefined)[], kind: Column<unknown>['kind']): number[] {
  const places = values.map((_, place) => place);
  if (kind === 'decimal') {
    const numbers = values.map(scaledOr);
    return places.sort((a, b) => {
      const [left = 0n, right = 0n] = [numbers[a], numbers[b]];
      return left < right ? -1 : left > right ? 1 : 0;
    });
  }
  collator ??= new Intl.Collator('en', { numeric: true });
  const { compare } = collator;
  return places.sort((a, b) => compare(values[a] ?? '', values[b] ?? ''));
}

/** Returns the rows in the order of "COLUMN" or "-COLUMN" (descending). Rows with equal values keep their order. */
export function sorted<Row>(rows: Row[], columns: Column<Row>[], by: string | undefined): Row[] {
  const column = columns.find((one) => one.id === by?.replace(/^-/, ''));
  if (!column) return rows;
  const descending = isDescending(by);
  const from = descending ? rows.toReversed() : rows; // reversed twice, equal values keep their order
  const places = ordered(from.map(column.value), column.kind);
  const inOrder = places.map((place) => from[place] as Row);
  return descending ? inOrder.reverse() : inOrder;
}

const texts = new WeakMap<object, WeakMap<object, string>>();

/** Returns all values of a row as one text. It is kept while the row and the columns exist. */
function textOf<Row>(row: Row, columns: Column<Row>[]): string {
  const known = texts.get(columns) ?? new WeakMap<object, string>();
  texts.set(columns, known);
  const kept = known.get(row as object);
  if (kept !== undefined) return kept;
  const values = columns.map((column) => column.value(row) ?? '');
  const text = values.join('\u0000').toLowerCase();
  known.set(row as object, text);
  return text;
}

/** Returns the rows that contain each word of the text in one of the columns. */
export function found<Row>(rows: Row[], columns: Column<Row>[], text: string | undefined): Row[] {
  const words = (text ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const text = textOf(row, columns);
    return words.every((word) => text.includes(word));
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
