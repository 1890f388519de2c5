import { spawn } from 'node:child_process';
import net from 'node:net';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { test as base, expect, pick, type Server, visit } from './equity';

const program = process.env.PROVIDERS_BINARY ?? path.resolve('../bin/providers');

/** Returns a free port below those that the system gives to connections of other programs. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const server = net.createServer();
    const free = await new Promise((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!free) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

/** Starts the cloud drive, the office suite and the billing provider of the tests, and returns the settings of a server that uses them. */
async function start(): Promise<{ settings: Record<string, string>; end: () => void }> {
  const child = spawn(program, [`http://127.0.0.1:${await freePort()}`], { stdio: ['pipe', 'pipe', 'inherit'] });
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
    const { settings, end } = await start();
    await use(settings);
    end();
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
