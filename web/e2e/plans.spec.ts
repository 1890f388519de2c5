import { expect, test, visit } from './equity';

test('ScheduleIsBuiltWithItsCurve', async ({ owner, server }) => {
  await visit(owner, server, 'plans');
  await owner.getByRole('link', { name: 'Vesting schedules' }).click();
  await owner.getByRole('button', { name: 'New schedule' }).click();
  const form = owner.getByRole('dialog', { name: 'New schedule' });
  await expect(form.getByRole('img', { name: /24,000 of 48,000 vested/ })).toBeVisible();
  await form.getByLabel('Duration', { exact: true }).fill('24');
  await expect(form.getByRole('img', { name: /48,000 of 48,000 vested/ })).toBeVisible();
  await form.getByLabel('Name').fill('Two years');
  await form.getByRole('button', { name: 'Create Two years' }).click();
  await expect(form).toBeHidden();
  await expect(
    owner.getByRole('row', { name: /Two years.*24 months, every month, cliff after 12 months/ }),
  ).toBeVisible();
});

test('NewScheduleIsChosenInTheFormThatNeedsIt', async ({ owner, server }) => {
  await visit(owner, server, 'grants?post=grantOptions');
  const grant = owner.getByRole('dialog', { name: 'Grant options' });
  await grant.getByLabel('Quantity').fill('1,234');
  await grant.getByRole('button', { name: 'New schedule' }).click();
  const schedule = owner.getByRole('dialog', { name: 'New schedule' });
  await schedule.getByLabel('Name').fill('Two years');
  await owner.keyboard.press('Escape');
  await owner.getByRole('button', { name: 'Continue the form' }).click();
  await schedule.getByRole('button', { name: 'Create Two years' }).click();
  await expect(schedule).toBeHidden();
  await expect(grant.getByLabel('Vesting schedule')).toHaveValue('Two years');
  await expect(grant.getByLabel('Quantity')).toHaveValue('1,234');
});

test('PlanIsCreatedAndDeleted', async ({ owner, server }) => {
  await visit(owner, server, 'plans');
  await owner.getByRole('button', { name: 'New plan' }).click();
  const form = owner.getByRole('dialog', { name: 'New plan' });
  await form.getByLabel('Name').first().fill('2026 Plan');
  await form.getByLabel('Name').nth(1).fill('Employees');
  await form.getByLabel('Security').fill('Common');
  await owner
    .getByRole('option', { name: /Common/ })
    .first()
    .click();
  await form.getByLabel('Total shares').fill('50,000');
  await form.getByRole('button', { name: 'Create 2026 Plan' }).click();
  await expect(form).toBeHidden();
  await owner
    .getByRole('grid')
    .getByRole('row', { name: /2026 Plan.*50,000/ })
    .click();
  const drawer = owner.getByRole('dialog', { name: '2026 Plan' });
  await expect(drawer.getByRole('region', { name: 'Pools' })).toContainText('50,000 reserved');
  await drawer.getByRole('button', { name: 'New pool' }).click();
  const pool = owner.getByRole('dialog', { name: 'New pool' });
  await pool.getByLabel('Name').fill('employees');
  await pool.getByLabel('Class').fill('Common');
  await owner
    .getByRole('option', { name: /Common/ })
    .first()
    .click();
  await pool.getByLabel('Reserved shares').fill('7,000');
  await expect(pool.locator('[aria-invalid]')).toHaveAccessibleName('Name');
  await pool.getByLabel('Name').fill('Advisors');
  await pool.getByRole('button', { name: 'Reserve 7,000 shares for Advisors' }).click();
  await expect(pool).toBeHidden();
  await expect(drawer.getByRole('region', { name: 'Pools' })).toContainText('7,000 reserved');
  await drawer.getByRole('contentinfo').getByRole('button', { name: 'Delete' }).click();
  await owner.getByRole('dialog', { name: 'Delete' }).getByRole('button', { name: 'Delete 2026 Plan' }).click();
  await expect(owner.getByText('Plan deleted')).toBeVisible();
});

test('CapitalIsRecordedAndAmended', async ({ owner, server }) => {
  await visit(owner, server, 'capital');
  await owner.getByRole('button', { name: 'Record capital change' }).click();
  const form = owner.getByRole('dialog', { name: 'Record capital change' });
  await form.getByLabel('Holder').fill('Chiara');
  await owner.getByRole('option', { name: /Chiara Moretti/ }).click();
  await form.getByLabel('Amount').fill('1,000');
  await form.getByRole('button', { name: 'Record $1,000.00 contribution' }).click();
  await expect(form).toBeHidden();
  await owner
    .getByRole('grid')
    .getByRole('row', { name: /Chiara Moretti.*\$1,000\.00/ })
    .click();
  await owner.getByRole('dialog').getByRole('button', { name: 'Edit' }).click();
  const edit = owner.getByRole('dialog', { name: 'Edit' });
  await edit.getByLabel('Amount').fill('2,000');
  await edit.getByRole('button', { name: 'Save the changes' }).click();
  await expect(edit).toBeHidden();
  await expect(owner.getByRole('dialog', { name: /Contribution/ })).toContainText('$2,000.00');

  await visit(owner, server, 'capital');
  const statement = owner.getByRole('region', { name: 'Statement' });
  await statement.getByLabel('First day of the statement').fill('2020-07-01');
  await expect(statement.getByText(/^Period from 01 Jul 2020 to /)).toBeVisible();
  await expect(statement.getByLabel('Company', { exact: true })).toContainText('21 Harbour Street');
  await statement.getByRole('combobox', { name: 'Holder of the statement' }).fill('Chiara');
  await owner.getByRole('option', { name: /Chiara Moretti/ }).click();
  await expect(statement.getByLabel('Holder', { exact: true })).toContainText('Chiara Moretti');
  await expect(statement.getByRole('columnheader', { name: 'At the start' })).toBeVisible();
});
