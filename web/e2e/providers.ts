import { spawn } from 'node:child_process';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { test as base, expect, pick, type Server, visit } from './equity';
import { openFront } from './front';

const program = process.env.PROVIDERS_BINARY ?? path.resolve('../bin/providers');

/** Starts the cloud drive, the office suite and the billing provider of the tests, and returns the settings of a server that uses them. */
async function start(address: string): Promise<{ settings: Record<string, string>; end: () => void }> {
  const child = spawn(program, [address], { stdio: ['pipe', 'pipe', 'inherit'] });
  const line = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk;
      if (text.endsWith('\n')) resolve(text);
    });
    child.once('exit', (code) => reject(new Error(`the providers ended with ${code}`)));
  });
  return { settings: JSON.parse(line), end: () => child.stdin.end() };
}

/** A test whose server has a cloud drive, an office suite and billing. */
export const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: the form of fixtures
  settings: async ({}, use) => {
    const front = await openFront();
    const { settings, end } = await start(front.url);
    await use(settings);
    end();
    front.close();
  },
});

/** Connects the drive, and copies its folder Board. */
export async function connectDrive(page: Page, server: Server): Promise<void> {
  await visit(page, server, 'settings?tab=drive');
  await page.getByRole('button', { name: 'Connect Google Drive' }).click();
  await page.getByRole('button', { name: 'Board' }).click();
  await page.getByRole('button', { name: 'Copy Board' }).click();
  await page.getByText('Succeeded').waitFor();
}

/** Subscribes the company to the monthly plan Growth. */
export async function subscribe(page: Page, server: Server): Promise<void> {
  await visit(page, server, 'settings?tab=billing');
  const plans = page.getByRole('region', { name: 'Plans' });
  await pick(page, plans.getByLabel('Choose a plan'), 'Growth, monthly');
  await expect(plans.getByText('Due at each renewal')).toBeVisible();
  await plans.getByRole('button', { name: 'Subscribe to Growth, monthly' }).click();
  await page.getByRole('button', { name: 'Pay' }).click();
  await expect(page.getByText('Active', { exact: true })).toBeVisible();
}

export { expect };
