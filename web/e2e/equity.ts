import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type APIRequestContext, test as base, expect, type Locator, type Page } from '@playwright/test';
import { passTo } from './front';

const binary = process.env.EQUITY_BINARY ?? path.resolve('../bin/equity');
const demo = { email: 'demo@northwind.example', password: 'northwind demo' };

/** Server is a running equity server with its own copy of the demo company. */
export type Server = { url: string; data: string; organization: string };

async function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const read = (chunk: Buffer) => {
      text += chunk;
      const found = /msg=serving address=(http:\S+) .*listen=(\S+)/.exec(text);
      if (!found?.[1] || !found[2]) return;
      passTo(found[1], found[2]);
      resolve(found[1]);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.on('exit', (code) => reject(new Error(`the server ended with ${code}:\n${text}`)));
  });
}

/** Signs the demo user in, and returns the id of the demo company. A busy machine refuses passwords for a moment. */
async function signIn(request: APIRequestContext, url: string): Promise<string> {
  let organization = '';
  await expect(async () => {
    const answer = await request.post(`${url}/v1/user/login`, { data: demo });
    expect(answer.ok(), await answer.text()).toBe(true);
    organization = (await answer.json()).organizations[0].id;
  }).toPass();
  return organization;
}

type Fixtures = {
  /** Settings of the server beside the defaults. */
  settings: Record<string, string>;
  server: Server;
  /** A page that is signed in as the demo user, an owner. */
  owner: Page;
};

export const test = base.extend<Fixtures>({
  settings: [{}, { option: true }],
  server: async ({ settings, playwright }, use) => {
    const data = fs.mkdtempSync(path.join(os.tmpdir(), 'equity-e2e-'));
    fs.cpSync(process.env.DEMO_DATA ?? '', data, { recursive: true });
    const child = spawn(binary, ['serve', '--demo'], {
      cwd: data,
      env: {
        PATH: process.env.PATH,
        DATA_DIRECTORY: data,
        LISTEN: '127.0.0.1:0',
        METRICS_LISTEN: '127.0.0.1:0',
        AGENT_PROVIDER: 'embedded',
        ...settings,
      },
    });
    const url = await listening(child);
    const request = await playwright.request.newContext();
    const organization = await signIn(request, url);
    await request.dispose();
    await use({ url, data, organization });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 5_000))]);
    child.kill('SIGKILL');
    fs.rmSync(data, { recursive: true, force: true });
  },
  owner: async ({ page, server }, use) => {
    const failures: string[] = [];
    page.on('pageerror', (error) => failures.push(error.message));
    page.on('console', (message) => {
      if (/Content.Security.Policy|TrustedHTML|TrustedScript/.test(message.text())) failures.push(message.text());
    });
    await signIn(page.request, server.url);
    await use(page);
    expect(failures, 'errors of the page').toEqual([]);
  },
});

/** Opens a page of the demo company, such as "captable?open=ID". */
export const visit = (page: Page, server: Server, place: string) =>
  page.goto(`${server.url}/company/${server.organization}/${place}`);

/** Chooses a value of a list. */
export async function pick(page: Page, field: Locator, value: string): Promise<void> {
  await field.click();
  await page.getByRole('option', { name: value, exact: true }).click();
}

/** Makes the demo user a site administrator, in a new session. */
export async function appoint(page: Page, server: Server): Promise<void> {
  const env = { PATH: process.env.PATH, DATA_DIRECTORY: server.data };
  execFileSync(binary, ['admin', 'create', demo.email], { cwd: server.data, env });
  await signIn(page.request, server.url);
}

/** Returns the mails that the server wrote, newest last. */
export function mails(server: Server): string[] {
  const folder = path.join(server.data, 'mail');
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.eml')) // others are being written
    .sort()
    .map((name) =>
      fs
        .readFileSync(path.join(folder, name), 'utf8')
        .replace(/=\r?\n/g, '')
        .replace(/=3D/g, '='),
    );
}

/** Returns the first group of the pattern in the latest mail that contains it. */
export async function inMail(server: Server, pattern: RegExp): Promise<string> {
  const find = () =>
    mails(server)
      .map((mail) => pattern.exec(mail)?.[1])
      .findLast((found) => found !== undefined);
  await expect.poll(find).toBeTruthy();
  return find() ?? '';
}

/** Invites an address with a role. Returns the token of the invitation. */
export async function invite(page: Page, server: Server, email: string, role: string): Promise<string> {
  const invited = await page.request.post(`${server.url}/v1/organization/${server.organization}/member/invite`, {
    data: { emails: [email], roles: [role] },
  });
  expect(invited.ok(), await invited.text()).toBe(true);
  return inMail(server, new RegExp(`To:.*${email}[^]*/invitation\\?token=([A-Za-z0-9_.-]+)`));
}

/** Registers an account in the session of a page, and verifies its address. */
export async function register(page: Page, server: Server, email: string): Promise<void> {
  const account = {
    firstName: 'Gwen',
    lastName: 'Tee',
    email,
    password: 'a long enough passphrase',
    acceptedTerms: true,
  };
  await page.request.post(`${server.url}/v1/user`, { data: account });
  const code = await inMail(server, new RegExp(`To:.*${email}[^]*/verify\\?code=([A-Za-z0-9_-]+)`));
  await page.request.post(`${server.url}/v1/user/email/verify`, { data: { code } });
  await expect(async () => {
    const entered = await page.request.post(`${server.url}/v1/user/login`, {
      data: { email, password: account.password },
    });
    expect(entered.ok(), await entered.text()).toBe(true);
  }, 'a busy server refuses a sign-in for a moment').toPass();
}

/** Accepts an invitation for the user of a page. */
export async function join(page: Page, server: Server, token: string): Promise<void> {
  const accepted = await page.request.post(`${server.url}/v1/invitation/accept`, { data: { token } });
  expect(accepted.ok(), await accepted.text()).toBe(true);
}

export { expect };
