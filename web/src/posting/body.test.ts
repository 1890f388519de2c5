import { describe, expect, it } from 'vitest';
import { faultAt, otherFaults, valueAt, withValue } from './body';

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
});
