import { defineConfig } from '@playwright/test';
import tests from './playwright.config';

/** Takes the screenshots of docs/images/app. */
export default defineConfig({ ...tests, testDir: 'images', workers: 1, timeout: 3_600_000 });
