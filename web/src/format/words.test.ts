import { expect, test } from 'vitest';
import { words } from './words';

test.each([
  ['issueDate', 'Issue date'],
  ['seriesA', 'Series A'],
  ['safe', 'Safe'],
  ['early_exercise', 'Early exercise'],
  ['usersLast7Days', 'Users last 7 days'],
  ['rule144Date', 'Rule 144 date'],
  ['30_360', '30/360'],
  ['mfn', 'Most favored nation'],
])('words of %s', (name, want) => expect(words(name)).toBe(want));
