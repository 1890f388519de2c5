import { expect, test } from 'vitest';
import { missing, searchable, wordsOf } from './match';

test('SearchIgnoresCaseAccentsAndTheOrderOfWords', () => {
  expect(missing(wordsOf('moretti  CHIARA'), searchable('Chiàra Moretti'))).toEqual([]);
});

test('MissingNamesTheOtherWords', () => {
  expect(missing(wordsOf('transfer cs-12'), searchable('CS-12, Ada Lindqvist'))).toEqual(['transfer']);
});
