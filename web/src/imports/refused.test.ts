import { beforeEach, expect, test } from 'vitest';
import { forgetRefused, keepResult, refusedImports } from './refused';
import type { ImportOutcome } from './send';

const file = { kind: 'options' as const, files: [new File([], 'grants.csv')] };
const finding = (severity: 'error' | 'warning') => ({ severity, pointer: '/rows/2', code: 'code', message: 'message' });
const outcome = (changes: Partial<ImportOutcome>): ImportOutcome => ({
  dryRun: true,
  accepted: false,
  events: 0,
  counts: {},
  findings: [finding('error'), finding('warning')],
  ...changes,
});

beforeEach(() => localStorage.clear());

test('RefusedImportIsKeptWithItsErrors', () => {
  keepResult('ada', 'a', file, outcome({}));
  expect(refusedImports('ada')).toMatchObject([{ organization: 'a', kind: 'options', file: 'grants.csv', errors: 1 }]);
  expect(refusedImports('eve')).toEqual([]);
});

test('OnlyTheLastRefusedImportOfACompanyIsKept', () => {
  keepResult('ada', 'a', file, outcome({}));
  keepResult('ada', 'b', file, outcome({}));
  keepResult('ada', 'a', { ...file, kind: 'members' }, outcome({}));
  expect(refusedImports('ada').map((one) => `${one.organization} ${one.kind}`)).toEqual(['a members', 'b options']);
});

test('OnlyAnImportOfTheSameKindEndsTheRecord', () => {
  keepResult('ada', 'a', file, outcome({}));
  keepResult('ada', 'a', file, outcome({ accepted: true }));
  keepResult('ada', 'a', { ...file, kind: 'members' }, outcome({ accepted: true, dryRun: false }));
  expect(refusedImports('ada')).toHaveLength(1);
  keepResult('ada', 'a', file, outcome({ accepted: true, dryRun: false }));
  expect(refusedImports('ada')).toEqual([]);
});

test('DismissedImportIsForgotten', () => {
  keepResult('ada', 'a', file, outcome({}));
  forgetRefused('ada', 'a');
  expect(refusedImports('ada')).toEqual([]);
});

test('DamagedStorageIsEmpty', () => {
  localStorage.setItem('refused imports ada', '{"a":1}');
  expect(refusedImports('ada')).toEqual([]);
});
