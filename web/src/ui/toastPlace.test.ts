import { describe, expect, it } from 'vitest';
import { positionOf } from './toastPlace';

const wide = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };

describe('place of a message', () => {
  it('is below the sheet of a page, which becomes shorter', () =>
    expect(positionOf(wide, 70, { left: 228, right: 1272, bottom: 792 })).toEqual({
      right: 16,
      bottom: 8,
      width: 320,
      room: 78,
    }));
  it('ends where the assistant begins', () =>
    expect(positionOf(wide, 70, { left: 228, right: 872, bottom: 792 }).right).toBe(416));
  it('is beside a drawer', () =>
    expect(
      positionOf(
        wide,
        70,
        { left: 228, right: 1272, bottom: 792 },
        { left: 412, right: 1272, bottom: 792, footer: 57 },
      ),
    ).toEqual({ right: 876, bottom: 8, width: 320, room: 0 }));
  it('is above the footer of a drawer without space beside it', () =>
    expect(
      positionOf(phone, 70, { left: 0, right: 390, bottom: 844 }, { left: 8, right: 382, bottom: 836, footer: 57 }),
    ).toEqual({ right: 16, bottom: 73, width: 320, room: 78 }));
});
