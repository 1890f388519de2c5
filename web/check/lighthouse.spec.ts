import { chromium } from '@playwright/test';
import lighthouse, { desktopConfig, type Flags } from 'lighthouse';
import { throttling } from 'lighthouse/core/config/constants.js';
import { pageFunctions } from 'lighthouse/core/lib/page-functions.js';
import { test } from '../e2e/equity';
import playwright from '../playwright.config';
import { report } from './report';

const port = 19222;
const runs = 5; // the performance of one run varies by several points; the other categories are measured once

/** The speeds of machines, as Lighthouse measures them, and the factor by which each is slowed down to the same phone. */
const calibration: [index: number, slowdown: number][] = [
  [150, 1],
  [800, 2],
  [1300, 3],
  [2000, 6],
];

/** Returns the slowdown of a machine, which its default sets to 4, for a machine with the index 1533. */
function slowdownOf(index: number): number {
  const after = calibration.findIndex(([limit]) => index < limit);
  const [low, high] = [calibration.at(after - 1), calibration.at(after)];
  if (!low || !high || after <= 0) return after < 0 ? 6 : 1;
  return low[1] + ((index - low[0]) / (high[0] - low[0])) * (high[1] - low[1]);
}

for (const form of ['desktop', 'mobile'] as const) {
  test(`Lighthouse, ${form}`, async ({ server }) => {
    test.setTimeout(900_000);
    const session = await fetch(`${server.url}/v1/user/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'demo@northwind.example', password: 'northwind demo' }),
    });
    const cookie = session.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    const url = `${server.url}/company/${server.organization}/captable`;
    const results: NonNullable<Awaited<ReturnType<typeof lighthouse>>>['lhr'][] = [];
    while (results.length < runs) {
      const { executablePath, args = [] } = playwright.use?.launchOptions ?? {};
      const browser = await chromium.launch({ executablePath, args: [...args, `--remote-debugging-port=${port}`] });
      const flags: Flags = { port, output: 'json', logLevel: 'error', extraHeaders: { Cookie: cookie } };
      if (results.length > 0) flags.onlyCategories = ['performance'];
      const page = await browser.newPage();
      const cpuSlowdownMultiplier = slowdownOf(await page.evaluate(pageFunctions.computeBenchmarkIndex));
      await page.close();
      const result =
        form === 'desktop'
          ? await lighthouse(url, flags, desktopConfig)
          : await lighthouse(url, { ...flags, throttling: { ...throttling.mobileSlow4G, cpuSlowdownMultiplier } });
      await browser.close();
      if (form === 'mobile') console.log(`  slowdown of the processor: ${cpuSlowdownMultiplier.toFixed(1)}`);
      if (result) results.push(result.lhr);
    }
    for (const id of Object.keys(results[0]?.categories ?? {})) {
      const measured = results.flatMap((result) => result.categories[id] ?? []);
      const scores = measured.map(({ score }) => Math.round((score ?? 0) * 100));
      const target = id === 'performance' && form === 'mobile' ? 90 : 100;
      console.log(`  ${id}: ${scores.join(', ')}`);
      report(`Lighthouse ${form}, ${id}`, median(scores), target, '', true);
    }
  });
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
