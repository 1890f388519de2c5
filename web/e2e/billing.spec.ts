import { pick } from './equity';
import { expect, subscribe, test } from './providers';

test('CompanySubscribesChangesAndCancels', async ({ owner, server }) => {
  await subscribe(owner, server);
  const plans = owner.getByRole('region', { name: 'Plans' });
  await expect(owner).toHaveURL(/settings\?tab=billing$/);
  await expect(owner.getByText('Growth, monthly', { exact: true })).toBeVisible();
  await expect(owner.getByText('$525.00', { exact: true })).toBeVisible(); // 42 stakeholders, $12.50 each

  await pick(owner, plans.getByLabel('Change the plan'), 'Growth, yearly');
  await plans.getByRole('button', { name: 'Change to Growth, yearly' }).click();
  await expect(plans.getByLabel('Change the plan')).not.toContainText('Growth, yearly');

  await plans.getByRole('button', { name: 'Cancel the subscription' }).click();
  await owner.getByRole('dialog').getByRole('button', { name: 'Cancel the subscription' }).click();
  await plans.getByRole('button', { name: 'Keep the subscription' }).click();
  await expect(plans.getByRole('button', { name: 'Cancel the subscription' })).toBeVisible();

  await owner.getByRole('button', { name: 'Payment methods and invoices' }).click();
  await owner.getByRole('link', { name: 'Return' }).click();
  await expect(owner).toHaveURL(`${server.url}/`);
});

test('OpenPageFollowsTheSubscription', async ({ owner, server }) => {
  await subscribe(owner, server);
  const plans = owner.getByRole('region', { name: 'Plans' });
  await expect(plans.getByRole('button', { name: 'Cancel the subscription' })).toBeVisible();
  const subscriptions = `${server.url}/v1/organization/${server.organization}/subscription`;
  const { id } = await (await owner.request.get(subscriptions)).json();
  expect((await owner.request.delete(`${subscriptions}/${id}`)).ok()).toBe(true);
  await expect(plans.getByRole('button', { name: 'Keep the subscription' })).toBeVisible();
});
