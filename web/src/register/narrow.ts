import type { Column } from './column';

/** Parts are the columns of a row on a narrow screen: its title, its main value, and all others with their names. */
export type Parts<Row> = { title: Column<Row>[]; value: Column<Row> | undefined; others: Column<Row>[] };

/** Returns the places of the visible columns in the list of a narrow screen. */
export function partsOf<Row>(columns: Column<Row>[]): Parts<Row> {
  const titles = columns.filter((column) => column.narrow === 'title');
  const title = titles.length > 0 ? titles : columns.slice(0, 1);
  const value = columns.find((column) => column.narrow === 'value' && !title.includes(column));
  return { title, value, others: columns.filter((column) => column !== value && !title.includes(column)) };
}

const line = 24; // pixels of a line with two named values
const heading = 44; // pixels of the title with the space around it

/** Returns the height of a row with a number of named values below its title. */
export const narrowHeight = (named: number): number => heading + Math.ceil(named / 2) * line;
