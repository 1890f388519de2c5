import { expect, test } from 'vitest';
import { words } from './words';

test.each([
  ['issueDate', 'Issue date'],
  ['seriesA', 'Series A'],
  ['safe', 'Safe'],
  ['early_exercise', 'Early exercise'],
])('words of %s', (name, want) => expect(words(name)).toBe(want));
