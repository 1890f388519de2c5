import { describe, expect, it } from 'vitest';
import { groupsOf, movesShares } from './EffectTable';
import { sequenceOf } from './send';

describe('answer of a posting', () => {
  it('has the sequence of its record', () => expect(sequenceOf({ id: 'a', version: 12 })).toBe('12'));
  it('has the latest sequence of its records', () =>
    expect(sequenceOf({ from: { version: 3 }, to: { version: 4 }, others: [{ version: 9 }] })).toBe('9'));
  it('may have none', () => expect(sequenceOf({})).toBeUndefined());
});

describe('effects of a preview', () => {
  it('are grouped by what they belong to', () => {
    const change = { before: '1', after: '2' };
    const groups = groupsOf({
      totals: [{ ...change, figure: 'total/outstanding' }],
      securities: [
        { ...change, security: 'c', name: 'Common', figure: 'security/c/issued' },
        { ...change, security: 'c', name: 'Common', figure: 'security/c/available', after: 'unlimited' },
      ],
      pools: [],
      holders: [{ ...change, entity: 'e', name: 'Ada', figure: 'holder/e/shares' }],
    } as unknown as Parameters<typeof groupsOf>[0]);
    expect(groups.map((group) => [group.name, group.changes.length])).toEqual([
      ['Total', 1],
      ['Ada', 1],
      ['Common', 2],
    ]);
  });
  it('tell moved shares from percentages that follow', () => {
    const group = (figure: string) => ({ key: '', name: '', changes: [{ figure, before: '1', after: '2' }] });
    expect([movesShares(group('security/c/percentOutstanding')), movesShares(group('security/c/issued'))]).toEqual([
      false,
      true,
    ]);
  });
});
