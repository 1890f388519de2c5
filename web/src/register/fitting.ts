import { count } from '~/decimal/count';
import { type Column, trackOf } from './column';
import { partsOf } from './narrow';

const gap = 16; // pixels between columns
const box = 16; // pixels of the box that selects a row

/** Returns the smallest width of a column with the space before it. */
const least = <Row>(column: Column<Row>): number => gap + (count(/\d+(?=px)/.exec(trackOf(column))?.[0] ?? '') ?? 0);

/**
 * Returns the columns that fit in a width. The title and the main value always stay. The spare columns leave first, in their order, then
 * the others from the last one.
 */
export function fitting<Row>(columns: Column<Row>[], width: number): Column<Row>[] {
  const { title, value } = partsOf(columns);
  const leaving = columns
    .filter((column) => column !== value && !title.includes(column))
    .reverse()
    .sort((a, b) => (a.spare ?? columns.length) - (b.spare ?? columns.length));
  let needed = columns.reduce((sum, column) => sum + least(column), box);
  const left = new Set<Column<Row>>();
  for (const column of leaving) {
    if (needed <= width) break;
    needed -= least(column);
    left.add(column);
  }
  return left.size > 0 ? columns.filter((column) => !left.has(column)) : columns;
}
