import type { Page } from '@playwright/test';
import { expect, type Server, test, visit } from './equity';
import { sequence } from './keyboard';

test('PastDayShowsTheCompanyAsItWas', async ({ owner, server }) => {
  await visit(owner, server, 'captable?asOf=2019-12-31');
  await expect(owner.getByText('The end of 31 Dec 2019.')).toBeVisible();
  await expect(owner.getByRole('button', { name: /^Outstanding: / })).not.toHaveText('9,286,277');
  await expect(owner.getByRole('button', { name: 'Issue shares' })).toHaveCount(0);
  await owner.getByRole('grid').waitFor();
  await sequence(owner, 'r', () => owner.waitForURL(/rounds\?asOf=2019-12-31/, { timeout: 5_000 }));
  await expect(owner.getByLabel('Closing date')).toHaveValue('2019-12-31');
  await owner.getByRole('link', { name: 'Stakeholders' }).click();
  await expect(owner.getByText('This page has no effective day: it is not limited to 31 Dec 2019.')).toBeVisible();
  await owner.getByRole('link', { name: 'Roles' }).click();
  await expect(owner).toHaveURL(/roles\?asOf=2019-12-31/);
  await owner.getByRole('link', { name: 'Company settings' }).click();
  await expect(owner.getByText('This page has no past: it shows today.')).toBeVisible();
  await owner.getByRole('tab', { name: 'Webhooks' }).click();
  await expect(owner.getByLabel('Address of a new webhook')).toBeDisabled();
  await owner.getByRole('link', { name: 'Cap table' }).click();
  await owner.getByRole('button', { name: 'Back to today' }).first().click();
  await expect(owner.getByRole('button', { name: /^Outstanding: / })).toHaveText('9,286,277');
});

test('ScrubberMovesThroughTime', async ({ owner, server }) => {
  await visit(owner, server, 'captable');
  await owner.getByRole('button', { name: 'Ownership over time' }).click();
  const slider = owner.getByRole('slider', { name: 'Day' });
  await slider.focus();
  await owner.keyboard.press('Home');
  await expect(owner).toHaveURL(/asOf=2019-03-04/);
  await expect(slider).toHaveAttribute('aria-valuetext', /04 Mar 2019/);
});

test('ScrubberIsDragged', async ({ owner, server }) => {
  await visit(owner, server, 'captable?time=open');
  const slider = owner.getByRole('slider', { name: 'Day' });
  const box = await slider.boundingBox();
  if (!box) throw new Error('the scrubber has no place');
  await owner.mouse.move(box.x + box.width - 2, box.y + 20);
  await owner.mouse.down();
  await owner.mouse.move(box.x + box.width / 2, box.y + 20, { steps: 5 });
  await owner.mouse.up();
  await expect(owner).toHaveURL(/asOf=20(22|23)-/);
  await expect(owner.getByText(/^The end of .* (2022|2023)\./)).toBeVisible();
});

test('KnowledgeOfAnEntryIsShown', async ({ owner, server }) => {
  await visit(owner, server, 'captable');
  await owner.getByRole('button', { name: 'Day: Today' }).click();
  await owner.getByLabel('Journal entry').fill('60');
  await owner.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(owner).toHaveURL(/knownAt=60/);
  await expect(owner.getByText('As recorded up to journal entry 60.')).toBeVisible();
  await expect(owner.getByRole('button', { name: /^Outstanding: / })).not.toHaveText('9,286,277');
});

test('FigureExplainsItselfDownToTheJournal', async ({ owner, server }) => {
  await visit(owner, server, 'captable');
  await owner.getByRole('button', { name: /^Fully diluted: / }).click();
  const why = owner.getByRole('dialog', { name: 'Fully diluted' });
  await expect(why.getByRole('treeitem', { name: /11,569,277/ })).toBeFocused();
  const press = async (key: string, focused: RegExp) => {
    await owner.keyboard.press(key);
    await expect(owner.locator(':focus')).toHaveText(focused);
  };
  await press('ArrowDown', /Common Stock.*8,010,478/);
  await press('ArrowRight', /Common Stock/);
  await expect(why.getByRole('treeitem', { name: /Ada Lindqvist, Common Stock/ })).toBeVisible();
  await press('ArrowDown', /Ada Lindqvist, Common Stock/);
  await press('ArrowRight', /Ada Lindqvist, Common Stock/);
  await expect(why.getByRole('treeitem', { name: /CS-1, Ada Lindqvist/ })).toBeVisible();
  await press('ArrowDown', /CS-1, Ada Lindqvist/);
  await press('ArrowRight', /CS-1, Ada Lindqvist/);
  await press('ArrowDown', /Shareholding issued/);
  await owner.keyboard.press('Enter');
  await expect(owner).toHaveURL(/activity\?entry=/);
  await expect(owner.getByRole('dialog', { name: /^Issued .* to Ada Lindqvist \(CS-1\)$/ })).toBeVisible();
});

/** Issues shares without the page. */
async function issueElsewhere(owner: Page, server: Server) {
  const url = `${server.url}/v1/organization/${server.organization}`;
  const { data: classes } = await (await owner.request.get(`${url}/security`)).json();
  const { data: members } = await (await owner.request.get(`${url}/member`)).json();
  const data = { entity: members[0].entity, security: classes[0].id, shares: '1000', issueDate: '2026-01-15' };
  const other = await owner.request.post(`${url}/shareholding`, { data });
  expect(other.status(), await other.text()).toBe(201);
}

