import { expect, test, visit } from './equity';

const company = 'Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaft Holdings Corp.';
const person = 'Hubert Blaine Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaft';

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
