import { describe, expect, it } from 'vitest';
import { labelOf, shown, symbolOf } from './operation';

describe('terms of an explanation', () => {
  it('are joined by the symbols of their operation', () => {
    expect([0, 1, 2].map((index) => symbolOf('sum', index))).toEqual(['', '+', '+']);
    expect([0, 1, 2].map((index) => symbolOf('fraction', index))).toEqual(['', '×', '÷']);
    expect(symbolOf('least', 1)).toBe('');
  });
  it('show all digits', () => {
    expect(shown({ value: '1234567', operation: 'sum' })).toBe('1,234,567');
    expect(shown({ value: 'unlimited', operation: 'recorded' })).toBe('unlimited');
    expect(shown({ value: '0.69242344', operation: 'percentage' })).toBe('69.2423%');
  });
  it('have dates of fixed width', () => {
    expect(labelOf({ label: 'granted on 2025-09-15, of 2024-01-02' })).toBe('granted on 15 Sep 2025, of 02 Jan 2024');
  });
});
