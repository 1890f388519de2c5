import { expect, test, visit } from './equity';
import { go } from './keyboard';

test('SharesAreIssuedWithAPreviewAndVoided', async ({ owner, server }) => {
  await visit(owner, server, 'captable');
  await owner.getByRole('button', { name: 'Issue shares' }).click();
  const form = owner.getByRole('dialog', { name: 'Issue shares' });
  await form.getByLabel('Holder').fill('Chiara');
  await owner.getByRole('option', { name: /Chiara Moretti/ }).click();
  await form.getByLabel('Class').fill('Common');
  await owner.getByRole('option', { name: 'Common Stock', exact: true }).click();
  await form.getByLabel('Shares', { exact: true }).fill('25,000');
  await form.getByLabel('Price per share').fill('0.80');
  const preview = form.getByRole('region', { name: 'Preview' });
  await expect(preview.getByRole('row', { name: /Total outstanding.*9,286,277.*9,311,277/ })).toBeVisible();
  await form.getByRole('button', { name: 'Issue 25,000 shares' }).click();
  await expect(owner.getByText(/25,000 shares issued as CS-/)).toBeVisible();
  await expect(owner.getByRole('button', { name: /^Outstanding: / })).toHaveText('9,311,277');
  await owner.getByRole('button', { name: 'Void' }).click();
  const voiding = owner.getByRole('dialog', { name: 'Void' });
  await voiding.getByLabel('Reason').fill('entered twice');
  await voiding.getByRole('button', { name: 'Void 25,000 shares' }).click();
  await expect(owner.getByRole('button', { name: /^Outstanding: / })).toHaveText('9,286,277');
});

