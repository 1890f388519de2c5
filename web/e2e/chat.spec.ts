import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { test as base, expect, visit } from './equity';
import { openFront } from './front';

/**
 * A page in the place of the chat server's web client, which is not in its Go module. It shows the account and the team of
 * the session, and posts a message, as the web client would: with the cookies of the frame.
 */
const webClient = `<!doctype html><html lang="en"><title>Chat</title><main><h1></h1><p></p><button>Say hello</button><ul></ul></main>
<script>
const json = async (path, init) => (await fetch('/api/v4/' + path, init)).json();
const headers = { 'X-Requested-With': 'XMLHttpRequest' };
(async () => {
  const me = await json('users/me');
  const team = await json('teams/name/' + location.pathname.slice(1));
  const channel = await json('teams/' + team.id + '/channels/name/town-square');
  document.querySelector('h1').textContent = team.display_name;
  document.querySelector('p').textContent = me.email;
  document.querySelector('button').onclick = async () => {
    const body = JSON.stringify({ channel_id: channel.id, message: 'Hello team' });
    const post = await json('posts', { method: 'POST', headers, body });
    document.querySelector('ul').innerHTML = '<li></li>';
    document.querySelector('li').textContent = post.message;
  };
})();
</script></html>`;

/** Waits for the chat server of the tests, whose first build takes minutes. */
async function chatServer(): Promise<string> {
  const { TEST_CHAT_URL: url, TEST_CHAT_FAILURE: failure } = process.env;
  if (!url) throw new Error('TEST_CHAT_URL is not set: make test-web starts a chat server');
  for (;;) {
    if ((await fetch(`${url}/api/v4/users/me`).catch(() => undefined))?.status === 401) return url;
    if (failure && fs.existsSync(failure)) throw new Error(fs.readFileSync(failure, 'utf8'));
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

type Chat = { url: string; server: string };

const test = base.extend<object, { chat: Chat }>({
  /** The chat server behind a proxy that permits the frame, as its operator has to. */
  chat: [
    // biome-ignore lint/correctness/noEmptyPattern: the form of fixtures
    async ({}, use) => {
      const target = new URL(await chatServer());
      const front = await openFront();
      const server = front.url;
      const proxy = http.createServer((request, response) => {
        if (!request.url?.startsWith('/api/')) {
          response.writeHead(200, {
            'Content-Type': 'text/html',
            'Content-Security-Policy': `frame-ancestors ${server}`,
          });
          return response.end(webClient);
        }
        const { method, url: path, headers } = request;
        const passed = http.request({ host: target.hostname, port: target.port, method, path, headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(response);
        });
        return request.pipe(passed);
      });
      await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
      await use({ url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, server });
      proxy.close();
      front.close();
    },
    { scope: 'worker', timeout: 1_200_000 },
  ],
  settings: async ({ chat }, use) =>
    use({
      PUBLIC_URL: chat.server,
      CHAT_URL: chat.url,
      CHAT_ADMIN_BOT_TOKEN: process.env.TEST_CHAT_ADMIN_TOKEN ?? '',
      CHAT_COOKIE_DOMAIN: '127.0.0.1',
    }),
});

test('TeamChatIsSignedInInItsFrame', async ({ owner, server, context }) => {
  await visit(owner, server, 'captable');
  await owner.getByRole('link', { name: 'Team chat' }).click();
  const chat = owner.frameLocator('iframe[title="Team chat"]');
  await expect(chat.getByRole('heading', { name: 'Northwind Instruments' })).toBeVisible();
  await expect(chat.getByText('demo@northwind.example')).toBeVisible();
  await chat.getByRole('button', { name: 'Say hello' }).click();
  await expect(chat.getByText('Hello team')).toBeVisible();

  await owner.getByRole('button', { name: 'Sign out' }).click();
  await owner.waitForURL(/login/);
  const cookies = await context.cookies();
  expect(cookies.filter((cookie) => cookie.name.startsWith('MM'))).toEqual([]);
});
