import { expect, type Page, type Route } from '@playwright/test';
import { catalog } from '../src/posting/catalog';
import type { StoredRecord } from '../src/posting/posting';
import type { Company } from '../src/shell/company';
import { pages } from '../src/shell/pages';
import { appoint, invite, type Server } from './equity';
import { connectDrive, subscribe } from './providers';

/**
 * Place is a page of the app: its name in file names, and its path. ORG stands for the demo company, and {kind} for the id of
 * its first record of that kind.
 */
export type Place = {
  name: string;
  path: string;
  signedOut?: true;
  /** Opens a part of the page that has no address, and waits for it. */
  act?: (page: Page) => Promise<void>;
  /** The status of the answers to the reads of the company; 0 for a connection that is lost before the first answer. */
  fails?: number;
};

/** The pages of a company that need no step before them. */
export const company = pages.map(({ to }) => to).filter((page) => page !== 'chat');

const tabs = (page: string, path: string, names: string[]): Place[] =>
  names.map((tab) => ({ name: `${page}-${tab}`, path: `${path}?tab=${tab}` }));

/** A record that is open in its drawer, on the page of its kind. */
const drawer = (page: string, kind: string, query = ''): Place => ({
  name: `${page}-record`,
  path: `/company/ORG/${page}?${query}open={${kind}}`,
  act: (shown) => shown.getByRole('dialog').waitFor(),
});

/** The pages of failures: an unknown address, a missing permission, a failure of the server, and a lost connection. */
export const failures: Place[] = [
  { name: 'failure-address', path: '/nothing' },
  { name: 'failure-permission', path: '/company/ORG/captable', fails: 403 },
  { name: 'failure-server', path: '/company/ORG/captable', fails: 500 },
  { name: 'failure-connection', path: '/company/ORG/captable', fails: 0 },
];

/** All pages of the app, for screenshots and for the check of accessibility. */
export const places: Place[] = [
  { name: 'login', path: '/login', signedOut: true },
  { name: 'register', path: '/register', signedOut: true },
  { name: 'password', path: '/password' },
  { name: 'verify', path: '/verify', signedOut: true },
  { name: 'verify-link', path: '/verify?code=demo', signedOut: true },
  { name: 'invitation-ended', path: '/invitation?token=demo', signedOut: true },
  { name: 'home', path: '/' },
  { name: 'start', path: '/start' },
  { name: 'profile', path: '/settings' },
  ...tabs('profile', '/settings', ['sessions', 'factor', 'tokens', 'rewards', 'data']),
  ...company.map((name) => ({ name, path: `/company/ORG/${name}` })),
  ...tabs('settings', '/company/ORG/settings', ['webhooks', 'integrations']),
  drawer('captable', 'entity'),
  drawer('shares', 'shareholding'),
  drawer('classes', 'security'),
  drawer('stakeholders', 'member'),
  drawer('plans', 'plan'),
  drawer('grants', 'option'),
  drawer('schedules', 'vestingSchedule'),
  drawer('convertibles', 'holding'),
  drawer('valuations', 'valuation'),
  drawer('capital', 'capitalChange'),
  drawer('documents', 'document', 'folder={folder}&'),
  { name: 'issue-shares', path: '/company/ORG/captable?post=issueShares' },
  { name: 'closed-rounds', path: '/company/ORG/rounds?tab=closed' },
  { name: 'past', path: '/company/ORG/captable?asOf=2021-12-31' },
  { name: 'ownership-over-time', path: '/company/ORG/captable?time=open' },
  { name: 'entry', path: '/company/ORG/activity?entry=50' },
  { name: 'import-members', path: '/company/ORG/import?kind=members' },
  { name: 'trash', path: '/company/ORG/documents?view=trash' },
  {
    name: 'palette',
    path: '/company/ORG/captable',
    act: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog', { name: 'Command palette' }).getByRole('option').first().waitFor();
    },
  },
  {
    name: 'assistant',
    path: '/company/ORG/captable',
    act: async (page) => {
      await page.keyboard.press('Control+j');
      await page.getByLabel('Message').waitFor();
    },
  },
  {
    name: 'why',
    path: '/company/ORG/captable',
    act: async (page) => {
      await page.getByRole('button', { name: /^Fully diluted: / }).click();
      await page.getByRole('treeitem').first().waitFor();
    },
  },
  ...failures,
];

