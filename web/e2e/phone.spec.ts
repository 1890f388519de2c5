import { expect, test, visit } from './equity';
import { settled } from './pages';

const company = 'Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaft Holdings Corp.';
const person = 'Hubert Blaine Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaft';

/** Returns the certificate numbers that have parts on two lines. Runs in the browser. */
function brokenCertificates(): string[] {
  const found: string[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode())
    for (const { 0: number, index } of (text.textContent ?? '').matchAll(/\b[A-Z]+-\d+\b/g)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + number.length);
      const lines = new Set([...range.getClientRects()].map((part) => Math.round(part.top)));
      if (lines.size > 1) found.push(number);
    }
  return found;
}

test.describe('phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('PagesWithLongNamesDoNotScrollSideways', async ({ owner, server }) => {
    const url = `${server.url}/v1/organization/${server.organization}`;
    await owner.request.patch(url, { data: { name: company } });
    await owner.request.post(`${url}/import?kind=members`, {
      data: `fullName\n${person}\n`,
      headers: { 'Content-Type': 'text/csv' },
    });
    for (const place of ['captable', 'shares', 'stakeholders', 'grants', 'rounds', 'exit']) {
      await visit(owner, server, place);
      await expect(owner.locator('.skeleton')).toHaveCount(0);
      const beyond = await owner
        .locator('#main')
        .evaluate((main) => Math.max(main.scrollWidth - main.clientWidth, document.body.scrollWidth - innerWidth));
      expect(beyond, place).toBeLessThanOrEqual(0);
    }
  });

  test('InputsDoNotZoomAndResultsOfAModelStayInView', async ({ owner, server }) => {
    await visit(owner, server, 'rounds');
    const pinned = owner.getByLabel('Results of the model');
    await expect(pinned).toContainText('$25,000,000');
    const sizes = await owner.locator('input').evaluateAll((all) => all.map((one) => getComputedStyle(one).fontSize));
    expect(new Set(sizes)).toEqual(new Set(['16px']));
    const value = owner.getByLabel('Pre-money valuation', { exact: true });
    await value.fill('30000000');
    await owner.getByLabel('Closing date').scrollIntoViewIfNeeded();
    await expect(pinned).toBeInViewport();
    await expect(pinned).toContainText('$35,000,000');
  });

  test('CertificateNumbersStayOnOneLine', async ({ owner, server }) => {
    const found = await owner.request.get(
      `${server.url}/v1/organization/${server.organization}/shareholding?limit=200`,
    );
    const { data } = await found.json();
    const replaced = data.find((one: { results?: string[] }) => one.results?.length);
    for (const place of ['activity', `shares?open=${replaced.id}`]) {
      await visit(owner, server, place);
      await expect(owner.getByText(/\b[A-Z]+-\d+\b/).first()).toBeVisible();
      await settled(owner);
      for (const width of [360, 375, 390, 405, 420]) {
        await owner.setViewportSize({ width, height: 844 });
        expect(await owner.evaluate(brokenCertificates), `${place} at ${width}`).toEqual([]);
      }
    }
  });

  test('HeaderHasOneActionAndAMenu', async ({ owner, server }) => {
    await visit(owner, server, 'classes');
    const header = owner.locator('#main header').first();
    await expect(header.locator('.btn')).toHaveCount(1);
    await header.getByRole('button', { name: 'More actions' }).click();
    await expect(owner.getByRole('menuitem')).not.toHaveCount(0);
  });
});

test('KeysAreShownAndTheFocusReturns', async ({ owner, server }) => {
  await visit(owner, server, 'captable');
  const row = owner.getByRole('grid', { name: 'Holders' }).locator('[data-index="2"]');
  await row.focus();
  await owner.keyboard.press('Control+k');
  await expect(owner.getByLabel('Search commands')).toBeFocused();
  await owner.keyboard.press('Escape');
  await expect(row).toBeFocused();
  await owner.keyboard.press('?');
  await expect(owner.getByRole('dialog', { name: 'Keys' })).toContainText('Send the form');
  await owner.keyboard.press('Escape');
  await expect(row).toBeFocused();
  await owner.keyboard.press('Enter');
  await expect(owner.getByRole('dialog')).toBeVisible();
  await owner.keyboard.press('Escape');
  await expect(row).toBeFocused();
});

test('PaletteReachesADay', async ({ owner, server }) => {
  await visit(owner, server, 'captable');
  await owner.getByRole('grid', { name: 'Holders' }).locator('[data-index="2"]').waitFor();
  await owner.keyboard.press('Control+k');
  await owner.getByLabel('Search commands').fill('31 dec 2023');
  await expect(owner.getByRole('option').first()).toContainText('Show 31 Dec 2023');
  await owner.keyboard.press('Enter');
  await expect(owner).toHaveURL(/asOf=2023-12-31/);
});

test('FormIsSentWithTheKeyboard', async ({ owner, server }) => {
  await visit(owner, server, 'classes?post=createLegend');
  const form = owner.getByRole('dialog');
  await form.getByLabel('Name', { exact: true }).fill('Lock-up');
  await form.getByRole('textbox').nth(1).fill('These shares are locked up.');
  await expect(form.locator('button[type=submit]')).toBeEnabled();
  await owner.keyboard.press('Control+Enter');
  await expect(form.getByLabel('Name', { exact: true })).toHaveCount(0);
});

test('ColoursWithAMeaningStayWithForcedColours', async ({ owner, server }) => {
  await owner.emulateMedia({ forcedColors: 'active' });
  await visit(owner, server, 'captable');
  const color = (selector: string) =>
    owner
      .locator(selector)
      .first()
      .evaluate((one) => getComputedStyle(one).forcedColorAdjust);
  await owner.locator('.tile').first().waitFor();
  expect(await color('.tile')).toBe('none');
  expect(await color('#main td [style*="background"]')).toBe('none');
  const chosen = owner.getByRole('button', { name: 'Fully diluted', exact: true });
  expect(await chosen.evaluate((one) => getComputedStyle(one).outlineStyle)).toBe('solid');
});
