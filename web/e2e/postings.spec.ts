import fs from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { expect, test, visit } from './equity';

/** Chooses a record of a searched list with the keyboard. */
async function choose(page: Page, field: Locator, text: string) {
  await field.focus();
  await page.keyboard.type(text);
  await expect(page.getByRole('option').first()).toContainText(text);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('option')).toHaveCount(0);
}

const before = (form: Locator, group: string, figure: string) =>
  form.getByRole('row', { name: new RegExp(`^${group} ${figure} `) });

test('SharesAreIssuedAndVoidedWithTheKeyboard', async ({ owner, server }) => {
  await visit(owner, server, 'shares');
  await owner.getByRole('button', { name: 'Issue shares' }).focus();
  await owner.keyboard.press('Enter');
  const form = owner.getByRole('dialog', { name: 'Issue shares', exact: true });
  await expect(form.getByLabel('Holder', { exact: true })).toBeFocused();
  await choose(owner, form.getByLabel('Holder', { exact: true }), 'Xin Zhao');
  await owner.keyboard.press('Tab');
  await expect(form.getByLabel('Class', { exact: true })).toBeFocused();
  await choose(owner, form.getByLabel('Class', { exact: true }), 'Common Stock');
  await owner.keyboard.press('Tab');
  await owner.keyboard.type('25,000');
  const outstanding = before(form, 'Total', 'outstanding');
  await expect(outstanding).toContainText('9,286,277');
  await expect(outstanding).toContainText('9,311,277');
  await expect(form.getByRole('region', { name: 'Preview' }).getByRole('listitem')).toContainText(
    'Issued 25,000 shares of Common Stock to Xin Zhao',
  );
  await expect(form.getByRole('button', { name: 'Issue 25,000 shares' })).toBeEnabled();
  await owner.keyboard.press('Enter');
  await expect(form).toBeHidden();
  const message = owner.getByRole('dialog', { name: /^25,000 shares issued as CS-/ });
  await expect(message).toContainText('Journal entry');
  await expect(message.getByRole('button', { name: 'Show' })).toBeVisible();
  await message.getByRole('button', { name: 'Void' }).focus();
  await owner.keyboard.press('Enter');

  const undo = owner.getByRole('dialog', { name: 'Void', exact: true });
  await expect(undo.getByLabel('Reason')).toBeFocused();
  await expect(undo.getByRole('button', { name: 'Void 25,000 shares' })).toBeDisabled();
  await owner.keyboard.type('Entered for the wrong holder.');
  await expect(before(undo, 'Total', 'outstanding')).toContainText('9,286,277');
  await undo.getByRole('button', { name: 'Void 25,000 shares' }).focus();
  await owner.keyboard.press('Enter');
  await expect(undo).toBeHidden();
  await visit(owner, server, 'shares?state=ended&q=Xin+Zhao');
  await expect(owner.getByRole('row').filter({ hasText: '25,000' })).toContainText('Voided');
});

