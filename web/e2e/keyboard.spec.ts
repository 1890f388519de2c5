import type { Locator } from '@playwright/test';
import { expect, test, visit } from './equity';
import { choose, command, enter, go, openRow, press, reach } from './keyboard';

const effect = (form: Locator, group: string, figure: string) =>
  form.getByRole('row', { name: new RegExp(`^${group} ${figure} `) });

test('CompanyIsKeptWithTheKeyboardAlone', async ({ owner, server }) => {
  test.slow();
  const keys = owner.keyboard;
  const dialog = (name: string | RegExp) =>
    owner.getByRole('dialog', typeof name === 'string' ? { name, exact: true } : { name });
  await visit(owner, server, 'captable');
  await owner.getByRole('grid', { name: 'Holders' }).getByRole('row').nth(3).waitFor();

  await test.step('day', async () => {
    await press(owner, owner.getByRole('button', { name: 'Day: Today' }));
    await press(owner, owner.getByRole('button', { name: 'End of last year' }));
    await keys.press('Escape');
    await expect(owner.getByText(/^The end of 31 Dec /)).toBeVisible();
    await press(owner, owner.getByRole('button', { name: 'Back to today' }).first());
    await expect(owner.getByRole('button', { name: /^Outstanding: / })).toHaveText('9,286,277');
  });

  await test.step('why', async () => {
    await press(owner, owner.getByRole('button', { name: /^Fully diluted: / }));
    await expect(dialog('Fully diluted').getByRole('treeitem').first()).toBeFocused();
    await keys.press('Escape');
    await expect(owner.getByRole('dialog')).toHaveCount(0);
  });

  await test.step('issue', async () => {
    await command(owner, 'Issue shares');
    const form = dialog('Issue shares');
    await choose(owner, form.getByLabel('Holder', { exact: true }), 'Xin Zhao');
    await choose(owner, form.getByLabel('Class', { exact: true }), 'Common Stock');
    await enter(owner, form.getByLabel('Shares', { exact: true }), '25,000');
    const outstanding = effect(form, 'Total', 'outstanding');
    await expect(outstanding).toContainText('9,286,277');
    await expect(outstanding).toContainText('9,311,277');
    await expect(form.getByRole('button', { name: 'Issue 25,000 shares' })).toBeEnabled();
    await keys.press('Enter');
    await expect(form).toBeHidden();
  });

  await test.step('void', async () => {
    const message = dialog(/^25,000 shares issued as CS-/);
    await expect(message).toContainText('Journal entry');
    await keys.press('F6'); // to the messages, which stay as long as they have the focus
    await press(owner, message.getByRole('button', { name: 'Void' }));
    const form = dialog('Void');
    await expect(form.getByLabel('Reason')).toBeFocused();
    await expect(form.getByRole('button', { name: 'Void 25,000 shares' })).toBeDisabled();
    await keys.type('Entered for the wrong holder.');
    await expect(effect(form, 'Total', 'outstanding')).toContainText('9,286,277');
    await press(owner, form.getByRole('button', { name: 'Void 25,000 shares' }));
    await expect(form).toBeHidden();
    await visit(owner, server, 'shares?state=ended&q=Xin+Zhao');
    await expect(owner.getByRole('row').filter({ hasText: '25,000' })).toContainText('Voided');
  });

  await test.step('transfer', async () => {
    await visit(owner, server, 'shares');
    await openRow(owner, 'CS-33', owner.getByRole('row').filter({ hasText: 'CS-33' }));
    await press(owner, owner.getByRole('button', { name: 'Transfer' }));
    const form = dialog('Transfer');
    await choose(owner, form.getByLabel('New holder'), 'Tariq Haddad');
    await enter(owner, form.getByLabel('Shares', { exact: true }), '5000');
    await expect(effect(form, 'Isla MacLeod', 'shares')).toBeVisible();
    await expect(effect(form, 'Tariq Haddad', 'shares')).toBeVisible();
    await press(owner, form.getByRole('button', { name: 'Transfer 5,000 shares' }));
    await expect(dialog(/^Transferred as CS-/)).toBeVisible();
    const history = owner.getByRole('region', { name: 'History' });
    await expect(history.getByRole('button', { name: /Tariq Haddad, 5,000 Common Stock/ })).toBeVisible();
    await expect(history.getByRole('button', { name: /Isla MacLeod, 10,000 Common Stock/ })).toBeVisible();
    await keys.press('Escape');
  });

  await test.step('grant', async () => {
    await go(owner, 'g', 'Grants');
    await command(owner, 'Grant options');
    const form = dialog('Grant options');
    await choose(owner, form.getByLabel('Grantee'), 'Chiara Moretti');
    await choose(owner, form.getByLabel('Pool'), '2022');
    await enter(owner, form.getByLabel('Quantity'), '4,800');
    await enter(owner, form.getByLabel('Exercise price'), '1.12');
    await reach(owner, form.getByLabel('Vesting schedule'));
    await keys.press('ArrowDown');
    await expect(owner.getByRole('option').first()).toBeVisible();
    await keys.press('ArrowDown');
    await keys.press('Enter');
    await press(owner, form.getByRole('button', { name: 'Grant 4,800 options' }));
    await expect(form).toBeHidden();
  });

  await test.step('split', async () => {
    await go(owner, 'l', 'Classes');
    const classes = owner.getByRole('grid', { name: 'Classes' });
    await openRow(owner, 'Common', classes.getByRole('row').filter({ hasText: /^Common Stock/ }));
    await press(owner, owner.getByRole('button', { name: 'Split' }));
    const form = dialog('Split');
    await enter(owner, form.getByLabel('New shares'), '2');
    await expect(effect(form, 'Common Stock', 'authorized')).toContainText('30,000,000');
    const split = form.getByRole('button', { name: 'Split 2 for 1' });
    await expect(split).toBeDisabled();
    await enter(owner, form.getByLabel(/^Type/), 'Common Stock');
    await press(owner, split);
    await expect(form).toBeHidden();
    await expect(dialog('Common Stock')).toContainText('30,000,000');
    await keys.press('Escape');
  });

  await test.step('round', async () => {
    await go(owner, 'r', 'Rounds');
    await enter(owner, owner.getByLabel('New class'), 'Series B Preferred');
    await enter(owner, owner.getByLabel('Investor 1', { exact: true }), 'Lovelace Ventures');
    await enter(owner, owner.getByLabel('Pre-money valuation', { exact: true }), '40,000,000');
    await enter(owner, owner.getByLabel('Amount of investor 1', { exact: true }), '10000000');
    await press(owner, owner.getByRole('button', { name: 'Close round' }));
    const form = dialog('Close the round');
    await enter(owner, form.getByLabel(/^Type/), 'Series B Preferred');
    await press(owner, form.getByRole('button', { name: 'Close $10,000,000.00 round' }));
    await expect(form).toBeHidden();
    await expect(dialog('Series B Preferred')).toBeVisible();
    await keys.press('Escape');
  });

  await test.step('exit', async () => {
    await go(owner, 'e', 'Exit');
    await enter(owner, owner.getByLabel('Price 1', { exact: true }), '5000000');
    const payments = owner.getByRole('group', { name: 'Payments by class' });
    await expect(payments.getByRole('columnheader', { name: '$5,000,000' })).toBeVisible();
    await press(owner, owner.getByRole('button', { name: 'Remove price 4' }));
    await expect(payments.getByRole('columnheader')).toHaveCount(4);
  });
});
