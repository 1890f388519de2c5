import { defineConfig } from '@playwright/test';
import tests from './playwright.config';

/** Measures the app: bundle, layout shift, latency with 10,000 holders, Lighthouse. The machine should be idle. */
export default defineConfig({
  ...tests,
  testDir: 'check',
  workers: 1,
  fullyParallel: false,
  timeout: 300_000,
  reporter: 'list',
});
