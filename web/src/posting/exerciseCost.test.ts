import { describe, expect, it } from 'vitest';
import type { Company } from '~/shell/company';
import { costOf } from './exerciseCost';
import type { Context } from './posting';

const contextOf = (exercisePrice: unknown) =>
  ({ company: { currency: 'USD' } as Company, record: { exercisePrice }, today: '2026-02-01', address: {} }) as Context;

const cash = { quantity: '1000', payment: undefined };

describe('cost of an exercise', () => {
  it('is the quantity times the price, all digits of it', () => {
    expect(costOf(cash, contextOf('0.5'))).toEqual([
      ['Cost', '1,000 × $0.50 = $500.00'],
      ['Due in cash', '$500.00'],
    ]);
    const digits = { quantity: '0.0000000003', payment: 'cash' };
    expect(costOf(digits, contextOf('1.0000000007'))[1]).toEqual(['Due in cash', '$0.00000000030000000021']);
  });

  it('is in the currency of the grant', () => {
    expect(costOf(cash, contextOf({ amount: '0.25', currency: 'EUR' }))[1]).toEqual(['Due in cash', '€250.00']);
  });

  it('is that of the preview if the price was rounded by a split', () => {
    const data = {
      taking: { quantity: '1000' },
      result: { shares: '1000', consideration: { cash: '333.3333333333' } },
    };
    const rows = costOf(cash, contextOf('0.3333333333'), [{ type: 'optionExercised', data }]);
    expect(rows[1]).toEqual(['Due in cash', '$333.3333333333']);
  });

  it('of a net exercise is withheld in shares', () => {
    const data = { taking: { quantity: '1000' }, result: { shares: '874' }, withheld: '126', cashFraction: '0.5' };
    const net = { quantity: '1000', payment: 'net' };
    expect(costOf(net, contextOf('0.5'), [{ type: 'optionExercised', data }])).toEqual([
      ['Cost', '1,000 × $0.50 = $500.00'],
      ['Due in cash', 'Nothing'],
      ['Shares withheld', '126'],
      ['Shares received', '874'],
      ['Paid out for a part of a share', '0.5 of a share'],
    ]);
  });

  it('of a net exercise is unknown before the market value is known', () => {
    const net = { quantity: '1000', payment: 'net' };
    expect(costOf(net, contextOf('0.5'))[1]).toEqual(['Due in cash', 'Unknown: the market value per share is missing']);
    expect(costOf({ ...net, marketValue: '4' }, contextOf('0.5'))[1]).toEqual(['Due in cash', 'Nothing']);
  });

  it('is not taken from the preview of another quantity', () => {
    const data = { quantity: '10', result: { shares: '9' }, cash: '4' };
    const net = { quantity: '1000', payment: 'net' };
    expect(costOf(net, contextOf('0.5'), [{ type: 'holdingExercised', data }])).toHaveLength(2);
  });

  it('is unknown without a quantity or a price', () => {
    expect(costOf({ quantity: '', payment: 'cash' }, contextOf('0.5'))).toEqual([]);
    expect(costOf(cash, contextOf(undefined))).toEqual([]);
  });
});
