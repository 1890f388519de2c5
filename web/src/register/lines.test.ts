import { describe, expect, it } from 'vitest';
import { linesOf, rangeOf, slotsFor } from './lines';

const height = 36;
const visible = 25;
const rows = 10_000;
const slots = slotsFor(visible, height);
const range = (top: number) => rangeOf(top, visible, height, rows);
const slotsByRow = (top: number, origin = 0, kept?: number) =>
  new Map(linesOf(range(top), slots, origin, kept).map((line) => [line.index, line.slot]));

describe('lines of a register', () => {
  it('begin with a few rows while the register is below the visible part', () =>
    expect(range(-visible - 1)).toEqual({ first: 0, end: 6 }));
  it('contain all rows of a short register', () =>
    expect(rangeOf(0, visible, height, 3)).toEqual({ first: 0, end: 3 }));
  it.each([-20, -3, 0, 2, 40, 5_000, rows - 30, rows - visible, rows + 5])(
    'contain the visible rows at row %i',
    (top) => {
      const { first, end } = range(top);
      const last = Math.min(rows, Math.max(0, top + visible + 1));
      expect(first).toBeLessThanOrEqual(Math.max(0, Math.min(top, rows - visible - 1)));
      expect(end).toBeGreaterThanOrEqual(last);
      expect(end - first).toBeLessThanOrEqual(slots);
    },
  );
  it('keep their slots while the register scrolls', () => {
    const before = slotsByRow(100);
    const after = slotsByRow(105);
    for (const [index, slot] of after) if (before.has(index)) expect(slot).toBe(before.get(index));
    expect(new Set(after.values())).toEqual(new Set(before.values()));
  });
  it('keep the place of each slot in the document while the register scrolls', () => {
    const inDocument = (top: number) => linesOf(range(top), slots, 94).map((line) => line.slot);
    expect(inDocument(105)).toEqual(inDocument(100));
  });
  it('are in the order of the rows after a pause', () => {
    const { first } = range(105);
    const indexes = linesOf(range(105), slots, first).map((line) => line.index);
    expect(indexes).toEqual(indexes.toSorted((a, b) => a - b));
  });
  it('contain the row with the focus, whose slot no other row has', () => {
    const lines = slotsByRow(500, 0, 3);
    expect(lines.get(3)).toBe(3);
    expect(new Set(lines.values()).size).toBe(lines.size);
  });
  it('contain a visible row with the focus once', () => expect(slotsByRow(100, 0, 110).size).toBe(slots));
});
