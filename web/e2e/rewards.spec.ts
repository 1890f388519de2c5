import { expect, test } from './equity';

test('CreditOfARewardCardIsTransferred', async ({ owner, server }) => {
  await owner.goto(`${server.url}/settings?tab=rewards`);
  const referral = owner.getByRole('form', { name: 'Referral of a company' });
  await referral.getByLabel('Name of the company').fill('Harbor Robotics');
  await referral.getByLabel('Website of the company').fill('https://harbor.example');
  await referral.getByLabel('E-mail of a contact').fill('cfo@harbor.example');
  await referral.getByRole('button', { name: 'Refer the company' }).click();
  await owner.getByRole('button', { name: 'Reveal' }).click();

  const transfer = owner.getByRole('form', { name: 'Transfer of credit' });
  await transfer.getByRole('combobox', { name: 'To' }).click();
  await owner.getByRole('option', { name: /Northwind/ }).click();
  await transfer.getByLabel('Amount').fill('1000.00');
  await transfer.getByRole('button', { name: 'Transfer' }).click();
  await expect(transfer.getByRole('alert')).toContainText('The available credit is');
  await transfer.getByLabel('Amount').fill('2.50');
  await transfer.getByRole('button', { name: 'Transfer' }).click();
  await expect(owner.getByRole('row', { name: /Transfer.*−2\.5/ })).toBeVisible();
});
