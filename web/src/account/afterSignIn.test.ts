import { describe, expect, it } from 'vitest';
import { placeAfter } from './afterSignIn';

const site = 'https://equity.example.com';
const free = { mustChangePassword: false, organizations: [] };
const company = (id: string) => ({ id, name: id, roles: [] });

describe('page after a sign-in', () => {
  it('is the choice of a password if it is required', () =>
    expect(placeAfter({ ...free, mustChangePassword: true }, { next: '/a' })).toBe('/password'));
  it('is the only company', () =>
    expect(placeAfter({ ...free, organizations: [company('1')] }, {}, site)).toBe('/company/1'));
  it('is the home page with several companies', () =>
    expect(placeAfter({ ...free, organizations: [company('1'), company('2')] }, {}, site)).toBe('/'));
  it('is the requested page', () =>
    expect(placeAfter(free, { next: '/company/1/shares?open=2#a' }, site)).toBe('/company/1/shares?open=2#a'));
  it('is the requested page of this site', () =>
    expect(placeAfter(free, { next: `${site}/company/1` }, site)).toBe('/company/1'));
  it.each([
    '//evil.example',
    'https://evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '\t//evil.example',
    ' //evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    `${site}//evil.example`,
    'https:evil.example',
    'https:/evil.example',
    'https:///evil.example',
    'http://equity.example.com/',
    'https://equity.example.com:444/',
    'https://equity.example.com@evil.example/',
    'javascript:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,x',
    `blob:${site}/x`,
    'https://[',
  ])('is never another site: %s', (next) => {
    const place = placeAfter(free, { next }, site);
    expect(new URL(place, site).origin).toBe(site);
    expect(place).toMatch(/^\/(?![/\\])/);
  });
  it('keeps an authorization on this server', () =>
    expect(placeAfter(free, { authorize: 'client_id=a&x=//b' })).toBe('/oauth/authorize?client_id=a&x=%2F%2Fb'));
  it('is the invitation', () => expect(placeAfter(free, { invitation: 'a b' })).toBe('/invitation?token=a%20b'));
});
