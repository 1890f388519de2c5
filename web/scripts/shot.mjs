// Takes a screenshot of a page of a running server as the demo user:
// node scripts/shot.mjs BASE PATH FILE [WIDTH] [dark]
import { chromium } from '@playwright/test';

const [base, path, file, width = '1440', theme = 'light'] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
const page = await browser.newPage({
  viewport: { width: Number(width), height: width === '390' ? 844 : 900 },
  colorScheme: theme,
});
page.on('console', (message) => message.type() === 'error' && console.log('console:', message.text()));
page.on('pageerror', (error) => console.log('error:', error.message));
await page.request.post(`${base}/v1/user/login`, {
  data: { email: 'demo@northwind.example', password: 'northwind demo' },
});
const { data } = await (await page.request.get(`${base}/v1/organization`)).json();
await page.goto(base + path.replace('ORG', data[0].id));
await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => undefined);
await page.waitForTimeout(400);
await page.screenshot({ path: file });
await browser.close();
