import { expect, type Locator, type Page } from '@playwright/test';

const mostStops = 250;

/** Presses Tab until the element has the focus. */
export async function reach(page: Page, target: Locator): Promise<void> {
  for (let stop = 0; stop < mostStops; stop++) {
    if (await target.evaluate((one) => one === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${target} is not reached with Tab`);
}

/** Reaches a button or a link and presses Enter. */
export async function press(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeEnabled();
  await reach(page, target);
  await page.keyboard.press('Enter');
}

/** Reaches a field and replaces its text. */
export async function enter(page: Page, field: Locator, text: string): Promise<void> {
  await reach(page, field);
  await page.keyboard.press('Control+a');
  await page.keyboard.type(text);
}

/** Reaches a searched list and chooses its first record with the text. */
export async function choose(page: Page, field: Locator, text: string): Promise<void> {
  await reach(page, field);
  await page.keyboard.type(text);
  const first = page.getByRole('option').first();
  await expect(first).toContainText(text);
  await expect(async () => {
    await page.keyboard.press('ArrowDown');
    await expect(first).toHaveAttribute('data-highlighted', '', { timeout: 500 });
  }).toPass();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('option')).toHaveCount(0);
}

/** Runs a command of the palette. */
export async function command(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await expect(palette.getByLabel('Search commands')).toBeFocused();
  await page.keyboard.type(name);
  await expect(palette.getByRole('option').first()).toContainText(name, { ignoreCase: true });
  await page.keyboard.press('Enter');
  await palette.waitFor({ state: 'hidden' });
}

const arrival = 5_000; // milliseconds

/** Presses "g" and a key again until the page has arrived: a slow machine can be later than the app permits between both. */
export async function sequence(page: Page, key: string, arrived: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('g');
    await page.keyboard.press(key);
    await arrived();
  }).toPass();
}

/** Goes to another page with "g" and its key. */
export async function go(page: Page, key: string, title: string): Promise<void> {
  await sequence(page, key, () => page.getByRole('heading', { level: 1, name: title }).waitFor({ timeout: arrival }));
}

/** Searches the register of the page and opens a row. */
export async function openRow(page: Page, search: string, row: Locator): Promise<void> {
  await page.getByRole('searchbox').first().waitFor();
  await page.keyboard.press('/');
  await page.keyboard.press('Control+a');
  await page.keyboard.type(search);
  await press(page, row);
}
