import AxeBuilder from '@axe-core/playwright';
import { expect, test } from '../e2e/equity';
import { places, screens, settled } from '../e2e/pages';

for (const screen of screens) {
  test(`NoPageHasAccessibilityFindings ${screen.name}`, async ({ owner, server }) => {
    test.setTimeout(240_000);
    await owner.setViewportSize(screen);
    await owner.emulateMedia({ colorScheme: screen.theme, reducedMotion: 'reduce' });
    for (const place of places.filter((one) => !one.signedOut)) {
      await owner.goto(server.url + place.path.replace('ORG', server.organization));
      await settled(owner);
      const { violations } = await new AxeBuilder({ page: owner }).analyze();
      const found = violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(' ')).join(', ')}`);
      expect.soft(found, `${place.name} ${screen.name}`).toEqual([]);
    }
  });

  test(`NoPageWithoutSessionHasAccessibilityFindings ${screen.name}`, async ({ page, server }) => {
    await page.setViewportSize(screen);
    await page.emulateMedia({ colorScheme: screen.theme, reducedMotion: 'reduce' });
    for (const place of places.filter((one) => one.signedOut)) {
      await page.goto(server.url + place.path);
      await settled(page);
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect
        .soft(
          violations.map((one) => one.id),
          `${place.name} ${screen.name}`,
        )
        .toEqual([]);
    }
  });
}
