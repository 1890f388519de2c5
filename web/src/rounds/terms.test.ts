import { describe, expect, it } from 'vitest';
import { rounds } from '~/posting/catalog/rounds';
import { addressOf, bodyOf, raised, type Terms, termsOf } from './terms';

describe('terms of a round', () => {
  it('survive the URL', () => {
    const terms = termsOf({
      by: 'postMoney',
      value: '15000000.5',
      invest: 'A & B|1000000;@id|0.1',
      pool: '0.1',
      round: 'Series B',
      series: 'none',
    });
    expect(termsOf(addressOf(terms))).toEqual(terms);
  });
  it('keep an emptied value empty', () => expect(termsOf(addressOf({ ...termsOf({}), value: '' })).value).toBe(''));
  it('sum the investments exactly', () => expect(raised(termsOf({ invest: 'A|0.1;B|0.2' }))).toBe('0.3'));
  it('count unfinished amounts as nothing', () => expect(raised(termsOf({ invest: 'A|;B|2' }))).toBe('2'));
  it('name one basis only', () =>
    expect(bodyOf(termsOf({ by: 'pricePerShare', value: '1.35' }))).not.toHaveProperty('preMoney'));
  it('state one class for converted shares', () => {
    expect(bodyOf(termsOf({ series: 'none' })).shadowSeries).toBe('none');
    expect(bodyOf(termsOf({}))).not.toHaveProperty('shadowSeries');
  });
  it('compute with examples of names that are not typed', () => {
    const body = bodyOf(termsOf({ invest: '|1;|2;Ada|3' }));
    expect(body.newMoney?.map((one) => one.investor.name)).toEqual(['Lead investor', 'Investor 2', 'Ada']);
    expect(body.security.name).toBe('New preferred');
  });
  it('are not recorded with an example', () => {
    const closes = (terms: Terms) => rounds.closeRound?.offered?.({ address: { ...addressOf(terms), confirm: 'c' } });
    expect(closes(termsOf({}))).toBe(false);
    expect(closes(termsOf({ round: 'Series B' }))).toBe(false);
    expect(closes(termsOf({ round: 'Series B', invest: '@id|1; |2' }))).toBe(false);
    expect(closes(termsOf({ round: 'Series B', invest: '@id|1;Ada|2' }))).toBe(true);
  });
  it('keep separators out of names', () => {
    const terms = { ...termsOf({}), investments: [{ name: 'A|B;C', amount: '1' }] };
    expect(termsOf(addressOf(terms)).investments).toEqual([{ name: 'A B C', amount: '1' }]);
  });
});
