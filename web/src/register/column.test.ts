import { describe, expect, it } from 'vitest';
import { type Column, delimited, found, sorted } from './column';

type Row = { name: string; shares: string };
const rows: Row[] = [
  { name: 'Ada', shares: '9' },
  { name: 'Bo', shares: '10' },
  { name: '=cmd', shares: '10.5' },
];
const columns: Column<Row>[] = [
  { id: 'name', header: 'Name', value: (row) => row.name },
  { id: 'shares', header: 'Shares', value: (row) => row.shares, kind: 'decimal' },
];

describe('register columns', () => {
  it('sorts decimals by value', () =>
    expect(sorted(rows, columns, '-shares').map((row) => row.shares)).toEqual(['10.5', '10', '9']));
  it('keeps the order of equal values in both directions', () => {
    const equal = [
      { name: 'B', shares: '1' },
      { name: 'A', shares: '1.0' },
    ];
    expect([sorted(equal, columns, 'shares'), sorted(equal, columns, '-shares')]).toEqual([equal, equal]);
  });
  it('sorts numbers in texts by value', () => {
    const certificates = ['CS-10', 'CS-9'].map((name) => ({ name, shares: '1' }));
    expect(sorted(certificates, columns, 'name').map((row) => row.name)).toEqual(['CS-9', 'CS-10']);
  });
  it('keeps the order without a known column', () => expect(sorted(rows, columns, 'none')).toEqual(rows));
  it('finds rows with all words', () => expect(found(rows, columns, 'ada 9')).toEqual([rows[0]]));
  it('finds nothing for a missing word', () => expect(found(rows, columns, 'ada 8')).toEqual([]));
  it('disarms formulas in exports', () => expect(delimited(rows, columns, '\t').split('\r\n')[3]).toBe("'=cmd\t10.5"));
});
