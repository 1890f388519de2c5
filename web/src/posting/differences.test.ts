import { expect, it } from 'vitest';
import { differences } from './differences';

const id = '01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10';

it('names each changed field with both values', () => {
  expect(
    differences(
      { id, version: 3, shareholderName: 'Isla MacLeod', shares: '15000', issueDate: '2024-01-02', block: 'A' },
      { id, version: 4, shareholderName: 'Isla M. MacLeod', shares: '10000', issueDate: '2024-01-02' },
    ),
  ).toEqual([
    { label: 'Shareholder name', before: 'Isla MacLeod', after: 'Isla M. MacLeod' },
    { label: 'Shares', before: '15,000', after: '10,000' },
    { label: 'Block', before: 'A', after: '–' },
  ]);
});

it('shows no id of a changed reference', () => {
  expect(differences({ block: id }, { block: id.replace('0', '1') })).toEqual([{ label: 'Block' }]);
});
