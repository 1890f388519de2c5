import { describe, expect, it } from 'vitest';
import { readCsv } from './csv';

describe('reading comma-separated text', () => {
  it('keeps quotes and line ends, and counts lines as the server does', () => {
    const sheet = readCsv('\uFEFFholder,note\r\n"Ada ""A"" L, Inc.","two\nlines"\r\n\r\nBob,x');
    expect(sheet.header).toEqual(['holder', 'note']);
    expect([...sheet.rows]).toEqual([
      [2, ['Ada "A" L, Inc.', 'two\nlines']],
      [5, ['Bob', 'x']],
    ]);
  });
  it('recognizes semicolons and tabs', () => {
    expect(readCsv('a;b\n1;2').rows.get(2)).toEqual(['1', '2']);
    expect(readCsv('a\tb\n1\t2\n').rows.get(2)).toEqual(['1', '2']);
  });
  it('accepts an empty file', () => {
    expect(readCsv('')).toEqual({ header: [], rows: new Map() });
  });
});
