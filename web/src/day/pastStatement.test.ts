import { expect, test } from 'vitest';
import { pastStatement } from './pastStatement';

test('PastStatementNamesTheDayAndTheKnowledge', () => {
  expect(pastStatement({ asOf: '2021-12-31', knownAt: undefined })).toBe('The end of 31 Dec 2021.');
  expect(pastStatement({ asOf: '2021-12-31', knownAt: '60' })).toBe(
    'The end of 31 Dec 2021. As recorded up to journal entry 60.',
  );
});

test('PastStatementNamesThePartThatAPageCannotShow', () => {
  expect(pastStatement({ asOf: '2021-12-31', knownAt: '60' }, 'asOf')).toBe(
    'This page has no effective day: it is not limited to 31 Dec 2021. As recorded up to journal entry 60.',
  );
  expect(pastStatement({ asOf: undefined, knownAt: '60' }, 'asOf')).toBe('As recorded up to journal entry 60.');
  expect(pastStatement({ asOf: '2021-12-31', knownAt: '60' }, 'all')).toBe('This page has no past: it shows today.');
});
