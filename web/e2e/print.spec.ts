import { execFileSync } from 'node:child_process';
import type { Page } from '@playwright/test';
import { largeCompany } from './company';
import { expect, test, visit } from './equity';

const papers = (['A4', 'Letter'] as const).flatMap((format) =>
  [false, true].map((landscape) => ({ format, landscape, name: `${format} ${landscape ? 'landscape' : 'portrait'}` })),
);

/** Prints the page, and returns the text of each sheet of paper. */
async function pagesOf(page: Page, paper: { format: string; landscape: boolean }): Promise<string[]> {
  const input = await page.pdf({ format: paper.format, landscape: paper.landscape });
  return execFileSync('pdftotext', ['-layout', '-', '-'], { input, maxBuffer: 1 << 28 })
    .toString()
    .split('\f')
    .filter((text) => text.trim());
}

test('RegisterIsPrintedWithAllRows', async ({ owner, server }) => {
  const table = await owner.request.get(`${server.url}/v1/organization/${server.organization}/captable`);
  const names: string[] = (await table.json()).holders.map((holder: { name: string }) => holder.name);
  await visit(owner, server, 'captable?asOf=2026-06-30');
  await expect(owner.getByRole('grid', { name: 'Holders' })).toHaveAttribute('aria-rowcount', `${names.length + 2}`);
  expect(names).toHaveLength(42);
  for (const paper of papers) {
    const pages = await pagesOf(owner, paper);
    const lines = pages.join('\n').split('\n');
    const printed = names.filter((name) => lines.some((line) => line.trim().startsWith(name) && /[0-9]/.test(line)));
    expect(printed, paper.name).toHaveLength(42);
    for (const [index, text] of pages.entries()) {
      expect(text).toContain('Northwind');
      expect(text).toContain('30 Jun 2026');
      expect(text).toContain(`Page ${index + 1} of ${pages.length}`);
    }
    for (const control of ['Export', 'Issue shares', 'Search', 'Back to today'])
      expect(pages.join('\n'), control).not.toContain(control);
  }
});

test('PrintHasTwoThousandRows', async ({ owner, server }) => {
  test.slow();
  const organization = await largeCompany(owner.request, server, 2_000);
  await visit(owner, { ...server, organization }, 'captable');
  await expect(owner.getByRole('grid', { name: 'Holders' })).toHaveAttribute('aria-rowcount', '2002');
  for (const paper of papers.filter(({ format, landscape }) => landscape === (format === 'Letter'))) {
    const text = (await pagesOf(owner, paper)).join('\n');
    // Each line has the holder and the whole number of its shares.
    const rows = [...text.matchAll(/^\s*Holder (\d{5})\s+([\d,]+)\s/gm)];
    const complete = rows.filter(([, holder, shares]) => shares === (100 + Number(holder)).toLocaleString('en'));
    expect(new Set(complete.map(([, holder]) => holder)).size, paper.name).toBe(2_000);
  }
  await expect(owner.getByText('Download the workbook')).toHaveCount(0);
});

test('LongerPrintNamesItsLimitAndOffersTheWorkbook', async ({ owner, server }) => {
  test.slow();
  const organization = await largeCompany(owner.request, server, 2_001);
  await visit(owner, { ...server, organization }, 'captable');
  await expect(owner.getByRole('grid', { name: 'Holders' })).toHaveAttribute('aria-rowcount', '2003');
  const text = (await pagesOf(owner, { format: 'A4', landscape: false })).join('\n');
  expect(text.match(/Holder \d{5}/g)).toHaveLength(2_000);
  expect(text).toContain('These are the first 2,000 of 2,001 holders. The workbook has all of them.');
  const downloading = owner.waitForEvent('download');
  await owner.getByRole('button', { name: 'Download the workbook' }).click();
  expect((await downloading).suggestedFilename()).toMatch(/\.xlsx$/);
});
