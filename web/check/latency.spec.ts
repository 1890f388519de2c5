import { largeCompany } from '../e2e/company';
import { expect, test, visit } from '../e2e/equity';
import { settled } from '../e2e/pages';
import { report } from './report';

const holders = 10_000;

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
  const organization = await largeCompany(owner.request, server, holders);
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

/** Returns the milliseconds from the next input or click of the page until a text is shown. Runs in the browser. */
function timed(text: string): Promise<number> {
  return new Promise((resolve) => {
    let start = 0;
    const begin = (event: Event) => {
      start ||= event.timeStamp;
    };
    for (const kind of ['click', 'input']) addEventListener(kind, begin, { capture: true, once: true });
    const look = () => {
      const found = document.querySelector('[aria-label="Payments by class"]')?.textContent?.includes(text);
      if (found && start) resolve(performance.now() - start);
      else requestAnimationFrame(look);
    };
    look();
  });
}

test('exit of 6,000 holders', async ({ owner, server }) => {
  const organization = await largeCompany(owner.request, server, 6_000);
  await visit(owner, { ...server, organization }, 'captable');
  await settled(owner);
  const shown = owner.evaluate(timed, '$10,000,000');
  await owner.getByRole('link', { name: 'Exit', exact: true }).click();
  report('First display of an exit of 6,000 holders', await shown, 500, 'ms');
  await expect(owner.getByText('Holder 05999').first()).toBeVisible({ timeout: 30_000 });
  await settled(owner);
  report('DOM nodes of an exit of 6,000 holders', await owner.locator('body *').count(), 1_500, '');
  const changed = owner.evaluate(timed, '$5,000,000');
  await owner.getByLabel('Price 1', { exact: true }).fill('5000000');
  report('Changed price of an exit of 6,000 holders', await changed, 100, 'ms');
});
