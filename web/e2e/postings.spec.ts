import fs from 'node:fs';
import { expect, test, visit } from './equity';
import { choose } from './keyboard';
import { coveredControls } from './messages';
import { exists, forms, open, recordIds } from './pages';

const desktop = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };

test('UntouchedFormsShowNoFaults', async ({ owner, server }) => {
  test.setTimeout(300_000); // about 70 forms
  const ids = await recordIds(owner, server);
  for (const form of forms.filter((one) => exists(one, ids))) {
    await open(owner, server, form, ids);
    const dialog = owner.getByRole('dialog');
    await expect(dialog.locator('[aria-invalid], p[role=alert]'), form.name).toHaveCount(0);
  }
});

test('AnUntouchedFormThatIsSentShowsItsFaults', async ({ owner, server }) => {
  await visit(owner, server, 'stakeholders?post=inviteMembers');
  const form = owner.getByRole('dialog', { name: 'Invite' });
  await expect(form.getByText('Complete the form to see the effect.')).toBeVisible();
  await form.getByRole('button', { name: 'Send the invitations' }).click();
  await expect(form.getByRole('alert')).toHaveCount(1);
});

test('SharesAreTransferred', async ({ owner, server }) => {
  await visit(owner, server, 'shares?q=CS-33');
  await owner.getByRole('row').filter({ hasText: 'CS-33' }).click();
  await owner.getByRole('button', { name: 'Transfer' }).click();
  const form = owner.getByRole('dialog', { name: 'Transfer', exact: true });
  await choose(owner, form.getByLabel('New holder'), 'Tariq Haddad');
  await form.getByLabel('Shares', { exact: true }).fill('5000');
  await expect(form.getByRole('row', { name: /^Isla MacLeod shares / })).toBeVisible();
  await expect(form.getByRole('row', { name: /^Tariq Haddad shares / })).toBeVisible();
  const recipient = form.getByLabel('Terms').locator('div', { hasText: 'Recipient' });
  await expect(recipient).toContainText('Tariq Haddad');
  await expect(form.getByRole('listitem').first()).toContainText('Transferred 5,000 shares of CS-33 to Tariq Haddad');
  const [sent] = await Promise.all([
    owner.waitForRequest(/\/shareholding\/transfer$/),
    form.getByRole('button', { name: 'Transfer 5,000 shares' }).click(),
  ]);
  expect(sent.headers()['if-match']).toMatch(/^(W\/)?"\d/);
  const message = owner.getByRole('dialog', { name: /^Transferred as CS-/ });
  await expect(message).toBeVisible();
  await expect(form).toBeHidden();
  await message.hover(); // it stays
  for (const size of [desktop, phone]) {
    await owner.setViewportSize(size);
    await expect.poll(() => coveredControls(owner)).toEqual([]);
  }
  await owner.emulateMedia({ media: 'print' });
  await expect(message).toBeHidden();
  await owner.emulateMedia({ media: 'screen' });
  await owner.getByRole('dialog', { name: 'CS-33' }).getByRole('button', { name: 'Close' }).click();
  for (const size of [phone, desktop]) {
    await owner.setViewportSize(size);
    await expect.poll(() => coveredControls(owner)).toEqual([]);
  }
  await owner.getByRole('row').filter({ hasText: 'CS-33' }).click();
  const history = owner.getByRole('region', { name: 'History' });
  await expect(history.getByRole('button', { name: /Tariq Haddad, 5,000 Common Stock/ })).toBeVisible();
  await expect(history.getByRole('button', { name: /Isla MacLeod, 10,000 Common Stock/ })).toBeVisible();
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
  const opening = owner.waitForEvent('popup');
  await owner.getByRole('link', { name: 'Verify' }).click();
  const check = await opening;
  await expect(check.getByText('CS-33')).toBeVisible();
  await expect(check.getByRole('heading', { name: 'This certificate is current' })).toBeVisible();
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
  await expect(form.getByText(/^Ada Lindqvist changed this record at .* Your entries stay\.$/)).toBeVisible();
  await expect(form.getByText('Shareholder name: Isla MacLeod became Isla M. MacLeod')).toBeVisible();
  await expect(form.getByRole('button', { name: 'Save the changes' })).toBeDisabled();
  await form.getByRole('button', { name: 'Reload the record' }).click();
  await expect(form.getByLabel('Shareholder name')).toHaveValue('Isla M. MacLeod');
  await expect(form.getByLabel('Note')).toHaveValue('Paper certificate destroyed.');
  await form.getByRole('button', { name: 'Save the changes' }).click();
  await expect(owner.getByRole('dialog', { name: 'CS-33 amended', exact: true })).toBeVisible();
});

test('FormKeepsItsEntriesUntilTheyAreDiscarded', async ({ owner, server }) => {
  await visit(owner, server, 'shares');
  await owner.getByRole('button', { name: 'Issue shares' }).click();
  const form = owner.getByRole('dialog', { name: 'Issue shares', exact: true });
  const question = owner.getByRole('alertdialog', { name: 'Discard what you entered?' });
  const shares = form.getByLabel('Shares', { exact: true });
  const ways = [
    () => owner.keyboard.press('Escape'),
    () => owner.mouse.click(300, 300),
    () => form.getByRole('button', { name: 'Cancel' }).click(),
    () => owner.goBack(),
  ];
  await choose(owner, form.getByLabel('Holder', { exact: true }), 'Xin Zhao');
  await choose(owner, form.getByLabel('Class', { exact: true }), 'Common Stock');
  await shares.fill('100');
  for (const way of ways) {
    await way();
    await question.getByRole('button', { name: 'Continue the form' }).click();
    await expect(question).toHaveCount(0);
  }

  // Another tab signs out, and its cookie is gone here too.
  await owner.request.post(`${server.url}/v1/user/logout`);
  const again = owner.getByRole('dialog', { name: 'You were signed out' });
  await again.getByLabel('Password').fill('northwind demo');
  await owner.keyboard.press('Escape'); // closes neither the sign-in nor the form below
  await again.getByRole('button', { name: 'Sign in' }).click();
  await expect(again).toHaveCount(0);
  await expect(shares).toHaveValue('100');
  await form.getByRole('button', { name: 'Issue 100 shares' }).click();
  await expect(owner.getByRole('dialog', { name: /^100 shares issued as/ })).toBeVisible();
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

test('InvitationsAndRemovalsAreReversedFromTheirMessages', async ({ owner, server }) => {
  await visit(owner, server, 'stakeholders?post=inviteMembers');
  const form = owner.getByRole('dialog', { name: 'Invite' });
  await form.getByRole('group', { name: 'E-mail addresses' }).getByRole('textbox').first().fill('zoe@example.com');
  await form.getByRole('checkbox', { name: 'Guest' }).check();
  await form.getByRole('button', { name: 'Send the invitations' }).click();
  await owner.getByRole('button', { name: 'Withdraw', exact: true }).click();
  await owner.getByRole('button', { name: 'Withdraw the invitation' }).click();
  await expect(owner.getByText('Invitation withdrawn')).toBeVisible();

  await visit(owner, server, 'stakeholders?post=addMember');
  await owner.getByLabel('Full name').fill('Zoe Quill');
  await owner.getByRole('button', { name: 'Add Zoe Quill' }).click();
  await owner.getByRole('button', { name: 'Remove', exact: true }).click();
  await owner.getByRole('button', { name: 'Remove Zoe Quill' }).click();
  await owner.getByRole('button', { name: 'Add again', exact: true }).click();
  await owner.getByRole('button', { name: 'Add Zoe Quill' }).click();
  await expect(owner.getByText('Zoe Quill added')).toBeVisible();
  await visit(owner, server, 'stakeholders?q=Zoe Quill');
  await expect(owner.getByRole('row', { name: /Zoe Quill.*Registered/ })).toBeVisible();
});

test('DeletedDocumentIsRestoredFromItsMessage', async ({ owner, server }) => {
  await visit(owner, server, 'documents');
  await owner.getByRole('row', { name: /Legal/ }).click();
  await owner.getByRole('row', { name: /Bylaws/ }).click();
  await owner.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(owner.getByRole('row', { name: /Bylaws/ })).toHaveCount(0);
  await owner.getByRole('button', { name: 'Restore', exact: true }).click();
  await expect(owner.getByText('Bylaws.pdf restored')).toBeVisible();
  await expect(owner.getByRole('row', { name: /Bylaws/ })).toBeVisible();
});
