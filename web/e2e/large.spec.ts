import { largeCompany } from './company';
import { expect, test, visit } from './equity';

const most = 1_500; // elements of a page
const pages = ['captable', 'shares', 'stakeholders', 'rounds', 'exit', 'exit?by=holder', 'activity', 'capital'];

test('PagesOfManyHoldersHaveFewElements', async ({ owner, server }) => {
  test.slow();
  const organization = await largeCompany(owner.request, server, 2_500);
  let largest = 0;
  owner.on('response', async (response) => {
    if (response.url().includes('/scenario/exit')) largest = Math.max(largest, (await response.body()).length);
  });
  for (const place of pages) {
    await visit(owner, { ...server, organization }, place);
    await expect(owner.locator('.skeleton'), place).toHaveCount(0, { timeout: 30_000 });
    if (/rounds|exit/.test(place)) await expect(owner.getByText('Holder 02499').first()).toBeVisible();
    expect(await owner.locator('body *').count(), place).toBeLessThanOrEqual(most);
  }
  // The drawing of forty prices does not list thousands of holders at each of them.
  expect(largest).toBeLessThan(4_000_000);
});
