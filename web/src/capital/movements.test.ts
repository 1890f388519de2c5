import { describe, expect, it } from 'vitest';
import type { Schema } from '~/api/client';
import { addressLines } from '~/records/Letterhead';
import { beginOf, movements } from './movements';

type Position = Schema<'PortfolioPosition'>;

const organization = { id: 'o', name: 'Analytical Engines' };
const shares = (id: string, quantity: string): Position => ({
  kind: 'shares',
  organization,
  security: { id, name: id },
  shares: quantity,
  invested: { amount: '5', currency: 'USD' },
});

describe('positions of a period', () => {
  it('state the exact change of each quantity', () => {
    const [row] = movements([shares('a', '0.1')], [shares('a', '1000000000000000000.3')]);
    expect(row).toMatchObject({ before: '0.1', shares: '1000000000000000000.3', change: '1000000000000000000.2' });
  });
  it('begin at nothing if they are new', () =>
    expect(movements([], [shares('a', '7')])[0]).toMatchObject({ before: '0', change: '7' }));
  it('list positions that ended, without cost', () =>
    expect(movements([shares('a', '7')], [])[0]).toMatchObject({
      before: '7',
      shares: '0',
      change: '-7',
      invested: { amount: '0' },
    }));
  it('begin with the year, or on a chosen day that is not later', () => {
    expect(beginOf(undefined, '2026-11-29')).toBe('2026-01-01');
    expect(beginOf('2025-04-01', '2026-11-29')).toBe('2025-04-01');
    expect(beginOf('2027-01-01', '2026-11-29')).toBe('2026-01-01');
  });
});

describe('address of a letterhead', () => {
  it('has the known parts in lines', () =>
    expect(
      addressLines({
        street1: '21 Harbour Street',
        city: 'Portland',
        province: 'ME',
        postalCode: '04101',
        country: 'US',
      }),
    ).toEqual(['21 Harbour Street', 'Portland, ME 04101', 'United States']));
  it('is empty if it is unknown', () => expect(addressLines(undefined)).toEqual([]));
});
