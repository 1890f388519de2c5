import { describe, expect, it } from 'vitest';
import { authorOf, requestsOf } from './useAuthors';

const known = new Map([
  ['1', { id: '1', name: 'Ada Lovelace', kind: 'member' as const }],
  ['2', { id: '2', name: 'Bob Noyce', kind: 'former' as const }],
]);

describe('authors of entries', () => {
  it('have their names while they are members', () => expect(authorOf('1', known).name).toBe('Ada Lovelace'));
  it('are former users only after their removal', () =>
    expect(authorOf('2', known).name).toBe('Bob Noyce (former user)'));
  it('are another user if their name is not known', () => expect(authorOf('3', known).name).toBe('Another user'));
  it('are no persons if they are parts of the server', () =>
    expect(authorOf('system:officeSuite', known)).toEqual({ name: 'Office suite', person: false }));
  it('are requested once, a hundred at a time', () => {
    const ids = Array.from({ length: 150 }, (_, index) => String(index));
    const requests = requestsOf([...ids, ...ids, 'system:drive']);
    expect(requests.map((request) => request.split(',').length)).toEqual([100, 50]);
  });
});
