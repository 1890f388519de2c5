import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './equity';
import { everyRequest, failures, open, screens, show } from './pages';

for (const place of failures) {
  test(`FailurePageStatesAdviceAndRetries ${place.name}`, async ({ owner, server }) => {
    test.slow();
    for (const screen of screens) {
      await show(owner, screen);
      await open(owner, server, place, {});
      expect((await new AxeBuilder({ page: owner }).analyze()).violations, screen.name).toEqual([]);
    }
    const page = owner.getByRole('alert').filter({ has: owner.getByRole('heading') });
    await expect(page.getByRole('link', { name: 'Home' })).toBeVisible();
    const retry = page.getByRole('button', { name: 'Try again' });
    const sent = owner.waitForRequest(/\/v1\//);
    await retry.click();
    await sent;
    if (place.fails === undefined) return;
    await owner.unroute(everyRequest); // the page of a lost connection tries by itself
    await expect(owner.getByRole('heading', { name: 'Cap table' })).toBeVisible();
  });
}
