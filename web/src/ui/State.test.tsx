import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { heldAs, State, stateName, toneOf } from './State';

const sources = import.meta.glob<string>('../**/*.tsx', { query: '?raw', import: 'default', eager: true });

afterEach(cleanup);

describe('status language', () => {
  it('has one place', () => {
    const others = Object.entries(sources)
      .filter(([name, text]) => name !== './State.tsx' && /<Chip[^>]*\stone=\{|words\(\w+\.(status|state)\)/.test(text))
      .map(([name]) => name);
    expect(others).toEqual([]);
  });
  it('calls shares, grants and notes issued until their holder accepts them', () => {
    expect(stateName(heldAs('active'))).toBe('Issued');
    expect(stateName(heldAs('accepted'))).toBe('Accepted');
  });
  it('has a quiet tone for what has ended', () =>
    expect(['transferred', 'voided', 'removed', 'expired'].map(toneOf)).toEqual(Array(4).fill('neutral')));
  it('is a word in the tone of its status', () => {
    render(<State of="bounced" />);
    expect(screen.getByText('Bounced').className).toContain('text-neg');
  });
});
