import { describe, expect, it } from 'vitest';
import { addressOf, breakPoints, modelOf, placeOf, pricesOf, range, steps } from './terms';

describe('terms of an exit', () => {
  it('survive the URL', () => {
    const model = modelOf({ values: '1000000,2500000.5', costRate: '0.02', acceleration: 'yes' });
    expect(modelOf(addressOf(model))).toEqual(model);
  });
  it('leave out values that are no amounts', () => expect(pricesOf(modelOf({ values: 'x,-1,5,5.0' }))).toEqual(['5']));
  it('keep an emptied price in its place', () => {
    const model = modelOf({ values: '1,2' });
    expect(modelOf(addressOf({ ...model, values: ['', '2'] })).values).toEqual(['', '2']);
    expect(modelOf(addressOf({ ...model, values: [''] })).values).toEqual(['']);
  });
  it('choose the nearest price of the drawing', () => {
    expect(placeOf(['1', '2', '3'], '1.5')).toBe(1);
    expect(placeOf(['1', '2', '3'], undefined)).toBe(1);
  });
  it('draw beyond the highest value', () => {
    const prices = range(['1000000', '40000000']);
    expect([prices.length, prices.at(-1)]).toEqual([steps, '44000000']);
  });
  it('find the value at which a claim converts', () => {
    const value = (price: string, converts: boolean) => ({
      value: price,
      costs: '0',
      remaining: '0',
      pricePerShare: '1',
      holders: [],
      claims: [{ id: 'a', converts, shares: '1', amount: '1' }],
    });
    const claims = [{ kind: 'shares', id: 'a', name: 'Series A', terms: '' }];
    const outcome = {
      date: '2026-01-01',
      currency: 'USD',
      claims,
      values: [value('1', false), value('2', true), value('3', true)],
    };
    expect(breakPoints(outcome)).toEqual([{ value: '2', names: ['Series A'] }]);
  });
});
