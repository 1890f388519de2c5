import { describe, expect, it } from 'vitest';
import { byClass, byHolder } from './claims';

const holder = (entity: string, amount: string) => ({ entity, name: entity, amount, percent: '0', payouts: [] });
const value = {
  value: '100',
  costs: '0',
  remaining: '100',
  pricePerShare: '1',
  claims: [
    { id: 'a', converts: false, shares: '1', amount: '66' },
    { id: 'o1', converts: false, shares: '1', amount: '30.5' },
    { id: 'o2', converts: false, shares: '1', amount: '9.5' },
  ],
  holders: ['1', '2', '3', '4', '5', '6', '7', '78'].map((amount) => holder(`h${amount}`, amount)),
};
const claims = [
  { kind: 'shares', id: 'a', name: 'Series A', terms: '' },
  { kind: 'iso', id: 'o1', name: 'Options', terms: '' },
  { kind: 'nso', id: 'o2', name: 'Options', terms: '' },
];

describe('payments', () => {
  it('are divided by class, and options are one class', () => {
    const { layers, paid } = byClass(claims, new Map([['a', 'blue']]), []);
    expect(layers.map((one) => one.color)).toEqual(['blue', 'var(--c-options)']);
    expect(paid(value)).toEqual(['66', '40']);
  });
  it('of the chosen classes are drawn alone', () =>
    expect(byClass(claims, new Map(), ['options']).paid(value)).toEqual(['40']));
  it('are divided by holder, with the smaller ones together', () => {
    const { layers, paid } = byHolder({ date: '', currency: 'USD', claims, values: [value] }, []);
    expect(layers.map((one) => one.id)).toEqual(['h78', 'h7', 'h6', 'h5', 'h4', 'h3', 'others']);
    expect(paid(value)).toEqual(['78', '7', '6', '5', '4', '3', '3']);
  });
  it('are divided by holder where only the drawn holders are listed', () => {
    const { layers, paid } = byHolder({ date: '', currency: 'USD', claims, values: [value] }, []);
    const drawn = value.holders.filter((one) => layers.some((layer) => layer.id === one.entity));
    expect(paid({ ...value, holders: drawn })).toEqual(paid(value));
  });
});
