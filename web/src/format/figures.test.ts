import { describe, expect, it } from 'vitest';
import { day } from './dates';
import {
  amountCell,
  cell,
  cents,
  decimalsOf,
  exactPercent,
  money,
  percent,
  quantity,
  roughPercent,
  share,
  size,
} from './figures';
import { counted, words } from './words';

describe('figures', () => {
  it('shows an en dash for zero', () => expect(cell('0')).toBe('–'));
  it('shows all digits of a large quantity', () =>
    expect(quantity('12345678901234567890.5')).toBe('12,345,678,901,234,567,890.5'));
  it('never rounds a stake to zero', () => expect(percent('0.0000000001')).toBe('<0.0001%'));
  it('shows four decimals of a stake', () => expect(percent('0.1724413')).toBe('17.2441%'));
  it('never rounds a label to zero', () => expect(roughPercent('0.00001')).toBe('<0.01%'));
  it('never rounds a share to zero', () => expect(share('1', '100000000000000')).toBe('<0.0001%'));
  it('never shows a share of nothing where the server cut it to zero', () => {
    expect(percent('0', '1')).toBe('<0.0001%');
    expect(percent('0', '0')).toBe('–');
  });
  it('shares of nothing are a dash', () => expect(share('1', '0')).toBe('–'));
  it('keeps all decimals of a price', () => expect(money('0.0000000001', 'USD')).toBe('$0.0000000001'));
  it('shows whole amounts of money with the decimals of their currency', () => {
    expect([cents('11', 'USD'), money('11', 'USD'), amountCell({ amount: '11', currency: 'USD' })]).toEqual([
      '$11.00',
      '$11.00',
      '$11.00',
    ]);
    expect([cents('11', 'JPY'), money('11', 'JPY'), amountCell('11', 'JPY')]).toEqual(['¥11', '¥11', '¥11']);
    expect(['USD', 'JPY', 'KWD'].map(decimalsOf)).toEqual([2, 0, 3]);
  });
  it('shows a fraction as an exact percentage', () => {
    expect(exactPercent('0.125')).toBe('12.5%');
    expect(exactPercent('223999.001')).toBe('22,399,900.1%');
  });
  it('shows dates in fixed width', () => expect(day('2021-09-01')).toBe('01 Sep 2021'));
  it('shows sizes', () => expect(size(1_400_000)).toBe('1.4 MB'));
  it('splits names into words', () => expect(words('issueDate')).toBe('Issue date'));
  it('counts with the plural', () =>
    expect([counted(1, 'holder'), counted(1200, 'holder'), counted(2, 'class')]).toEqual([
      '1 holder',
      '1,200 holders',
      '2 classes',
    ]));
});
