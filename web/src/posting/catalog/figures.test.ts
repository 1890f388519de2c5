import { expect, it } from 'vitest';
import type { Schema } from '~/api/client';
import { withRights } from '~/shell/company';
import type { Context, Posting } from '../posting';
import { catalog } from '.';
import { settlement, typedAmount } from './figures';

// The server accepts at most the balance rounded to hundredths, and settles a debt of which less than half of one is left.
it.each([
  ['10136.9863013699', 'USD', '10136.99'],
  ['10136.9843013699', 'USD', '10136.98'],
  ['10136.985', 'USD', '10136.99'],
  ['10000', 'USD', '10000'],
  ['10136.9863013699', 'JPY', '10136'],
  ['10136.9837013699', 'KWD', '10136.983'],
  ['0.4', 'JPY', undefined],
  [undefined, 'USD', undefined],
])('settles %s %s with %s', (balance, currency, expected) => expect(settlement(balance, currency)).toBe(expected));

it('states the currency of the principal, or the own one of an amount', () => {
  const company = withRights({ currency: 'USD' } as Schema<'Organization'>);
  const record = { balance: '5000.126', principal: { amount: '5000', currency: 'EUR' } };
  const context: Context = { company, record, today: '2026-02-01', address: {} };
  const repay = catalog.repayInstrument as Posting;
  const body = repay.initial?.(context) ?? {};
  expect(body.amount).toBe('5000.13');
  expect(repay.action(body, context)).toBe('Repay €5,000.13');
  expect(typedAmount({ amount: '11', currency: 'GBP' }, 'USD')).toBe('£11.00 ');
});
