import { expect, test } from 'vitest';
import { readingQuery } from './reading';

test('OnlyStatedPartsOfAReadingAreSent', () => {
  const reading = { numberFormat: 'comma', dateFormat: '', issueDate: '2024-01-15', sheet: 'Seed' };
  expect(readingQuery(reading, 'shareholdings')).toEqual([
    ['numberFormat', 'comma'],
    ['issueDate', '2024-01-15'],
    ['sheet', 'Seed'],
  ]);
  expect(readingQuery(reading, 'members')).toEqual([['sheet', 'Seed']]);
});
