import type { Page } from '@playwright/test';
import { visit } from '../e2e/equity';
import { exists, laterPlaces, makeReady, open, places, recordIds, screens, settled, show } from '../e2e/pages';
import { expect, test } from '../e2e/providers';
import { report } from './report';

const firstLoad = 180; // kB of compressed JavaScript
const mostShift = 0.001;

/** Counts the transferred bytes of scripts. */
async function countScripts(page: Page): Promise<() => number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  const scripts = new Set<string>();
  let bytes = 0;
  session.on('Network.responseReceived', ({ requestId, type }) => type === 'Script' && scripts.add(requestId));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  return () => bytes / 1000;
}

test('first load of the cap table', async ({ owner, server }) => {
  const scripts = await countScripts(owner);
  await visit(owner, server, 'captable');
  await settled(owner);
  report('JavaScript of the first load, cap table', scripts(), firstLoad, 'kB');
});

test('first load of the sign-in page', async ({ page, server }) => {
  const scripts = await countScripts(page);
  await page.goto(`${server.url}/login`);
  await settled(page);
  report('JavaScript of the first load, sign-in', scripts(), firstLoad, 'kB');
});

for (const screen of screens.filter((one) => one.theme === 'light')) {
  test(`layout shift and requests, ${screen.width} px`, async ({ owner, server }) => {
    test.setTimeout(600_000);
    await makeReady(owner, server);
    const ids = await recordIds(owner, server);
    const outside: string[] = [];
    owner.on('request', (request) => {
      if (/^(https?|wss?):/.test(request.url()) && !request.url().startsWith(server.url)) outside.push(request.url());
    });
    await owner.addInitScript(() => {
      const shifts: number[] = [];
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[])
          if (!entry.hadRecentInput) shifts.push(entry.value);
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await show(owner, screen);
    const moved: string[] = [];
    let largest = 0;
    const signedIn = [...places, ...laterPlaces].filter((place) => !place.signedOut && exists(place, ids));
    for (const place of signedIn) {
      await open(owner, server, place, ids);
      const shifts = await owner.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
      const sum = shifts.reduce((total, shift) => total + shift, 0);
      largest = Math.max(largest, sum);
      if (sum > mostShift) moved.push(`${place.name} ${sum.toFixed(4)}`);
    }
    expect.soft(moved, 'pages with layout shift').toEqual([]);
    report(`Layout shift, largest of ${signedIn.length} pages, ${screen.width} px`, largest, mostShift, '');
    expect(outside, 'requests to other servers').toEqual([]);
  });
}
