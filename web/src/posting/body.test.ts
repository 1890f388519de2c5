import { describe, expect, it } from 'vitest';
import { faultAt, otherFaults, ownFault, patchOf, rebased, valueAt, withValue } from './body';

const faults = [
  { pointer: '/consideration/cash', code: 'invalidDecimal', message: 'Write a number.' },
  { pointer: '/other', code: 'unknownField', message: 'Unknown.' },
];

describe('body of a posting', () => {
  it('reads nested values', () => expect(valueAt({ a: { b: '1' } }, 'a.b')).toBe('1'));
  it('writes nested values', () => expect(withValue({ x: '1' }, 'a.b', '2')).toEqual({ x: '1', a: { b: '2' } }));
  it('drops empty values and empty objects', () => expect(withValue({ a: { b: '1' } }, 'a.b', '')).toEqual({}));
  it('keeps empty lists', () => expect(withValue({}, 'a', [])).toEqual({ a: [] }));
  it('finds faults by pointer', () => expect(faultAt(faults, 'consideration.cash')).toBe('Write a number.'));
  it('keeps the faults of no field', () => expect(otherFaults(faults, ['consideration.cash'])).toEqual([faults[1]]));
  it('tells faults of a list from faults of its rows', () => {
    const row = [{ pointer: '/vestings/0/date', code: 'x', message: 'Too early.' }];
    expect([ownFault(row, 'vestings'), faultAt(row, 'vestings'), faultAt(row, 'vestings.0.date')]).toEqual([
      undefined,
      'Too early.',
      'Too early.',
    ]);
  });
  it('keeps typed values and follows the record elsewhere', () =>
    expect(
      rebased({ name: 'A', price: '2', note: 'mine' }, { name: 'A', price: '1' }, { name: 'B', price: '3' }),
    ).toEqual({ name: 'B', price: '2', note: 'mine' }));
  it('keeps what the user removed removed', () =>
    expect(rebased({}, { legends: ['a'] }, { legends: ['a', 'b'] })).toEqual({}));
  it('sends changed and removed values of a partial change', () =>
    expect(patchOf({ name: 'A', price: '1', block: 'x' }, { name: 'A', price: '2', note: ['n'] })).toEqual({
      price: '2',
      block: null,
      note: ['n'],
    }));
});
