import { expect, test } from 'vitest';
import type { Item } from '~/documents/api';
import { namesOf, searchOf } from './useDocuments';

const item = (changes: Partial<Item>) => ({ id: 'x', type: 'file', ...changes }) as Item;

test('WordsForTheKindAreNotSearchedInNames', () => {
  expect(namesOf(['document', 'bylaws'])).toBe('bylaws');
  expect(namesOf(['document'])).toBe('document');
  expect(namesOf([])).toBe('');
});

test('FoundDocumentOpensItsDrawerInItsFolder', () => {
  const path = [
    { id: 'a', name: 'Legal' },
    { id: 'b', name: '2026' },
  ];
  expect(searchOf(item({ path }))).toEqual({ folder: 'a,b', open: 'x' });
  expect(searchOf(item({}))).toEqual({ open: 'x' });
  expect(searchOf(item({ type: 'folder', path }))).toEqual({ folder: 'a,b,x' });
});