/** The pages that need the steps of makeReady. They are visited last. */
export const laterPlaces: Place[] = [
  { name: 'invitation', path: '/invitation?token={invitation}', signedOut: true },
  { name: 'admin', path: '/admin' },
  { name: 'chat', path: '/company/ORG/chat' },
  { name: 'drive', path: '/drive' },
  ...tabs('settings', '/company/ORG/settings', ['billing', 'drive']),
  ...tabs('admin', '/admin', ['people', 'blocked']),
];

/** The forms of all changes that need no other form before them, each with the first record that the change applies to. */
export const forms: Place[] = Object.entries(catalog)
  .filter(([, posting]) => !posting.offered)
  .map(([name, { record, applies }]) => ({
    name: `form-${name}`,
    path: `/company/ORG/captable?post=${name}${record ? `&record={${applies ? name : record}}` : ''}`,
    act: (page) => page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().waitFor(),
  }));

/** The screens on which each page is shown. */
export const screens = [
  { name: 'light-1440', width: 1440, height: 900, theme: 'light' },
  { name: 'dark-1440', width: 1440, height: 900, theme: 'dark' },
  { name: 'light-390', width: 390, height: 844, theme: 'light' },
  { name: 'dark-390', width: 390, height: 844, theme: 'dark' },
] as const;

export type Screen = (typeof screens)[number];

/** Shows pages on a screen, without motion. */
export async function show(page: Page, screen: Screen): Promise<void> {
  await page.setViewportSize(screen);
  await page.emulateMedia({ colorScheme: screen.theme, reducedMotion: 'reduce' });
}

export type Ids = Record<string, string>;

/** The owner, who has all permissions, as the postings see the company. */
const owned = { can: () => true } as unknown as Company;

/** The id of the first present record of each kind in the demo company, and of the first one that each posting applies to. */
export async function recordIds(page: Page, server: Server): Promise<Ids> {
  const base = `${server.url}/v1/organization/${server.organization}`;
  const read = async (path: string): Promise<StoredRecord[]> => {
    const answer = await page.request.get(path);
    expect(answer.ok(), path).toBe(true);
    const body: StoredRecord[] | { data: StoredRecord[] } = await answer.json(); // the data room answers with a plain list
    return Array.isArray(body) ? body : body.data;
  };
  const rows: Record<string, StoredRecord[]> = {
    shareholding: await read(`${base}/shareholding?limit=200`),
    security: await read(`${base}/security`),
    legend: await read(`${base}/legend`),
    plan: await read(`${base}/plan`),
    option: await read(`${base}/option?limit=200`),
    vestingSchedule: await read(`${server.url}/v1/vestingSchedule?organization=${server.organization}`),
    holding: (await read(`${base}/holding?limit=200`)).filter((row) => row.kind !== 'option'),
    block: await read(`${base}/block`),
    valuation: await read(`${base}/valuation`),
    member: [...(await read(`${base}/member?limit=200`)), ...(await read(`${base}/member?status=removed`))],
    role: (await read(`${base}/role`)).filter((row) => row.id !== undefined),
    capitalChange: await read(`${base}/capitalChange`),
    document: await read(`${base}/document?search=pdf`),
  };
  const ids: Ids = { organization: server.organization, shareholdingConfig: server.organization };
  const add = (name: string, row: StoredRecord | undefined) => row && Object.assign(ids, { [name]: row.id });
  for (const [kind, all] of Object.entries(rows)) {
    add(
      kind,
      all.find((row) => !row.end && !row.termination),
    );
  }
  add('folder', { id: rows.document?.[0]?.parentFolder });
  add('entity', { id: rows.shareholding?.[0]?.entity });
  for (const [name, { record, applies }] of Object.entries(catalog)) {
    if (record && applies)
      add(
        name,
        rows[record]?.find((row) => applies(row, owned)),
      );
  }
  return ids;
}

