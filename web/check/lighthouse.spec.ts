import { chromium } from '@playwright/test';
import lighthouse, { desktopConfig } from 'lighthouse';
import { test } from '../e2e/equity';
import playwright from '../playwright.config';
import { report } from './report';

const port = 19222;

for (const form of ['desktop', 'mobile'] as const) {
  test(`Lighthouse, ${form}`, async ({ server }) => {
    const { executablePath, args = [] } = playwright.use?.launchOptions ?? {};
    const browser = await chromium.launch({ executablePath, args: [...args, `--remote-debugging-port=${port}`] });
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
    const result = await lighthouse(
      url,
      { port, output: 'json', logLevel: 'error', extraHeaders: { Cookie: cookie } },
      form === 'desktop' ? desktopConfig : undefined,
    );
    await browser.close();
    for (const [id, category] of Object.entries(result?.lhr.categories ?? {})) {
      const target = id === 'performance' && form === 'mobile' ? 90 : 100;
      report(`Lighthouse ${form}, ${id}`, Math.round((category.score ?? 0) * 100), target, '', true);
      if ((category.score ?? 0) < 1) {
        const failed = category.auditRefs.filter(
          (audit) => (result?.lhr.audits[audit.id]?.score ?? 1) < 1 && audit.weight > 0,
        );
        console.log(`  ${failed.map((audit) => audit.id).join(', ')}`);
      }
    }
  });
}
