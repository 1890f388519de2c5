import { describe, expect, it } from 'vitest';
import type { Column } from './column';
import { fitting } from './fitting';

type Row = Record<string, string>;
const column = (id: string, rest: Partial<Column<Row>> = {}): Column<Row> => ({
  id,
  header: id,
  value: (row) => row[id],
  width: '84px', // 100 with the space before it
  ...rest,
});
const columns = [
  column('name', { width: 'minmax(84px, 2fr)', narrow: 'title' }),
  column('class', { spare: 2 }),
  column('shares', { narrow: 'value' }),
  column('price', { spare: 1 }),
  column('issued'),
  column('status'),
];

describe('fitting columns', () => {
  it.each([
    [616, 'name class shares price issued status'],
    [615, 'name class shares issued status'],
    [416, 'name shares issued status'],
    [400, 'name shares issued'],
    [100, 'name shares'],
  ])('in %d pixels are %s', (width, ids) =>
    expect(
      fitting(columns, width)
        .map((one) => one.id)
        .join(' '),
    ).toBe(ids),
  );
  it('are the same list if all fit', () => expect(fitting(columns, 1000)).toBe(columns));
});
