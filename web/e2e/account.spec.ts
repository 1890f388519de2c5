import { createHmac } from 'node:crypto';
import { expect, invite, join, mails, register, type Server, test, visit } from './equity';

const password = 'a long enough passphrase';

/** Returns the address of a link in the latest mail, on the server of the test. */
async function linkIn(server: Server, part: string): Promise<string> {
  let found: string | undefined;
  await expect
    .poll(() => {
      const text = mails(server).findLast((mail) => mail.includes(part));
      found = text && new RegExp(`https?://[^\\s"<>]*${part}[^\\s"<>]*`).exec(text)?.[0];
      return found;
    })
    .toBeTruthy();
  const url = new URL((found ?? '').replaceAll('&amp;', '&'));
  return server.url + url.pathname + url.search;
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Returns the code of a time-based one-time password. */
function totp(secret: string, at: number): string {
  const bits = [...secret.replace(/=+$/, '')]
    .map((digit) => digits.indexOf(digit).toString(2).padStart(5, '0'))
    .join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)));
  const hash = createHmac('sha1', key).update(counter).digest();
  const offset = (hash[19] ?? 0) & 15;
  return ((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).toString().padStart(6, '0');
}

test('ColleagueInvitedWithoutARoleSeesOnlyOwnRecords', async ({ owner, server, browser }) => {
  await visit(owner, server, 'stakeholders?post=inviteMembers');
  const form = owner.getByRole('dialog', { name: 'Invite' });
  await form.getByRole('group', { name: 'E-mail addresses' }).getByRole('textbox').first().fill('nora@example.com');
  await expect(form.getByText(/Without a choice, the person becomes a Holder/)).toBeVisible();
  await form.getByRole('button', { name: 'Send the invitations' }).click();
  await expect(form).toBeHidden();

  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(await linkIn(server, '/invitation'));
  await expect(page.getByText(/as Holder/)).toBeVisible();
  await expect(page.getByLabel('E-mail')).toHaveValue('nora@example.com');
  await page.getByLabel('First name').fill('Nora');
  await page.getByLabel('Last name').fill('Quist');
  await page.getByLabel('Choose a password').fill(password);
  await page.getByLabel('I accept the terms').check();
  await page.getByRole('button', { name: 'Accept', exact: true }).click();
  await page.waitForURL(/\/company\/.*\/shares$/);
  const pages = page.getByRole('navigation', { name: 'Main' });
  await expect(pages.getByRole('link', { name: 'Grants' })).toBeVisible();
  await expect(pages.getByRole('link', { name: 'Cap table' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Issue shares' })).toHaveCount(0);
  await pages.getByRole('link', { name: 'Home' }).click();
  await page.getByRole('link', { name: /Northwind.*Holder/ }).click();
  await expect(page.getByRole('heading', { name: 'Shares', exact: true })).toBeVisible();
  await context.close();
});

test('InvitedEmployeeReachesTheOwnGrantOnThePhone', async ({ owner, server, browser }) => {
  const url = `${server.url}/v1/organization/${server.organization}`;
  const { data: grants } = await (await owner.request.get(`${url}/option?limit=200`)).json();
  const { plan, pool, type, exercisePrice, vestingSchedule } = grants.find(
    (one: { status: string }) => one.status === 'active',
  );
  const data = { fullName: 'Emil Ray', email: 'emil@example.com' };
  const employee = await (await owner.request.post(`${url}/member`, { data })).json();
  const terms = { plan, pool, type, exercisePrice, vestingSchedule, quantity: '100', issueDate: '2026-01-05' };
  const granted = await owner.request.post(`${server.url}/v1/holding`, {
    data: { organization: server.organization, kind: 'option', entity: employee.entity, ...terms },
  });
  expect(granted.ok(), await granted.text()).toBe(true);
  await visit(owner, server, `stakeholders?open=${employee.id}&post=inviteHolder&record=${employee.id}`);
  const form = owner.getByRole('dialog', { name: 'Invite' });
  await expect(form.getByRole('checkbox').first()).toHaveAccessibleName('Holder');
  await form.getByRole('button', { name: `Invite ${employee.fullName}` }).click();
  await expect(form).toBeHidden();

  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  const pages: string[] = [];
  page.on('framenavigated', (frame) => {
    const { pathname } = new URL(frame.url());
    if (pages.at(-1) !== pathname) pages.push(pathname);
  });
  await page.goto(await linkIn(server, '/invitation'));
  await page.getByLabel('Choose a password').fill(password);
  await page.getByLabel('I accept the terms').check();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.getByRole('button', { name: 'Accept', exact: true }).click();
  await page.waitForURL(/\/grants\?open=/);
  await expect(
    page
      .getByRole('dialog')
      .getByText(/Vested/)
      .first(),
  ).toBeVisible();
  expect(pages.length, pages.join(' ')).toBeLessThanOrEqual(4);
  await context.close();
});

test('VerificationSignsTheRegisteringBrowserIn', async ({ server, page, owner }) => {
  await owner.context().clearCookies();
  await page.goto(`${server.url}/register`);
  await page.getByLabel('First name').fill('Nora');
  await page.getByLabel('Last name').fill('Quist');
  await page.getByLabel('E-mail').fill('nora@example.com');
  await page.getByLabel('Password').fill(password);
  await page.getByLabel('I accept the terms').check();
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(page.getByRole('heading', { name: 'Check your mail' })).toBeVisible();
  await page.goto(await linkIn(server, '/verify'));
  await page.getByRole('button', { name: 'Verify the address' }).click();
  await expect(page.getByText('You belong to no company yet')).toBeVisible();
});

test('InvitationIsAnsweredAtHome', async ({ owner, server, browser }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await register(page, server, 'gwen@example.com');
  const founded = await owner.request.post(`${server.url}/v1/organization`, {
    data: { name: 'Copy', currency: 'USD' },
  });
  const copy = { ...server, organization: (await founded.json()).id };
  await invite(owner, server, 'gwen@example.com', 'Guest');
  await invite(owner, copy, 'Gwen@example.com', 'Investor');

  await page.goto(server.url);
  const waiting = page.getByRole('region', { name: 'Invitations' });
  const first = waiting.getByRole('listitem').filter({ hasText: 'Northwind' });
  const second = waiting.getByRole('listitem').filter({ hasText: 'Copy' });
  await expect(first).toContainText(/Invitation to Northwind.* as Guest from .*, answer until \d\d \w{3} \d{4}/);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await first.getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByText(/You are a member of Northwind/)).toBeVisible();
  await expect(page.getByRole('link', { name: /Northwind.*Guest/ }).first()).toBeVisible();

  // With a session the sign-in leads to the only company, which states the other invitation.
  await page.goto(`${server.url}/login`);
  await page.waitForURL(/\/company\//);
  await expect(page.getByText('You are invited to Copy.')).toBeVisible();
  await page.getByRole('link', { name: 'Open the invitation' }).click();
  await second.getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
  await expect(page.getByText('Invitation to Copy declined')).toBeVisible();
  await expect(waiting).toHaveCount(0);
  await context.close();
});

/** The built-in roles, in groups that one test reads within its time on a slow machine. */
const shipped = [
  ['Owner', 'Manager', 'Legal'],
  ['Auditor', 'Investor', 'Signatory'],
  ['Holder', 'Guest'],
];

/** Pages whose whole content the API refuses to some roles, and the read behind each. */
const guarded: Record<string, string> = {
  'Cap table': 'captable',
  Valuations: 'valuation',
  Activity: 'journal',
};

for (const roles of shipped) {
  test(`EachRoleSeesItsPagesAndOnlyItsData, ${roles.join(', ')}`, async ({ owner, server, browser }) => {
    test.slow();
    const url = `${server.url}/v1/organization/${server.organization}`;
    const context = await browser.newContext();
    const page = await context.newPage();
    const token = await invite(owner, server, 'gwen@example.com', 'Guest');
    await register(page, server, 'gwen@example.com');
    await join(page, server, token);
    const { data: members } = await (await owner.request.get(`${url}/member?limit=200`)).json();
    const member = members.find((one: { email?: string }) => one.email === 'gwen@example.com');
    const refused: string[] = [];
    page.on('response', (answer) => answer.status() === 403 && refused.push(answer.url()));
    for (const role of roles) {
      await page.goto('about:blank'); // an open page would read with the rights of the new role
      const changed = await owner.request.patch(`${url}/member/${member.id}`, { data: { roles: [role] } });
      expect(changed.ok(), await changed.text()).toBe(true);
      await page.goto(server.url);
      await page
        .getByRole('link', { name: /Northwind/ })
        .first()
        .click();
      const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
      await expect(links.filter({ hasText: 'Shares' })).toBeVisible();
      for (const [name, path] of Object.entries(guarded)) {
        const answer = await page.request.get(`${url}/${path}`);
        await expect(links.filter({ hasText: name }), `${role}: ${name}`).toHaveCount(answer.ok() ? 1 : 0);
      }
      for (const name of (await links.allTextContents()).slice(1)) {
        await links.filter({ hasText: name }).first().click();
        await expect(page.locator('h1'), `${role}: ${name}`).toBeVisible();
        await expect(page.locator('.skeleton'), `${role}: ${name}`).toHaveCount(0);
        await expect(page.getByRole('alert'), `${role}: ${name}`).toHaveCount(0);
        if (['Signatory', 'Holder', 'Guest'].includes(role))
          await expect(page.getByText('Isla MacLeod')).toHaveCount(0);
      }
      expect(refused, `refused reads of the role ${role}`).toEqual([]);
      if (role !== 'Guest') continue;
      await visit(page, server, 'captable');
      await expect(page.getByRole('alert')).toContainText('Your roles do not permit this operation.');
      await expect(page.getByRole('grid', { name: 'Holders' })).toHaveCount(0);
    }
    await context.close();
  });
}

test('SecondFactorProtectsTheSignIn', async ({ owner, server, browser }) => {
  await owner.goto(`${server.url}/settings?tab=factor`);
  await owner.getByRole('button', { name: 'Set up a second factor' }).click();
  const secret = (await owner.locator('code').first().textContent()) ?? '';
  await owner.getByLabel('Code').fill(totp(secret, Date.now()));
  await owner.getByRole('button', { name: 'Enable' }).click();
  await expect(owner.getByText('Recovery codes, shown only now')).toBeVisible();

  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${server.url}/login`);
  await page.getByLabel('E-mail').fill('demo@northwind.example');
  await page.getByLabel('Password').fill('northwind demo');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Code').fill('000000');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await page.getByLabel('Code').fill(totp(secret, Date.now() + 30_000));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Cap table' })).toBeVisible();
  await context.close();
});

test('WrongPasswordIsRefusedWithoutAHint', async ({ page, server }) => {
  await page.goto(`${server.url}/company/${server.organization}/captable`);
  await expect(page).toHaveURL(/\/login\?next=/);
  await page.getByLabel('E-mail').fill('demo@northwind.example');
  await page.getByLabel('Password').fill('wrong password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await page.getByLabel('Password').fill('northwind demo');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Cap table' })).toBeVisible();
});

test('SessionOfAnotherDeviceIsEnded', async ({ owner, server, browser }) => {
  const other = await browser.newContext({ userAgent: 'Old telephone' });
  const page = await other.newPage();
  await page.request.post(`${server.url}/v1/user/login`, {
    data: { email: 'demo@northwind.example', password: 'northwind demo' },
  });
  await visit(page, server, 'captable');
  await expect(page.getByRole('heading', { name: 'Cap table' })).toBeVisible();

  await owner.goto(`${server.url}/settings?tab=sessions`);
  const session = owner.getByRole('row', { name: /Old telephone/ });
  await session.getByRole('button', { name: 'End' }).click();
  await expect(session).toHaveCount(0);
  await visit(page, server, 'captable');
  await expect(page).toHaveURL(/\/login/);
  await other.close();
});
