import { appoint, expect, test } from './equity';

test('AccountIsDisabledAndEnabled', async ({ owner, server }) => {
  const registration = {
    firstName: 'Nora',
    lastName: 'Quist',
    email: 'nora@example.com',
    password: 'a long enough passphrase',
    acceptedTerms: true,
  };
  const registered = await owner.request.post(`${server.url}/v1/user`, { data: registration });
  expect(registered.ok(), await registered.text()).toBe(true);
  await appoint(owner, server);
  await owner.goto(`${server.url}/admin?tab=people`);
  await owner.getByLabel('Name or e-mail').fill('nora');
  const row = owner.getByRole('row', { name: /Nora Quist/ });
  await row.getByRole('button', { name: 'Disable' }).click();
  await owner.getByRole('dialog', { name: 'Disable' }).getByRole('button', { name: 'Disable' }).click();
  await row.getByRole('button', { name: 'Enable' }).click();
  await expect(row.getByRole('button', { name: 'Disable' })).toBeVisible();
});

test('DomainIsBlocked', async ({ owner, server }) => {
  await appoint(owner, server);
  await owner.goto(`${server.url}/admin?tab=blocked`);
  await owner.getByLabel('Address or domain').fill('trash.example');
  await owner.getByRole('button', { name: 'Block', exact: true }).click();
  await expect(owner.getByRole('row', { name: /trash\.example/ })).toBeVisible();
  await owner.getByRole('button', { name: 'Unblock' }).click();
  await expect(owner.getByRole('row', { name: /trash\.example/ })).toHaveCount(0);
});
