import { client, type Schema } from '~/api/client';

const stored = 'identityProvider';

/** Attempt is a sign-in that the provider has not answered yet, with the query of the page that began it. */
type Attempt = { state: string; nonce: string; query: string };

/** Answer is the result of an attempt. The token is empty if the provider refused, or answered an attempt of another page. */
export type Answer = { token: string; query: string };

const names: [RegExp, string][] = [
  [/(^|\.)google\.com$/, 'Google'],
  [/(^|\.)(microsoftonline|live)\.com$/, 'Microsoft'],
  [/(^|\.)apple\.com$/, 'Apple'],
];

/** Returns the name of the provider with the sign-in page: a known brand, or its host. */
export function providerName(signInUrl: string): string {
  const { hostname } = new URL(signInUrl);
  return names.find(([host]) => host.test(hostname))?.[1] ?? hostname;
}

/** Opens the sign-in page of the identity provider. */
export function openProvider(signInUrl: string): void {
  const attempt: Attempt = { state: crypto.randomUUID(), nonce: crypto.randomUUID(), query: location.search };
  sessionStorage.setItem(stored, JSON.stringify(attempt));
  const page = new URL(signInUrl);
  page.searchParams.set('state', attempt.state);
  page.searchParams.set('nonce', attempt.nonce);
  location.assign(page);
}

/** Returns the nonce in an ID token; undefined if the token is damaged. The server verifies the token itself. */
export function nonceOf(token: string): unknown {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    return JSON.parse(atob(payload)).nonce;
  } catch {
    return undefined;
  }
}

/** Returns the answer in the fragment of the address, and removes it from the address and the history; undefined without one. */
export function takeAnswer(): Answer | undefined {
  const fragment = new URLSearchParams(location.hash.slice(1));
  if (!fragment.has('id_token') && !fragment.has('error')) return undefined;
  history.replaceState(history.state, '', location.pathname + location.search);
  const attempt: Partial<Attempt> = JSON.parse(sessionStorage.getItem(stored) ?? '{}');
  sessionStorage.removeItem(stored);
  const token = fragment.get('id_token') ?? '';
  const own =
    attempt.state !== undefined && fragment.get('state') === attempt.state && nonceOf(token) === attempt.nonce;
  return { token: own ? token : '', query: attempt.query ?? '' };
}

/** Starts a session with a token of the provider, and with a code if the account has a second factor. */
export async function signInWithToken(token: string, code: string): Promise<Schema<'User'>> {
  const body = { token, ...(code && { twoFactorToken: code.replace(/\s/g, '') }) };
  return (await client.POST('/user/idp-auth', { body })).data as Schema<'User'>;
}
