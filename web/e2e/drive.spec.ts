import { visit } from './equity';
import { connectDrive, expect, test } from './providers';

test('DriveIsConnectedAndCopied', async ({ owner, server }) => {
  await connectDrive(owner, server);
  await expect(owner).toHaveURL(`${server.url}/company/${server.organization}/settings?tab=drive`);
  await expect(owner.getByText('fay@drive.example')).toBeVisible();
  await expect(owner.getByRole('row', { name: /Succeeded/ })).toContainText('2');

  await visit(owner, server, 'documents');
  const items = owner.getByRole('grid', { name: 'Items' });
  await items.getByRole('row', { name: /Drive/ }).click();
  await items.getByRole('row', { name: /Board/ }).click();
  await items.getByRole('row', { name: /Budget\.txt/ }).click();
  await expect(owner.getByRole('dialog', { name: 'Budget.txt' }).getByText('the budget')).toBeVisible();

  await visit(owner, server, 'settings?tab=drive');
  const folders = owner.getByRole('group', { name: 'Copied folders' });
  await folders.getByRole('button', { name: 'Switch off' }).click();
  await expect(folders.getByText('Off', { exact: true })).toBeVisible();
  await owner.getByRole('button', { name: 'Disconnect' }).click();
  await owner.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
  await expect(owner.getByRole('button', { name: 'Connect Google Drive' })).toBeVisible();
});

test('RefusedDriveIsExplained', async ({ owner, server }) => {
  await visit(owner, server, 'settings?tab=drive');
  await owner.route('**/login?*', (route) =>
    route.fulfill({ status: 302, headers: { location: `${server.url}/drive?error=access_denied` } }),
  );
  await owner.getByRole('button', { name: 'Connect Google Drive' }).click();
  await expect(owner.getByText('The drive did not permit the access.')).toBeVisible();
  await owner.goto(`${server.url}/drive?code=wrong&state=wrong`);
  await expect(owner.getByRole('alert')).toBeVisible();
  await owner.getByRole('link', { name: 'Back to the settings' }).click();
  await expect(owner.getByRole('button', { name: 'Connect Google Drive' })).toBeVisible();
});
