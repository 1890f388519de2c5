import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { Schema } from '~/api/client';
import { Details } from './Details';

afterEach(cleanup);

const details: Schema<'PreviewDetail'>[] = [
  {
    pointer: '/path/organization',
    label: 'Organization',
    value: '1',
    kind: 'organization',
    name: 'Analytical Engines',
  },
  { pointer: '/fullName', label: 'Full name', value: '"Grace Hopper\\u202e"', mark: 'recipient' },
  { pointer: '/comments/0', label: 'Comments 1', value: '"<b>Owner</b>"' },
  { pointer: '/email', label: 'Email', value: 'eve@evil.example', mark: 'address' },
  { pointer: '/roles/0', label: 'Roles 1', value: '"Owner"', mark: 'role' },
  { pointer: '/entity', label: 'Entity', value: '2', kind: 'unknown' },
];

it('shows each argument, those that decide first and with their marks', () => {
  render(<Details details={details} />);
  const terms = screen.getAllByRole('term').map((one) => one.textContent);
  expect(terms).toEqual(['Full nameRecipient', 'EmailAddress', 'Roles 1Role', 'Organization', 'Comments 1', 'Entity']);
});

it('shows texts as they are, and names beside ids', () => {
  const { container } = render(<Details details={details} />);
  const text = container.textContent ?? '';
  for (const part of [
    '"Grace Hopper\\u202e"',
    '"<b>Owner</b>"',
    'Analytical Engines (organization)1',
    'Unknown record2',
  ])
    expect(text).toContain(part);
  expect(container.querySelector('b')).toBeNull();
});

it('changes its text with each argument', () => {
  const shown = (of: Schema<'PreviewDetail'>[]) => {
    const { container, unmount } = render(<Details details={of} />);
    const text = container.textContent;
    unmount();
    return text;
  };
  const before = shown(details);
  for (const [index, one] of details.entries()) {
    expect(shown(details.with(index, { ...one, value: `${one.value}x` })), one.pointer).not.toBe(before);
    expect(shown(details.toSpliced(index, 1)), one.pointer).not.toBe(before);
  }
});