test('ChangeBeforeTheStreamOfEventsIsOpenAppears', async ({ owner, server }) => {
  let connect: () => void = () => undefined;
  const changed = new Promise<void>((resolve) => {
    connect = resolve;
  });
  await owner.route('**/event', async (route) => {
    await changed;
    await route.continue();
  });
  await visit(owner, server, 'captable');
  const outstanding = owner.getByRole('button', { name: /^Outstanding: / });
  await expect(outstanding).toHaveText('9,286,277');
  await issueElsewhere(owner, server);
  connect();
  await expect(outstanding).toHaveText('9,287,277');
});

test('ChangeOfSomebodyElseAppearsWithoutReload', async ({ owner, server }) => {
  await visit(owner, server, 'captable');
  const outstanding = owner.getByRole('button', { name: /^Outstanding: / });
  await expect(outstanding).toHaveText('9,286,277');
  await issueElsewhere(owner, server);
  await expect(outstanding).toHaveText('9,287,277');
  await expect(outstanding.locator('.changed')).toBeVisible();
  await expect(outstanding.locator('.changed')).toHaveCount(0);
});

test('JournalIsReadAsSentences', async ({ owner, server }) => {
  await visit(owner, server, 'activity');
  const first = owner.getByRole('button', { name: /Founded Northwind Instruments, Inc\./ });
  await owner.getByRole('button', { name: /Restricted Investor updates to Investor/ }).waitFor();
  await expect(first).toHaveCount(0);
  await expect(async () => {
    await owner.locator('#main').evaluate((main) => main.scrollTo(0, main.scrollHeight));
    await expect(first).toHaveCount(1, { timeout: 300 });
  }).toPass();
  await first.click();
  const drawer = owner.getByRole('dialog');
  await expect(drawer.getByText('organizationCreated')).toBeVisible();
  await expect(drawer.getByText('Ada Lindqvist')).toBeVisible();
});

test('JournalIsFilteredByKindAndPeriod', async ({ owner, server }) => {
  await visit(owner, server, 'activity?type=legendCreated');
  await expect(owner.getByRole('button', { name: /Created the legend Securities Act/ })).toBeVisible();
  await expect(owner.getByRole('button', { name: /Issued/ })).toHaveCount(0);
  await owner.getByLabel('Recorded until').fill('2019-01-01');
  await expect(owner.getByText('No entries', { exact: true })).toBeVisible();
  await owner.getByRole('button', { name: 'Clear' }).click();
  await expect(owner.getByRole('button', { name: /Restricted Investor updates/ })).toBeVisible();
});

test('EntryLeadsToItsRecordAndToThePast', async ({ owner, server }) => {
  await visit(owner, server, 'activity?entry=50');
  const drawer = owner.getByRole('dialog');
  await expect(drawer.getByText('Journal entry 50')).toBeVisible();
  await drawer.getByRole('button', { name: 'Show the company at this entry' }).click();
  await expect(owner).toHaveURL(/knownAt=50/);
  await drawer.getByRole('link', { name: 'Open the record' }).click();
  await expect(owner).toHaveURL(/shares\?.*open=/);
  await expect(owner.getByRole('dialog')).toBeVisible();
});

test('ProofIsRecomputedInTheBrowser', async ({ owner, server }) => {
  await visit(owner, server, 'activity');
  await owner.getByRole('button', { name: 'Verify in this browser' }).click();
  await expect(owner.getByText(/entries verified: each hash/)).toBeVisible();
  const proof = await owner.request.get(`${server.url}/v1/organization/${server.organization}/journal/proof`);
  const lines = (await proof.text()).trimEnd().split('\n');
  await expect(owner.getByText(JSON.parse(lines[0] ?? '').hash)).toBeVisible();
  await owner.getByLabel('Compare with a noted hash').fill(JSON.parse(lines[120] ?? '').hash);
  await expect(owner.getByRole('link', { name: 'entry 120' })).toBeVisible();
  await owner.getByLabel('Compare with a noted hash').fill('0'.repeat(64));
  await expect(owner.getByText('No entry has this hash')).toBeVisible();
});

test('ChangedProofIsRefused', async ({ owner, server }) => {
  await owner.route('**/journal/proof', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({
      response: answer,
      body: (await answer.text()).replace('Northwind Instruments, Inc.', 'Northwind Instrument, Inc..'),
    });
  });
  await visit(owner, server, 'activity');
  await owner.getByRole('button', { name: 'Verify in this browser' }).click();
  await expect(owner.getByText('The journal is not intact.')).toBeVisible();
});

test('PageIsCoveredWhenTheSessionEnds', async ({ owner, server }) => {
  await visit(owner, server, 'captable');
  await expect(owner.getByRole('button', { name: /^Outstanding: / })).toBeVisible();
  await owner.request.post(`${server.url}/v1/user/logout`);
  await expect(owner.getByRole('dialog', { name: 'You were signed out' })).toBeVisible({ timeout: 20_000 });
  await expect(owner.getByRole('button', { name: /^Outstanding: / })).toHaveCount(0);
});
