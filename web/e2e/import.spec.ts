import { expect, test, visit } from './equity';

test('FindingsStandBesideRowsBeforeAnImport', async ({ owner, server }) => {
  await visit(owner, server, 'import?kind=shareholdings');
  const bad =
    'holder,security,shares,issueDate\r\nAda Lindqvist,Common Stock,many,2026-01-15\r\nNobody,Common Stock,5,2026-01-15\r\n';
  await owner
    .getByLabel('File to import')
    .setInputFiles({ name: 'bad.csv', mimeType: 'text/csv', buffer: Buffer.from(bad) });
  const findings = owner.getByRole('region', { name: 'Findings' }).last();
  await expect(findings.getByText(/Row 2, shares/)).toBeVisible();
  await expect(owner.getByRole('button', { name: /^Import [0-9]/ })).toHaveCount(0);
  const good = 'holder,security,shares,issueDate\r\nAda Lindqvist,Common Stock,500,2026-01-15\r\n';
  await owner
    .getByLabel('File to import')
    .setInputFiles({ name: 'good.csv', mimeType: 'text/csv', buffer: Buffer.from(good) });
  await owner.getByRole('button', { name: 'Import 1 entry' }).click();
  await expect(owner.getByText('Imported.')).toBeVisible();
});

test('PackageIsImportedIntoANewCompany', async ({ owner, server }) => {
  const exported = await owner.request.get(`${server.url}/v1/organization/${server.organization}/captable?format=ocf`);
  const buffer = await exported.body();
  const { id } = await (
    await owner.request.post(`${server.url}/v1/organization`, { data: { name: 'Copy', currency: 'USD' } })
  ).json();
  await visit(owner, { ...server, organization: id }, 'import');
  await owner
    .getByLabel('File to import')
    .setInputFiles({ name: 'company.ocf.zip', mimeType: 'application/zip', buffer });
  await owner.getByRole('button', { name: /^Import [0-9,]+ entries/ }).click();
  await expect(owner.getByText('Imported.')).toBeVisible({ timeout: 30_000 });
  await visit(owner, { ...server, organization: id }, 'captable');
  await expect(owner.getByRole('button', { name: /^Outstanding: / })).toHaveText('9,286,277');
});
