import type { Page } from '@playwright/test';
import { expect, type Server, test, visit } from './equity';

const csv = (name: string, lines: string[]) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(lines.map((line) => `${line}\r\n`).join('')),
});

test('FindingsStandBesideRowsBeforeAnImport', async ({ owner, server }) => {
  await visit(owner, server, 'import?kind=shareholdings');
  const header = 'holder,security,shares,issueDate';
  const file = owner.getByLabel('File to import');
  await file.setInputFiles(
    csv('bad.csv', [header, 'Ada Lindqvist,Common Stock,many,2026-01-15', 'Nobody,Common Stock,5,2026-01-15']),
  );
  await expect(owner.getByText('2 errors.')).toBeVisible();
  const rows = owner.getByRole('grid', { name: 'Rows' });
  await expect(rows.getByRole('row', { name: /many.*shares: C2: "many" is not a number/ })).toBeVisible();
  await expect(rows.getByRole('row', { name: /Nobody.*holder: Use the name/ })).toBeVisible();
  await expect(owner.getByRole('button', { name: /^Import [0-9]/ })).toHaveCount(0);
  await file.setInputFiles(csv('good.csv', [header, 'Ada Lindqvist,Common Stock,500,2026-01-15']));
  const content = owner.getByRole('region', { name: 'Content: Shareholdings' });
  await expect(content.locator('div', { hasText: 'Recipient' })).toContainText(/Ada Lindqvist.*\(member\)/);
  await owner.getByRole('button', { name: 'Import 1 entry' }).click();
  await expect(owner.getByText('Imported.')).toBeVisible();
  await visit(owner, server, 'activity?origin=import');
  const entry = owner.getByRole('button', { name: /Issued 500 shares of Common Stock to Ada Lindqvist/ });
  await expect(entry).toHaveText(/imported/);
  await expect(owner.getByRole('button', { name: /Restricted Investor updates/ })).toHaveCount(0);
  await entry.click();
  await expect(owner.getByRole('dialog').getByText('Import', { exact: true })).toBeVisible();
});

test('RefusedImportWaitsAtHomeUntilItIsCorrected', async ({ owner, server }) => {
  const waiting = owner.getByRole('region', { name: 'Waiting for you' });
  const refused = waiting.getByRole('link', { name: /Correct the import of bad.csv 2 errors/ });
  const refuse = async () => {
    await visit(owner, server, 'import?kind=members');
    await owner
      .getByLabel('File to import')
      .setInputFiles(csv('bad.csv', ['fullName,email', 'Nora Quist,nowhere', 'Bad Address,nowhere']));
    await expect(owner.getByText('2 errors.')).toBeVisible();
    await owner.goto(server.url);
  };
  await refuse();
  await refused.click();
  await expect(owner).toHaveURL(/\/import\?kind=members/);
  await owner
    .getByLabel('File to import')
    .setInputFiles(csv('good.csv', ['fullName,email', 'Nora Quist,n@example.com']));
  await owner.getByRole('button', { name: 'Import 1 entry' }).click();
  await expect(owner.getByText('Imported.')).toBeVisible();
  await owner.goto(server.url);
  await expect(waiting.getByRole('link').first()).toBeVisible();
  await expect(refused).toHaveCount(0);
  await refuse();
  await expect(refused).toBeVisible();
  await waiting.getByRole('button', { name: 'Dismiss the import of bad.csv' }).click();
  await expect(refused).toHaveCount(0);
});

test('ValidRowsOfMembersAreImportedWithoutTheRefused', async ({ owner, server }) => {
  await visit(owner, server, 'import?kind=members');
  await owner
    .getByLabel('File to import')
    .setInputFiles(csv('members.csv', ['fullName,email', 'Nora Quist,nora@example.com', 'Bad Address,nowhere']));
  await expect(owner.getByText('1 error.')).toBeVisible();
  await owner.getByLabel('Skip the refused rows').check();
  await owner.getByRole('button', { name: 'Import 1 row' }).click();
  await expect(owner.getByText('Imported.')).toBeVisible();
  await visit(owner, server, 'stakeholders?q=Nora');
  await expect(owner.getByRole('row', { name: /Nora Quist/ })).toBeVisible();
});

/** Founds an empty company, and returns the package of the demo company. */
async function copyOf(owner: Page, server: Server): Promise<{ place: Server; buffer: Buffer }> {
  const url = `${server.url}/v1/organization`;
  const exported = await owner.request.get(`${url}/${server.organization}/captable?format=ocf`);
  const { id } = await (await owner.request.post(url, { data: { name: 'Copy', currency: 'USD' } })).json();
  return { place: { ...server, organization: id }, buffer: await exported.body() };
}

test('PackageIsImportedIntoANewCompany', async ({ owner, server }) => {
  const { place, buffer } = await copyOf(owner, server);
  await visit(owner, place, 'import');
  await owner
    .getByLabel('File to import')
    .setInputFiles({ name: 'company.ocf.zip', mimeType: 'application/zip', buffer });
  await owner.getByRole('button', { name: /^Import [0-9,]+ entries/ }).click();
  await expect(owner.getByText('Imported.')).toBeVisible({ timeout: 30_000 });
  await visit(owner, place, 'captable');
  await expect(owner.getByRole('button', { name: /^Outstanding: / })).toHaveText('9,286,277');
});

test('BrokenPackageIsRefusedWithItsFindings', async ({ owner, server }) => {
  const { place } = await copyOf(owner, server);
  const file = (name: string, content: object) => ({
    name,
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(content)),
  });
  const ocf = (type: string, items: object[]) => ({ ocf_version: '1.2.0', file_type: type, items });
  const issuer = {
    object_type: 'ISSUER',
    id: 'issuer',
    legal_name: 'Copy, Inc.',
    formation_date: '2024-01-01',
    country_of_formation: 'US',
    country_subdivision_of_formation: 'DE',
    tax_ids: [],
  };
  const issuance = {
    object_type: 'TX_STOCK_ISSUANCE',
    id: 'issuance',
    security_id: 'security',
    date: '2024-02-01',
    custom_id: 'CS-1',
    stakeholder_id: 'missing',
    stock_class_id: 'class',
    share_price: { amount: '1', currency: 'USD' },
    quantity: '100',
    security_law_exemptions: [],
    stock_legend_ids: [],
  };
  const files = (name: string) => [{ filepath: `./${name}`, md5: 'd41d8cd98f00b204e9800998ecf8427e' }];
  await visit(owner, place, 'import');
  await owner.getByLabel('File to import').setInputFiles([
    file('Manifest.ocf.json', {
      ocf_version: '1.2.0',
      file_type: 'OCF_MANIFEST_FILE',
      as_of: '2024-12-31',
      generated_at: '2024-12-31T00:00:00Z',
      issuer,
      stakeholders_files: [],
      stock_classes_files: [],
      stock_plans_files: [],
      stock_legend_templates_files: [],
      vesting_terms_files: [],
      valuations_files: [],
      transactions_files: files('Transactions.ocf.json'),
    }),
    file('Transactions.ocf.json', ocf('OCF_TRANSACTIONS_FILE', [issuance])),
  ]);
  const findings = owner.getByRole('region', { name: 'Findings' }).last();
  await expect(findings.getByText(/TX_STOCK_ISSUANCE · issuance · stakeholder_id/)).toBeVisible();
  await expect(owner.getByRole('button', { name: /^Import [0-9]/ })).toHaveCount(0);
});
