import { describe, expect, it } from 'vitest';
import { Problem } from '~/api/problem';
import { sentence } from './sentence';

const id = '01926f4a-7b3c-7f10-8d21-6a5e4c3b2a19';

describe('sentences of the server', () => {
  it('have grouped digits', () =>
    expect(sentence('1200 shares are available; 1234567.5 were requested.')).toBe(
      '1,200 shares are available; 1,234,567.5 were requested.',
    ));
  it('have grouped digits also where a number looks like a year', () =>
    expect(sentence('2000 shares are available; 2024 were requested.')).toBe(
      '2,000 shares are available; 2,024 were requested.',
    ));
  it('keep all decimals', () =>
    expect(sentence('12000000 / 8888888.8889 shares = 1.3500000001.')).toBe(
      '12,000,000 / 8,888,888.8889 shares = 1.3500000001.',
    ));
  it('have dates of fixed width', () =>
    expect(sentence('The date must not be before the approval of the pool, 2025-09-15.')).toBe(
      'The date must not be before the approval of the pool, 15 Sep 2025.',
    ));
  it('keep years, names, addresses of cells, certificates and quoted texts', () => {
    const text =
      'The plan 2022 Equity Plan, CS-1234, B12345, the year 9999 and "12345" stay, as do 1/2000 and 10.1000.5.';
    expect(sentence(text)).toBe(text);
  });
  it('have no ids', () => {
    expect(sentence(`The holding ${id} must be in the currency of the round, USD; it is in EUR.`)).toBe(
      'The holding must be in the currency of the round, USD; it is in EUR.',
    );
    expect(sentence(`The rate ends before it begins. (holding ${id})`)).toBe('The rate ends before it begins.');
  });
  it('name the records of known ids', () =>
    expect(sentence(`Ada ${id}: 5000 converts.`, new Map([[id, 'SAFE']]))).toBe('Ada SAFE: 5,000 converts.'));
  it('are shown in refusals', () => {
    const problem = new Problem(409, {
      message: '40000 shares are available.',
      errors: [{ pointer: '/shares', code: 'insufficientShares', message: '50000 were requested.' }],
    });
    expect([problem.message, problem.faults[0]?.message]).toEqual([
      '40,000 shares are available.',
      '50,000 were requested.',
    ]);
  });
});
