import fs from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, type Server, test, visit } from './equity';

/** Opens the cap table on a low screen, where the register has more rows than the document. */
async function holders(page: Page, server: Server) {
  await page.setViewportSize({ width: 1440, height: 400 });
  await visit(page, server, 'captable');
  const grid = page.getByRole('grid', { name: 'Holders' });
  await grid.locator('[data-index="5"]').waitFor();
  return grid;
}

const scrollTo = (page: Page, part: number) =>
  page.locator('#main').evaluate((main, part) => main.scrollTo(0, main.scrollHeight * part), part);

test('FocusedRowStaysWhileTheRegisterScrolls', async ({ owner, server }) => {
  const grid = await holders(owner, server);
  const row = grid.locator('[data-index="2"]');
  const name = await row.getByRole('gridcell').nth(1).textContent();
  await row.focus();
  await scrollTo(owner, 1);
  await expect(grid.locator('[data-index="30"]')).toBeAttached();
  await expect(grid.locator('[data-index="3"]')).toHaveCount(0);
  await expect(row).toBeFocused();
  await expect(row).toContainText(name ?? '-');
  await owner.keyboard.press('ArrowDown');
  await expect(grid.locator('[data-index="3"]')).toBeFocused();
  await expect(grid.locator('[data-index="3"]')).toBeInViewport();
});

test('RowsAreInOrderAfterScrolling', async ({ owner, server }) => {
  const grid = await holders(owner, server);
  for (const part of [0.4, 0.7, 1]) await scrollTo(owner, part);
  await expect(grid.locator('[data-index="30"]')).toBeAttached();
  const ordered = () =>
    grid.locator('[data-index]').evaluateAll((lines) => {
      const places = lines.map((line) => Number(line.getAttribute('aria-rowindex')));
      return places.every((place, at) => at === 0 || place > (places[at - 1] ?? 0));
    });
  await expect.poll(ordered).toBe(true);
});

test('ExplanationClosesWithItsRow', async ({ owner, server }) => {
  const grid = await holders(owner, server);
  const figure = grid.locator('[data-index="1"]').getByRole('button', { name: /, shares: / });
  await figure.click();
  await expect(owner.getByRole('dialog')).toBeVisible();
  await expect(figure).toHaveAttribute('aria-expanded', 'true');
  await scrollTo(owner, 1);
  await expect(grid.locator('[data-index="1"]')).toHaveCount(0);
  await expect(owner.getByRole('dialog')).toHaveCount(0);
  await expect(grid.locator('[aria-expanded=true]')).toHaveCount(0);
});

test('ExportContainsTheColumnsThatDoNotFit', async ({ owner, server }) => {
  await owner.setViewportSize({ width: 1024, height: 800 });
  await visit(owner, server, 'grants');
  const grid = owner.getByRole('grid', { name: 'Grants' });
  await expect(grid.getByRole('columnheader', { name: 'Grantee' })).toBeVisible();
  await expect(grid.getByRole('columnheader', { name: 'Exercise price' })).toHaveCount(0);
  await owner.getByRole('button', { name: 'Copy and export' }).click();
  const downloading = owner.waitForEvent('download');
  await owner.getByRole('menuitem', { name: 'Export as CSV' }).click();
  const [header = ''] = fs.readFileSync(await (await downloading).path(), 'utf8').split('\n');
  expect(header.split(',')).toContain('Exercise price');
});
