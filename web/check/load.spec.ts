import type { Page } from '@playwright/test';
import { expect, test, visit } from '../e2e/equity';
import { settled } from '../e2e/pages';
import { report } from './report';

const firstLoad = 180; // kB of compressed JavaScript

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

test('layout shift and requests', async ({ owner, server }) => {
  const outside: string[] = [];
  owner.on('request', (request) => {
    if (!request.url().startsWith(server.url) && !/^(data|blob):/.test(request.url())) outside.push(request.url());
  });
  await owner.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  for (const place of ['captable', 'shares', 'grants', 'activity']) {
    await visit(owner, server, place);
    await settled(owner);
    const shifts = await owner.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
    report(
      `Layout shift, ${place}`,
      shifts.reduce((sum, shift) => sum + shift, 0),
      0.001,
      '',
    );
  }
  expect(outside, 'requests to other servers').toEqual([]);
});
