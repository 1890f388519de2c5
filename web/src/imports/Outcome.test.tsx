import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { Outcome } from './Outcome';
import type { ImportOutcome } from './send';

afterEach(cleanup);

const outcome: ImportOutcome = {
  dryRun: true,
  accepted: true,
  events: 1200,
  counts: { memberAdded: 1200 },
  findings: [],
  details: [{ pointer: '/file', label: 'File', value: '"members.csv", SHA-256 5d9e' }],
  records: [
    {
      kind: 'members',
      count: 1200,
      shown: [
        {
          pointer: '/rows/2',
          details: [
            { pointer: '/rows/2/path/member', label: 'Member', value: '1', kind: 'member', name: 'Grace Hopper' },
            { pointer: '/rows/2/email', label: 'Email', value: 'eve@evil.example', mark: 'address' },
          ],
        },
      ],
    },
  ],
};

it('shows the records of a file with names and marks before its import', () => {
  render(<Outcome outcome={outcome} />);
  const content = within(screen.getByRole('region', { name: 'Content: Members' }));
  expect(content.getByText('1 of 1,200 shown')).toBeTruthy();
  expect(content.getByRole('heading', { name: 'Row 2' })).toBeTruthy();
  expect(content.getAllByRole('term').map((one) => one.textContent)).toEqual(['EmailAddress', 'Member']);
  expect(content.getByText('Grace Hopper (member)')).toBeTruthy();
});

it('shows the file that is confirmed', () => {
  render(<Outcome outcome={outcome} />);
  const confirmed = within(screen.getByRole('region', { name: 'What you confirm' }));
  expect(confirmed.getByText('"members.csv", SHA-256 5d9e')).toBeTruthy();
});
