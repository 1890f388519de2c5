import { describe, expect, it } from 'vitest';
import { placeAfter } from './afterSignIn';

const free = { mustChangePassword: false };

describe('page after a sign-in', () => {
  it('is the choice of a password if it is required', () =>
    expect(placeAfter({ mustChangePassword: true }, { next: '/a' })).toBe('/password'));
  it('is the requested page', () =>
    expect(placeAfter(free, { next: '/company/1/shares?open=2' })).toBe('/company/1/shares?open=2'));
  it.each(['//evil.example', 'https://evil.example', '/\\evil.example', 'javascript:alert(1)'])(
    'is never another site: %s',
    (next) => expect(placeAfter(free, { next })).toBe('/'),
  );
  it('keeps an authorization on this server', () =>
    expect(placeAfter(free, { authorize: 'client_id=a&x=//b' })).toBe('/oauth/authorize?client_id=a&x=%2F%2Fb'));
  it('is the invitation', () => expect(placeAfter(free, { invitation: 'a b' })).toBe('/invitation?token=a%20b'));
});
