import { describe, expect, it } from 'vitest';
import {
  add,
  compare,
  cut,
  divide,
  isDecimal,
  multiply,
  rounded,
  scaled,
  shift,
  subtract,
  sum,
  unscaled,
} from './decimal';

describe('decimal', () => {
  it('adds values beyond the precision of floating point numbers', () => {
    expect(add('9007199254740993', '0.0000000001')).toBe('9007199254740993.0000000001');
  });
  it('adds tenths exactly', () => expect(add('0.1', '0.2')).toBe('0.3'));
  it('subtracts below zero', () => expect(subtract('1', '1.5')).toBe('-0.5'));
  it('sums an empty list to zero', () => expect(sum([])).toBe('0'));
  it('multiplies exactly', () => expect(multiply('4.1275', '10000000')).toBe('41275000'));
  it('divides by zero as zero', () => expect(divide('1', '0')).toBe('0'));
  it('cuts quotients to ten places', () => expect(divide('1', '3')).toBe('0.3333333333'));
  it('cuts to places', () =>
    expect([cut('1.23456', 4), cut('-0.99', 1), cut('5', 2)]).toEqual(['1.2345', '-0.9', '5']));
  it('orders by value, not by text', () => expect(compare('9', '10')).toBe(-1));
  it('refuses text', () => expect(() => scaled('1e5')).toThrow(RangeError));
  it('recognizes decimals', () =>
    expect([isDecimal('-1.5'), isDecimal('1,5'), isDecimal('')]).toEqual([true, false, false]));
  it.each([
    ['0.125', 2, '12.5'],
    ['12.5', -2, '0.125'],
    ['5', -2, '0.05'],
    ['-0.5', 2, '-50'],
    ['1.0000000001', 2, '100.00000001'],
  ])('shifts %s by %i', (value, digits, expected) => expect(shift(value, digits)).toBe(expected));
  it.each([
    ['10136.9863013699', 2, '10136.99'],
    ['10136.984', 2, '10136.98'],
    ['0.005', 2, '0.01'],
    ['-0.005', 2, '-0.01'],
    ['9007199254740993.5', 0, '9007199254740994'],
  ])('rounds %s to %i places', (value, digits, expected) => expect(rounded(value, digits)).toBe(expected));
  it('keeps values through scaling', () => {
    for (const value of ['0', '1', '-1.5', '123456789.0123456789']) expect(unscaled(scaled(value))).toBe(value);
  });
});
