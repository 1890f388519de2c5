import { pick, visit } from './equity';
import { expect, test } from './providers';

test('DocumentsAreStoredInTheOfficeSuite', async ({ owner, server, context }) => {
  await visit(owner, server, 'settings');
  await owner.getByRole('button', { name: 'Edit company' }).click();
  const form = owner.getByRole('dialog', { name: 'Edit company' });
  await pick(owner, form.getByLabel('Documents'), 'Office suite');
  await expect(form.getByRole('alert')).toHaveText(/cannot change while it holds documents/);
  await expect(form.getByRole('alert')).toBeInViewport();

  const made = await owner.request.post(`${server.url}/v1/organization`, {
    data: { name: 'Fresh Company', currency: 'USD' },
  });
  const fresh = { ...server, organization: (await made.json()).id };
  await visit(owner, fresh, 'settings');
  await owner.getByRole('button', { name: 'Edit company' }).click();
  await pick(owner, form.getByLabel('Documents'), 'Office suite');
  await form.getByRole('button', { name: 'Save the changes' }).click();
  await expect(owner.getByText('In the office suite')).toBeVisible();

  await visit(owner, fresh, 'documents');
  const plan = { name: 'Plan.txt', mimeType: 'text/plain', buffer: Buffer.from('the plan') };
  await owner.getByLabel('Files to upload').setInputFiles(plan);
  const row = owner.getByRole('grid', { name: 'Items' }).getByRole('row', { name: /Plan\.txt/ });
  await row.click();
  const drawer = owner.getByRole('dialog', { name: 'Plan.txt' });
  await expect(drawer.getByText('the plan', { exact: true })).toBeVisible();
  const opened = context.waitForEvent('page');
  await drawer.getByRole('button', { name: 'Open in the office suite' }).click();
  await expect((await opened).getByText('the plan')).toBeVisible();

  await drawer.getByRole('button', { name: 'Delete' }).click();
  await expect(row).toHaveCount(0);
});
