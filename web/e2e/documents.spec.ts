import { expect, test, visit } from './equity';
import { command } from './keyboard';

const text = (name: string, content: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });

test('DocumentIsUploadedMovedAndShared', async ({ owner, server }) => {
  await visit(owner, server, 'documents');
  await owner.getByRole('grid').waitFor();
  await owner
    .getByLabel('Files to upload')
    .setInputFiles([text('Term sheet.txt', 'terms'), text('Notes.txt', 'notes')]);
  await expect(owner.getByText('2 of 2 files stored')).toBeVisible();
  const items = owner.getByRole('grid', { name: 'Items' });
  await items.getByRole('row', { name: /Term sheet/ }).click();
  const drawer = owner.getByRole('dialog', { name: 'Term sheet.txt' });
  await expect(drawer.getByText('terms', { exact: true })).toBeVisible();
  await drawer.getByLabel('Name', { exact: true }).fill('Signed terms.txt');
  await drawer.getByRole('button', { name: 'Rename' }).click();

  await items.getByRole('row', { name: /Signed terms/ }).click();
  const renamed = owner.getByRole('dialog', { name: 'Signed terms.txt' });
  await renamed.getByRole('button', { name: 'Move', exact: true }).click();
  const folders = renamed.getByRole('region', { name: 'Move to a folder' });
  await folders.getByRole('button', { name: 'Legal' }).click();
  await folders.getByRole('button', { name: 'Move here' }).click();
  await expect(items.getByRole('row', { name: /Signed terms/ })).toHaveCount(0);

  await items.getByRole('row', { name: /Legal/ }).click();
  await expect(owner.getByRole('navigation', { name: 'Path' })).toContainText('Legal');
  await items.getByRole('row', { name: /Signed terms/ }).click();
  await renamed.getByLabel('E-mail of the reader').fill('auditor@example.com');
  await renamed.getByRole('button', { name: 'Share' }).click();
  await expect(renamed.getByText(/\/share\//)).toBeVisible();
  await expect(renamed.getByRole('button', { name: 'End the share with auditor@example.com' })).toBeVisible();

  await renamed.getByRole('button', { name: 'Delete' }).click();
  await expect(items.getByRole('row', { name: /Signed terms/ })).toHaveCount(0);
  await owner.getByRole('button', { name: 'Trash' }).click();
  await owner
    .getByRole('grid')
    .getByRole('row', { name: /Signed terms/ })
    .click();
  await owner
    .getByRole('dialog', { name: 'Signed terms.txt', exact: true })
    .getByRole('button', { name: 'Restore' })
    .click();
  await expect(owner.getByText('Signed terms.txt restored')).toBeVisible();
});

test('DocumentOfAFolderIsFoundInThePalette', async ({ owner, server }) => {
  await visit(owner, server, 'captable');
  await owner.getByRole('grid').first().waitFor();
  await command(owner, 'bylaws');
  await expect(owner).toHaveURL(/\/documents\?folder=[0-9a-f-]+&open=[0-9a-f-]+$/);
  await expect(owner.getByRole('dialog', { name: 'Bylaws.pdf' })).toBeVisible();
  await owner.keyboard.press('Escape');
  await expect(owner.getByRole('navigation', { name: 'Path' })).toContainText('Legal');
  await command(owner, 'board');
  await expect(owner.getByRole('navigation', { name: 'Path' })).toContainText('Board');
});

test('FilesAreDroppedIntoAFolder', async ({ owner, server }) => {
  await visit(owner, server, 'documents');
  await owner.getByRole('row', { name: /Board/ }).click();
  await expect(owner.getByRole('row', { name: /Minutes/ })).toBeVisible();
  const dropped = await owner.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['agenda'], 'Agenda.txt', { type: 'text/plain' }));
    return transfer;
  });
  await owner.getByRole('region', { name: 'Folder', exact: true }).dispatchEvent('drop', { dataTransfer: dropped });
  await expect(owner.getByRole('row', { name: /Agenda/ })).toBeVisible();
  await owner.reload();
  await expect(owner.getByRole('navigation', { name: 'Path' })).toContainText('Board');
  await expect(owner.getByRole('row', { name: /Agenda/ })).toBeVisible();
});

test('DocumentIsShownWithItsVersionsAndReaders', async ({ owner, server }) => {
  await visit(owner, server, 'documents');
  await owner.getByRole('row', { name: /Legal/ }).click();
  await owner.getByRole('row', { name: /Bylaws/ }).click();
  const drawer = owner.getByRole('dialog', { name: 'Bylaws.pdf' });
  await expect(drawer.locator('iframe[title="Bylaws.pdf"]')).toHaveAttribute('src', /^blob:/);
  await expect(drawer.getByText('Version 2')).toBeVisible();
  await drawer.getByLabel('File of the new version').setInputFiles({
    name: 'changed.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.4\n%%EOF\n'),
  });
  await expect(drawer.getByText('Version 3')).toBeVisible();
  await expect(drawer.getByRole('region', { name: 'Readers' })).toContainText('Ada Lindqvist');
});

test('FolderIsRestrictedToARole', async ({ owner, server }) => {
  await visit(owner, server, 'documents');
  await owner.getByRole('button', { name: 'Details of Board' }).click();
  const access = owner.getByRole('dialog', { name: 'Board' }).getByRole('region', { name: 'Access' });
  await access.getByRole('button', { name: 'Only these readers' }).click();
  await access.getByLabel('Legal').check();
  await access.getByRole('button', { name: 'Save the access' }).click();
  await expect(owner.getByText('Access to Board changed')).toBeVisible();
  await expect(owner.getByRole('row', { name: /Board/, includeHidden: true })).toContainText('restricted');
});