/** Shows a page in place of the chat server, whose web client is not part of the tests. */
async function frameChat(page: Page, server: Server): Promise<void> {
  const session = { baseUrl: `${server.url}/chat`, teamName: 'team' };
  await page.route(`**/v1/organization/${server.organization}`, async (route) => {
    const response = await route.fetch();
    if (!response.ok()) return route.fulfill({ response });
    const company = await response.json();
    await route.fulfill({ response, json: { ...company, features: { ...company.features, chat: true } } });
  });
  await page.route('**/v1/chat/session', (route) => route.fulfill({ json: session }));
  await page.route('**/chat/team', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: '<html lang="en"><title>Team</title><main aria-label="Team"><h1>The chat server</h1></main>',
    }),
  );
}

/** Creates records for the forms that apply to none of the demo company. */
async function addRecords(page: Page, server: Server): Promise<void> {
  const base = `${server.url}/v1/organization/${server.organization}`;
  const create = async (url: string, data: object): Promise<StoredRecord> => {
    const answer = await page.request.post(url, { data });
    expect(answer.ok(), await answer.text()).toBe(true);
    return answer.json();
  };
  await create(`${base}/security`, { name: 'Series C Preferred', shareType: 'preferred', authorizedShares: '1000' });
  await create(`${base}/plan`, { name: '2026 Equity Incentive Plan' });
  await create(`${base}/block`, { name: 'Series C', kind: 'series', closeDate: '2026-10-01' });
  const holder = await create(`${base}/member`, {
    fullName: 'Nils Berg',
    email: 'nils@example.com',
    kind: 'individual',
  });
  await create(`${base}/role`, {
    name: 'Board observer',
    permissions: ['viewOrganization', 'viewCapTable', 'viewSelf'],
  });
  await create(`${server.url}/v1/entity/${holder.entity}/capitalChange`, {
    organization: server.organization,
    kind: 'contribution',
    amount: { amount: '25000', currency: 'USD' },
    date: '2026-10-01',
  });
  const leaver = await create(`${base}/member`, { fullName: 'Olga Berg', kind: 'individual' });
  const removed = await page.request.delete(`${base}/member/${leaver.id}`, { data: {} });
  expect(removed.ok(), await removed.text()).toBe(true);
  await create(`${server.url}/v1/holding`, {
    organization: server.organization,
    entity: holder.entity,
    kind: 'safe',
    issueDate: '2026-10-01',
    principal: { amount: '250000', currency: 'USD' },
    valuationCap: '8000000',
  });
}

/**
 * Prepares the later places: the demo user becomes a site administrator, a guest is invited, the company subscribes to a plan,
 * connects a drive and has more records. Returns the ids.
 */
export async function makeReady(page: Page, server: Server): Promise<Ids> {
  await appoint(page, server);
  await subscribe(page, server);
  await connectDrive(page, server);
  await frameChat(page, server);
  await addRecords(page, server);
  return { invitation: await invite(page, server, 'nora@example.com', 'Guest') };
}

/** Reports whether the demo company has the records in the path of a place. */
export const exists = (place: Place, ids: Ids): boolean =>
  [...place.path.matchAll(/\{(\w+)\}/g)].every(([, kind]) => ids[kind ?? '']);

/** The requests that a lost connection ends. */
export const everyRequest = '**/v1/**';

/** Opens a place and waits until it shows its data. A lost connection remains lost until the next place. */
export async function open(page: Page, server: Server, place: Place, ids: Ids): Promise<void> {
  const path = place.path.replace('ORG', server.organization).replace(/\{(\w+)\}/g, (_, kind) => ids[kind] ?? '');
  await page.unroute(everyRequest);
  const { fails } = place;
  const company = `${server.url}/v1/organization/${server.organization}`;
  const fail = (route: Route) =>
    route.fulfill({ status: fails, json: { code: 'failed', message: 'The answer failed.', requestId: 'demo-1' } });
  if (fails === 0) await page.route(everyRequest, (route) => route.abort('connectionrefused'));
  else if (fails !== undefined) await page.route(company, fail);
  await page.goto(server.url + path);
  await settled(page);
  await place.act?.(page);
  if (place.act) await settled(page);
  if (fails === undefined) return;
  await page.getByRole('alert').waitFor();
  await page.unroute(company, fail);
}

/** Waits until a page shows its data: no skeletons, no running requests of its own. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1, h2').first().waitFor();
  await page.waitForFunction(() => !document.querySelector('.skeleton, [aria-busy=true]'), undefined, {
    timeout: 15_000,
  });
  await page.evaluate(() => document.fonts.ready);
}