test('BadInputNamesItsField', async ({ owner, server }) => {
  await visit(owner, server, 'captable?post=issueShares');
  const form = owner.getByRole('dialog', { name: 'Issue shares' });
  await form.getByLabel('Holder').fill('Chiara');
  await owner.getByRole('option', { name: /Chiara Moretti/ }).click();
  await form.getByLabel('Class').fill('Common');
  await owner.getByRole('option', { name: 'Common Stock', exact: true }).click();
  await form.getByLabel('Shares', { exact: true }).fill('many');
  await expect(form.getByLabel('Shares', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  await form.getByLabel('Shares', { exact: true }).fill('99999999');
  await expect(form.getByRole('alert').first()).toBeVisible();
});

test('KeyboardReachesEverything', async ({ owner, server }) => {
  await visit(owner, server, 'captable');
  const grid = owner.getByRole('grid', { name: 'Holders' });
  await grid.getByRole('row').nth(3).waitFor();
  await owner.keyboard.press('Control+k');
  await expect(owner.getByLabel('Search commands')).toBeFocused();
  await owner.keyboard.type('issue shares');
  await owner.keyboard.press('Enter');
  await expect(owner.getByRole('dialog', { name: 'Issue shares' })).toBeVisible();
  await owner.keyboard.press('Escape');
  await expect(owner.getByRole('dialog')).toHaveCount(0);
  await owner.keyboard.press('/');
  await expect(owner.getByRole('searchbox')).toBeFocused();
  await owner.keyboard.type('Ada');
  await expect(grid.getByRole('row', { name: /Ada Lindqvist/ })).toBeVisible();
  const ada = grid.getByRole('row', { name: /Ada Lindqvist/ });
  await ada.focus();
  expect(
    await grid.evaluate(
      (one) => [...one.querySelectorAll('*')].filter((all) => (all as HTMLElement).tabIndex >= 0).length,
    ),
  ).toBe(1);
  await owner.keyboard.press('Space');
  await expect(owner.getByRole('toolbar', { name: 'Selection' })).toContainText('1 holder selected');
  await owner.keyboard.press('ArrowRight');
  await owner.keyboard.press('ArrowRight');
  await expect(grid.getByRole('button', { name: /^Ada Lindqvist, shares: / })).toBeFocused();
  await owner.keyboard.press('ArrowUp');
  await owner.keyboard.press('ArrowUp');
  await expect(grid.getByRole('button', { name: 'Shares', exact: true })).toBeFocused();
  await owner.keyboard.press('ArrowDown');
  await owner.keyboard.press('ArrowDown');
  await owner.keyboard.press('Escape');
  await expect(ada).toBeFocused();
  await owner.keyboard.press('Enter');
  await expect(owner.getByRole('dialog', { name: 'Ada Lindqvist' })).toBeVisible();
  await owner.keyboard.press('Escape');
  await go(owner, 'r', 'Rounds');
  await owner.keyboard.press('Control+k');
  await expect(owner.getByLabel('Search commands')).toBeFocused();
  await owner.keyboard.type('cs-1 transfer');
  const transfer = owner.getByRole('option', { name: /^Transfer.*CS-1, Ada Lindqvist/ });
  await transfer.waitFor();
  await expect(owner.getByRole('option', { name: /^Transfer.*Choose a shareholding/ })).toHaveCount(0);
  await transfer.click();
  await expect(owner.getByRole('dialog', { name: 'Transfer' })).toBeVisible();
});

test('SelectedSharesAreVoidedOneAfterTheOther', async ({ owner, server }) => {
  await visit(owner, server, 'shares?q=MacLeod');
  await owner.getByRole('checkbox', { name: 'Select all shown' }).check();
  const bar = owner.getByRole('toolbar', { name: 'Selection' });
  await expect(bar).toContainText('2 shareholdings selected');
  await bar.getByRole('button', { name: 'More' }).click();
  await owner.getByRole('menuitem', { name: 'Void (2)' }).click();
  const form = owner.getByRole('dialog', { name: 'Void', exact: true });
  await expect(form.getByText('1 record after this one')).toBeVisible();
  await form.getByLabel('Reason').fill('entered twice');
  await form.getByRole('button', { name: /^Void .* shares$/ }).click();
  await expect(form.getByText('1 record after this one')).toBeHidden();
  await expect(form.getByLabel('Reason')).toHaveValue('entered twice');
  await form.getByRole('button', { name: /^Void .* shares$/ }).click();
  await expect(form).toBeHidden();
  await expect(owner.getByRole('grid', { name: 'Shareholdings' }).getByText('Voided')).toHaveCount(2);
});

test('EssentialsWorkOnAPhone', async ({ owner, server }) => {
  await owner.setViewportSize({ width: 390, height: 844 });
  await visit(owner, server, 'captable');
  await expect(
    owner
      .getByRole('grid', { name: 'Holders' })
      .getByRole('row', { name: /Ada Lindqvist.*2,200,000.*19\.0159%.*\$11\.00/ }),
  ).toBeVisible();
  await owner.getByRole('button', { name: 'Menu' }).click();
  await owner.getByRole('link', { name: 'Shares' }).click();
  await expect(owner.getByRole('heading', { name: 'Shares' })).toBeVisible();

  await owner.getByRole('button', { name: 'Issue shares' }).click();
  const form = owner.getByRole('dialog', { name: 'Issue shares' });
  await form.getByLabel('Holder').fill('Chiara');
  await owner.getByRole('option', { name: /Chiara Moretti/ }).click();
  await form.getByLabel('Class').fill('Common');
  await owner.getByRole('option', { name: 'Common Stock', exact: true }).click();
  await form.getByLabel('Shares', { exact: true }).fill('25,000');
  const preview = form.getByRole('region', { name: 'Preview' });
  await expect(preview.getByRole('row', { name: /Total outstanding.*9,286,277.*9,311,277/ })).toBeVisible();
  await form.getByRole('button', { name: 'Issue 25,000 shares' }).click();
  const issued = owner.getByRole('dialog', { name: /^25,000 shares issued as CS-/ });
  await issued.getByRole('button', { name: 'Show' }).click();
  await owner.getByRole('button', { name: 'Accept', exact: true }).click();
  const acceptance = owner.getByRole('dialog', { name: 'Accept' });
  await acceptance.getByRole('button', { name: 'Accept the shares' }).click();
  await expect(owner.getByRole('dialog', { name: /^CS-[0-9]+ accepted$/ })).toBeVisible();
  expect(await owner.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});
