import { describe, expect, it } from 'vitest';
import { ownPlace } from './firstPlace';

describe('first place of a holder without shares', () => {
  it('is the only grant', () => expect(ownPlace([{ id: 'a', kind: 'option' }])).toEqual({ page: 'grants', open: 'a' }));
  it('is the list of several grants', () =>
    expect(
      ownPlace([
        { id: 'a', kind: 'option' },
        { id: 'b', kind: 'option' },
      ]),
    ).toEqual({ page: 'grants' }));
  it('is the only convertible without grants', () =>
    expect(ownPlace([{ id: 'a', kind: 'safe' }])).toEqual({ page: 'convertibles', open: 'a' }));
  it('is absent without holdings', () => expect(ownPlace([])).toBeUndefined());
});