test('SharesAreTransferred', async ({ owner, server }) => {
  await visit(owner, server, 'shares?q=CS-33');
  await owner.getByRole('row').filter({ hasText: 'CS-33' }).click();
  await owner.getByRole('button', { name: 'Transfer' }).click();
  const form = owner.getByRole('dialog', { name: 'Transfer', exact: true });
  await choose(owner, form.getByLabel('New holder'), 'Tariq Haddad');
  await form.getByLabel('Shares', { exact: true }).fill('5000');
  await expect(before(form, 'Isla MacLeod', 'shares')).toBeVisible();
  await expect(before(form, 'Tariq Haddad', 'shares')).toBeVisible();
  await expect(form.getByRole('listitem').first()).toContainText('Transferred 5,000 shares of CS-33 to Tariq Haddad');
  const [sent] = await Promise.all([
    owner.waitForRequest(/\/shareholding\/transfer$/),
    form.getByRole('button', { name: 'Transfer 5,000 shares' }).click(),
  ]);
  expect(sent.headers()['if-match']).toMatch(/^(W\/)?"\d/);
  await expect(owner.getByRole('dialog', { name: /^Transferred as CS-/ })).toBeVisible();
  const history = owner.getByRole('region', { name: 'History' });
  await expect(history.getByRole('button', { name: /Tariq Haddad, 5,000 Common Stock/ })).toBeVisible();
  await expect(history.getByRole('button', { name: /Isla MacLeod, 10,000 Common Stock/ })).toBeVisible();
});

test('ClassIsSplitAfterTypedConfirmation', async ({ owner, server }) => {
  await visit(owner, server, 'classes');
  await owner
    .getByRole('grid', { name: 'Classes' })
    .getByRole('row')
    .filter({ hasText: /^Common Stock/ })
    .click();
  await owner.getByRole('button', { name: 'Split' }).click();
  const form = owner.getByRole('dialog', { name: 'Split', exact: true });
  await form.getByLabel('New shares').fill('2');
  await expect(before(form, 'Common Stock', 'authorized')).toContainText('30,000,000');
  const split = form.getByRole('button', { name: 'Split 2 for 1' });
  await expect(split).toBeDisabled();
  await form.getByLabel(/^Type/).fill('Common Stock');
  await split.click();
  await expect(form).toBeHidden();
  await expect(owner.getByRole('dialog', { name: 'Common Stock', exact: true })).toContainText('30,000,000');
});

test('CertificateIsShownDownloadedAndVerified', async ({ owner, server }) => {
  await visit(owner, server, 'shares?q=CS-33');
  await owner.getByRole('row').filter({ hasText: 'CS-33' }).click();
  await expect(owner.getByTitle('Certificate CS-33')).toHaveAttribute('src', /^blob:/);
  const downloading = owner.waitForEvent('download');
  await owner.getByRole('link', { name: 'Download' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('CS-33.pdf');
  const pdf = fs.readFileSync(await download.path(), 'latin1');
  expect(pdf.startsWith('%PDF-')).toBe(true);

  const address = await owner.getByRole('link', { name: 'Verify' }).getAttribute('href');
  const printed = /\/v1\/certificate\/[\w-]+/.exec(pdf)?.[0];
  expect(address).toBe(printed);
  const check = await owner.request.get(server.url + address, { headers: { Accept: 'application/json' } });
  expect(await check.json()).toMatchObject({ current: true, replaced: false, certificate: 'CS-33' });
});

test('FormContinuesWithANewerRecord', async ({ owner, server }) => {
  await visit(owner, server, 'shares?q=CS-33');
  await owner.getByRole('row').filter({ hasText: 'CS-33' }).click();
  await owner.getByRole('button', { name: 'Amend' }).click();
  const form = owner.getByRole('dialog', { name: 'Amend', exact: true });
  await form.getByLabel('Note').fill('Paper certificate destroyed.');
  const id = new URL(owner.url()).searchParams.get('record');
  const other = await owner.request.patch(`${server.url}/v1/shareholding/${id}`, {
    data: { shareholderName: 'Isla M. MacLeod' },
  });
  expect(other.status()).toBe(200);
  await expect(form.getByText('Your entries stay.')).toBeVisible();
  await expect(form.getByRole('button', { name: 'Save the changes' })).toBeDisabled();
  await form.getByRole('button', { name: 'Reload the record' }).click();
  await expect(form.getByLabel('Shareholder name')).toHaveValue('Isla M. MacLeod');
  await expect(form.getByLabel('Note')).toHaveValue('Paper certificate destroyed.');
  await form.getByRole('button', { name: 'Save the changes' }).click();
  await expect(owner.getByRole('dialog', { name: 'CS-33 amended', exact: true })).toBeVisible();
});

test('LostAnswerIsRepeatedWithoutASecondEffect', async ({ owner, server }) => {
  const list = `${server.url}/v1/organization/${server.organization}/shareholding?limit=200`;
  const count = async () => (await (await owner.request.get(list)).json()).data.length;
  const first = await count();
  let lost = 0;
  await owner.route(/\/shareholding$/, async (route) => {
    if (route.request().method() !== 'POST' || lost > 0) return route.continue();
    lost++;
    await route.fetch();
    return route.abort('connectionreset');
  });
  await visit(owner, server, 'shares?post=issueShares');
  const form = owner.getByRole('dialog', { name: 'Issue shares', exact: true });
  await choose(owner, form.getByLabel('Holder', { exact: true }), 'Xin Zhao');
  await choose(owner, form.getByLabel('Class', { exact: true }), 'Common Stock');
  await form.getByLabel('Shares', { exact: true }).fill('100');
  await form.getByRole('button', { name: 'Issue 100 shares' }).click();
  await expect(form.getByText('It is not known whether the change was recorded')).toBeVisible();
  await expect(form.getByLabel('Shares', { exact: true })).toBeDisabled();
  await form.getByRole('button', { name: 'Try again' }).click();
  await expect(owner.getByRole('dialog', { name: /^100 shares issued as/ })).toBeVisible();
  expect(await count()).toBe(first + 1);
});

test('CapTableKeepsBasisClassAndHolderInTheAddress', async ({ owner, server }) => {
  await visit(owner, server, 'captable');
  const grid = owner.getByRole('grid', { name: 'Holders' });
  await owner.getByRole('button', { name: 'Outstanding', exact: true }).click();
  await expect(owner).toHaveURL(/basis=outstanding/);
  await expect(grid.getByRole('columnheader', { name: '% outstanding' })).toBeVisible();
  await owner
    .getByRole('table', { name: 'Ownership by class' })
    .getByRole('button', { name: 'Series A Preferred Stock', exact: true })
    .click();
  await expect(owner).toHaveURL(/class=/);
  await expect(grid.getByRole('row').filter({ hasText: 'Ada Lindqvist' })).toHaveCount(0);
  await grid.getByRole('row').filter({ hasText: 'Fjord Ventures II' }).click();
  await expect(
    owner.getByRole('dialog', { name: /Fjord Ventures II/ }).getByRole('link', { name: /SA-1/ }),
  ).toBeVisible();
  await owner.reload();
  await expect(owner.getByRole('dialog', { name: /Fjord Ventures II/ })).toBeVisible();
});
