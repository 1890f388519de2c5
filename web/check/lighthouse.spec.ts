import { createServer } from 'node:net';
import { chromium } from '@playwright/test';
import lighthouse, { desktopConfig, type Flags } from 'lighthouse';
import { test } from '../e2e/equity';
import playwright from '../playwright.config';
import { report } from './report';

const runs = 5; // the performance of one run varies by several points; the other categories are measured once

/** Returns the cookies of the demo account. */
async function signIn(url: string): Promise<string> {
  const session = await fetch(`${url}/v1/user/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'demo@northwind.example', password: 'northwind demo' }),
  });
  return session.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}

/** Returns a port that nobody listens on. */
async function freePort(): Promise<number> {
  const listener = createServer();
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const address = listener.address();
  await new Promise((resolve) => listener.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('the listener has no port');
  return address.port;
}

for (const form of ['desktop', 'mobile'] as const)
  for (const page of ['cap table', 'sign-in'] as const)
    test(`Lighthouse, ${page}, ${form}`, async ({ server }) => {
      test.setTimeout(900_000);
      const url = page === 'sign-in' ? `${server.url}/login` : `${server.url}/company/${server.organization}/captable`;
      const extraHeaders = page === 'sign-in' ? undefined : { Cookie: await signIn(server.url) };
      const results: NonNullable<Awaited<ReturnType<typeof lighthouse>>>['lhr'][] = [];
      while (results.length < runs) {
        const { executablePath, args = [] } = playwright.use?.launchOptions ?? {};
        const port = await freePort();
        const browser = await chromium.launch({ executablePath, args: [...args, `--remote-debugging-port=${port}`] });
        const flags: Flags = { port, output: 'json', logLevel: 'error', extraHeaders };
        if (results.length > 0) flags.onlyCategories = ['performance'];
        const result = await lighthouse(url, flags, form === 'desktop' ? desktopConfig : undefined);
        await browser.close();
        if (result) results.push(result.lhr);
      }
      for (const id of Object.keys(results[0]?.categories ?? {})) {
        const measured = results.flatMap((result) => result.categories[id] ?? []);
        const scores = measured.map(({ score }) => Math.round((score ?? 0) * 100));
        const target = id === 'performance' && form === 'mobile' ? 90 : 100;
        console.log(`  ${id}: ${scores.join(', ')}`);
        report(`Lighthouse ${page}, ${form}, ${id}`, median(scores), target, '', true);
      }
    });

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
