import { expect, test, visit } from './equity';

test('SafeIsRecordedAndItsConversionShown', async ({ owner, server }) => {
  await visit(owner, server, 'convertibles');
  await owner.getByRole('button', { name: 'New SAFE' }).click();
  const form = owner.getByRole('dialog', { name: 'New SAFE' });
  await form.getByLabel('Investor').fill('Chiara');
  await owner.getByRole('option', { name: /Chiara Moretti/ }).click();
  await form.getByLabel('Amount', { exact: true }).fill('250,000');
  await form.getByLabel('Valuation cap').fill('10,000,000');
  await form.getByRole('button', { name: 'Record $250,000.00 SAFE' }).click();
  await expect(form).toBeHidden();

  const conversions = owner.getByRole('group', { name: 'Conversions' });
  const row = conversions.getByRole('row', { name: /Chiara Moretti/ });
  await expect(row.getByRole('cell', { name: 'Cap', exact: true })).toBeVisible();
  const low = await row.getByRole('cell').nth(6).textContent();
  await owner.getByLabel('Value before the new money', { exact: true }).fill('5,000,000');
  await expect(row.getByRole('cell', { name: 'Round price' }).or(row.getByText('Price of the round'))).toBeVisible();
  await expect(row.getByRole('cell').nth(6)).not.toHaveText(low ?? '');
  await expect(owner).toHaveURL(/at=5000000/);

  await conversions.getByRole('button', { name: 'Chiara Moretti' }).click();
  const drawer = owner.getByRole('dialog', { name: 'Chiara Moretti' });
  await expect(drawer.getByRole('region', { name: 'Conversion' })).toContainText('by price of the round');
});

test('NoteIsConvertedIntoShares', async ({ owner, server }) => {
  const url = `${server.url}/v1/organization/${server.organization}/holding`;
  const { data: holdings } = await (await owner.request.get(url)).json();
  const note = holdings.find((one: { kind: string }) => one.kind === 'convertibleNote');
  await visit(owner, server, `convertibles?open=${note.id}`);
  await owner.getByRole('dialog').getByRole('button', { name: 'Convert', exact: true }).click();
  const form = owner.getByRole('dialog', { name: 'Convert' });
  await form.getByLabel('Into the class').fill('Seed');
  await owner.getByRole('option', { name: /Seed/ }).first().click();
  await form.getByLabel('Price of the round').fill('2.5');
  await form.getByRole('button', { name: 'Convert into shares' }).click();
  await expect(owner.getByText(/Converted into [0-9,]+ shares/)).toBeVisible();
  await visit(owner, server, `convertibles?open=${note.id}`);
  await expect(owner.getByRole('region', { name: 'Conversion', exact: true })).toContainText('Discount');
});

test('RepaymentProposesWholeCentsAndSettlesTheNote', async ({ owner, server }) => {
  const url = `${server.url}/v1/organization/${server.organization}/holding`;
  const { data: holdings } = await (await owner.request.get(url)).json();
  const note = holdings.find((one: { kind: string }) => one.kind === 'convertibleNote');
  expect(note.balance).toMatch(/\.\d{3,}$/);
  await visit(owner, server, `convertibles?open=${note.id}`);
  await owner.getByRole('dialog').getByRole('button', { name: 'Repay', exact: true }).click();
  const form = owner.getByRole('dialog', { name: 'Repay' });
  await expect(form.getByLabel('Amount', { exact: true })).toHaveValue(/^[\d,]+(\.\d{1,2})?$/);
  await form.getByRole('button', { name: /^Repay \$[\d,]+\.\d\d$/ }).click();
  await expect(form).toBeHidden();
  expect(await (await owner.request.get(`${server.url}/v1/holding/${note.id}`)).json()).toMatchObject({
    status: 'repaid',
  });
});
