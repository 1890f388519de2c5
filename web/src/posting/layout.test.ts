import { describe, expect, it } from 'vitest';
import { fullWidths, isShort } from './layout';

describe('layout of a form', () => {
  it('pairs short neighbours', () =>
    expect(fullWidths([false, true, true, false])).toEqual([true, false, false, true]));
  it('leaves no gap beside an odd short field', () =>
    expect(fullWidths([true, true, true, false])).toEqual([false, false, true, true]));
  it('lays out no fields', () => expect(fullWidths([])).toEqual([]));
  it('takes numbers and dates as short, references and texts as long', () =>
    expect(['date', 'quantity', 'id', 'long'].map((kind) => isShort({ name: 'x' }, { name: 'x', kind }))).toEqual([
      true,
      true,
      false,
      false,
    ]));
});
