import { defineConfig } from '@playwright/test';

/** Flags that keep Debian's Chromium silent and free of outside requests. */
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export default defineConfig({
  testDir: 'e2e',
  fullyParallel: true,
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: true,
  reporter: 'line',
  globalSetup: './e2e/prepare.ts',
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    launchOptions: { executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: quiet },
    trace: 'off', // a third of the processor time; --trace retain-on-failure records one
    screenshot: 'only-on-failure',
  },
});
