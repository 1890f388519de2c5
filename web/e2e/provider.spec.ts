import { createSign, generateKeyPairSync, randomUUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { test as base, expect } from './equity';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** Provider is an identity provider that signs in one person without a question. */
type Provider = { url: string; back: string; claims: Record<string, unknown> };

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function token(provider: Provider, query: URLSearchParams): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: provider.url,
    aud: query.get('client_id'),
    nonce: query.get('nonce'),
    jti: randomUUID(),
    iat: now,
    exp: now + 600,
    ...provider.claims,
  };
  const signed = `${encoded({ alg: 'RS256', kid: 'a' })}.${encoded(claims)}`;
  return `${signed}.${createSign('sha256').update(signed).sign(privateKey, 'base64url')}`;
}

const test = base.extend<{ provider: Provider }>({
  // biome-ignore lint/correctness/noEmptyPattern: the form of fixtures
  provider: async ({}, use) => {
    const provider: Provider = {
      url: '',
      back: '',
      claims: { sub: '1', email: 'ada@example.com', email_verified: true, given_name: 'Ada', family_name: 'Byron' },
    };
    const server = http.createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', provider.url);
      const answers: Record<string, unknown> = {
        '/.well-known/openid-configuration': {
          issuer: provider.url,
          authorization_endpoint: `${provider.url}/authorize`,
          jwks_uri: `${provider.url}/keys`,
          id_token_signing_alg_values_supported: ['RS256'],
        },
        '/keys': { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'a', alg: 'RS256', use: 'sig' }] },
      };
      if (pathname !== '/authorize') {
        response.setHeader('Content-Type', 'application/json');
        return response.end(JSON.stringify(answers[pathname] ?? {}));
      }
      const fragment = new URLSearchParams({
        id_token: token(provider, searchParams),
        state: searchParams.get('state') ?? '',
      });
      response.writeHead(302, {
        Location: `${provider.back}${new URL(searchParams.get('redirect_uri') ?? '').pathname}#${fragment}`,
      });
      return response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    provider.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await use(provider);
    server.close();
  },
  settings: async ({ provider }, use) => use({ IDP_ISSUER: provider.url, IDP_CLIENT_ID: 'equity' }),
});

test('IdentityProviderSignsIn', async ({ page, provider, server }) => {
  provider.back = server.url;
  await page.goto(`${server.url}/login?next=/settings`);
  await page.getByRole('button', { name: 'Continue with 127.0.0.1' }).click();
  await page.waitForURL(`${server.url}/settings`);
  await expect(page.getByLabel('Name')).toHaveValue('Ada Byron');
});

test('AnswerToAnotherAttemptIsRefused', async ({ page, provider, server }) => {
  provider.back = server.url;
  const query = new URLSearchParams({ client_id: 'equity', nonce: 'n' });
  await page.goto(`${server.url}/login#id_token=${token(provider, query)}&state=s`);
  await expect(page.getByText('did not confirm you')).toBeVisible();
  await expect(page).toHaveURL(`${server.url}/login`);
});
