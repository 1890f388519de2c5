import type { APIRequestContext } from '@playwright/test';
import { expect, type Server, test, visit } from '../e2e/equity';
import { settled } from '../e2e/pages';
import { report } from './report';

const holders = 10_000;

/** Creates a company with many holders through the import of spreadsheets. Returns its id. */
async function largeCompany(request: APIRequestContext, server: Server): Promise<string> {
  const made = await request.post(`${server.url}/v1/organization`, {
    data: { name: 'Large Company', currency: 'USD' },
  });
  const { id } = await made.json();
  const url = `${server.url}/v1/organization/${id}`;
  await request.post(`${url}/security`, {
    data: { name: 'Common', shareType: 'common', authorizedShares: '1000000000' },
  });
  const name = (index: number) => `Holder ${index.toString().padStart(5, '0')}`;
  const all = Array.from({ length: holders }, (_, index) => index);
  const rows = {
    members: ['fullName', ...all.map(name)],
    shareholdings: [
      'holder,security,shares,issueDate',
      ...all.map((index) => `${name(index)},Common,${100 + index},2024-01-15`),
    ],
  };
  for (const [kind, lines] of Object.entries(rows)) {
    const answer = await request.post(`${url}/import?kind=${kind}`, {
      headers: { 'Content-Type': 'text/csv' },
      data: `${lines.join('\r\n')}\r\n`,
      timeout: 120_000,
    });
    expect(answer.status(), await answer.text()).toBe(201);
  }
  return id;
}

/** Counts the elements of the page outside charts. Runs in the browser. */
function countNodes(): number {
  const all = document.body.querySelectorAll('*').length;
  const charts = document.body.querySelectorAll('[data-chart], [data-chart] *').length;
  return all - charts;
}

/** Scrolls the register by some rows in each frame. Returns the frames per second. Runs in the browser. */
async function scroll(): Promise<number> {
  const frames = 300;
  const rows = 5; // per frame
  const main = document.getElementById('main');
  if (!main) throw new Error('the page has no content');
  const next = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
  const start = await next();
  let last = start;
  for (let frame = 0; frame < frames; frame++) {
    main.scrollTop += rows * 36;
    last = await next();
  }
  return (frames * 1000) / (last - start);
}

test('interactions with 10,000 holders', async ({ owner, server }) => {
  const organization = await largeCompany(owner.request, server);
  await owner.addInitScript(() => {
    const durations: number[] = [];
    Object.assign(window, { durations });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) durations.push(entry.duration);
    }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit);
  });
  await visit(owner, { ...server, organization }, 'captable');
  await settled(owner);
  const grid = owner.getByRole('grid', { name: 'Holders' });
  await grid.getByRole('row').nth(2).waitFor();
  report('DOM nodes of the page beside charts', await owner.evaluate(countNodes), 600, '');
  const slowest = async (name: string, act: () => Promise<void>) => {
    await owner.evaluate(() => {
      (window as unknown as { durations: number[] }).durations.length = 0;
    });
    await act();
    await owner.waitForTimeout(500);
    const durations = await owner.evaluate(() => (window as unknown as { durations: number[] }).durations);
    report(`Interaction to next paint, ${name}`, Math.max(0, ...durations), 100, 'ms');
  };
  await slowest('sort', () => grid.getByRole('button', { name: 'Holder', exact: true }).click());
  await slowest('search', () => owner.getByRole('searchbox').pressSequentially('1234', { delay: 60 }));
  await slowest('clear', () => owner.getByRole('searchbox').press('Escape'));
  await slowest('open a row', () => grid.getByRole('row').nth(3).click());
  await owner.keyboard.press('Escape');
  report('Frames per second while 10,000 rows scroll', await owner.evaluate(scroll), 59, '', true);
});
