import { expect, test, visit } from './equity';

test('DocumentIsUploadedMovedAndShared', async ({ owner, server }) => {
  await visit(owner, server, 'documents');
  await owner.getByRole('grid').waitFor();
  await owner
    .getByLabel('Files to upload')
    .setInputFiles({ name: 'Term sheet.txt', mimeType: 'text/plain', buffer: Buffer.from('terms') });
  const items = owner.getByRole('grid', { name: 'Items' });
  await items.getByRole('row', { name: /Term sheet/ }).click();
  const drawer = owner.getByRole('dialog', { name: 'Term sheet.txt' });
  await drawer.getByLabel('Name', { exact: true }).fill('Signed terms.txt');
  await drawer.getByRole('button', { name: 'Rename' }).click();
  await items.getByRole('row', { name: /Signed terms/ }).click();
  const renamed = owner.getByRole('dialog', { name: 'Signed terms.txt' });
  await renamed.getByLabel('E-mail of the reader').fill('auditor@example.com');
  await renamed.getByRole('button', { name: 'Share' }).click();
  await expect(renamed.getByText(/\/share\//)).toBeVisible();
  await renamed.getByRole('button', { name: 'Delete' }).click();
  await expect(items.getByRole('row', { name: /Signed terms/ })).toHaveCount(0);
  await owner.getByRole('button', { name: 'Trash' }).click();
  await owner
    .getByRole('grid')
    .getByRole('row', { name: /Signed terms/ })
    .click();
  await owner.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await expect(owner.getByText('Signed terms.txt restored')).toBeVisible();
});
