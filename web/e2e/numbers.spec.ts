import type { Page } from '@playwright/test';
import { expect, type Server, test, visit } from './equity';

const shares = '123456789012345';

/** Creates a company with two holders: one has nearly all shares, and the other one a single share. */
async function hugeCompany(page: Page, server: Server): Promise<Server> {
  const post = async (path: string, data: unknown, type = 'application/json') => {
    const answer = await page.request.post(`${server.url}/v1/organization${path}`, {
      data,
      headers: { 'Content-Type': type },
    });
    expect(answer.ok(), await answer.text()).toBe(true);
    return answer.json();
  };
  const { id } = await post('', { name: 'Huge Company', currency: 'USD' });
  await post(`/${id}/security`, { name: 'Common', shareType: 'common', authorizedShares: '900000000000000' });
  const lines = [
    'holder,security,shares,issueDate',
    `Ada Huge,Common,${shares},2024-01-15`,
    'Bo Tiny,Common,1,2024-01-15',
  ];
  await post(`/${id}/import?kind=members`, 'fullName\nAda Huge\nBo Tiny\n', 'text/csv');
  await post(`/${id}/import?kind=shareholdings`, `${lines.join('\n')}\n`, 'text/csv');
  return { ...server, organization: id };
}

/** Returns the displayed numbers that an edge cuts without an ellipsis. Runs in the browser. */
function cutNumbers(): string[] {
  const found: string[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const parent = text.parentElement;
    if (!parent?.checkVisibility() || !/[0-9]/.test(text.textContent ?? '') || parent.closest('.sr-only, svg'))
      continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const { left, right } = range.getBoundingClientRect();
    let inline = true;
    for (let box: Element | null = parent; box; box = box.parentElement) {
      const style = getComputedStyle(box);
      const edges = box.getBoundingClientRect();
      const beyond = right > edges.right + 1 || left < edges.left - 1;
      if (style.overflowX !== 'visible' || box === document.body) {
        const ends = inline && style.textOverflow === 'ellipsis';
        if (beyond && !ends && style.overflowX !== 'auto')
          found.push(`${text.textContent} in ${box.tagName} ${box.className}`);
        break;
      }
      if (style.display !== 'inline') inline = false;
    }
  }
  return found;
}

for (const width of [1280, 390])
  test(`NumbersAreNeverCutWithoutAnEllipsis ${width}`, async ({ owner, server }) => {
    const huge = await hugeCompany(owner, server);
    await owner.setViewportSize({ width, height: 844 });
    for (const place of ['captable', 'shares', 'classes', 'exit']) {
      await visit(owner, huge, place);
      await expect(owner.getByText(/123,456,789,012,34|\$100,000,000/).first()).toBeVisible();
      await expect(owner.locator('.skeleton')).toHaveCount(0);
      expect(await owner.evaluate(cutNumbers), place).toEqual([]);
    }
  });

test('ShareOfOneInManyIsNotZero', async ({ owner, server }) => {
  await visit(owner, await hugeCompany(owner, server), 'captable');
  const tiny = owner.getByRole('grid', { name: 'Holders' }).getByRole('row').filter({ hasText: 'Bo Tiny' });
  await expect(tiny).toContainText('<0.0001%');
});

test('CutTextIsCompleteOnHoverAndFocus', async ({ owner, server }) => {
  const huge = await hugeCompany(owner, server);
  await owner.setViewportSize({ width: 1000, height: 800 });
  await visit(owner, huge, 'captable');
  const figure = owner.getByRole('button', { name: /^Outstanding: / });
  await figure.hover();
  const full = owner.locator('[data-full-text]');
  await expect(full).toHaveText('123,456,789,012,346');
  await owner.mouse.move(0, 0);
  await expect(full).toHaveCount(0);
  await figure.focus();
  await expect(full).toHaveText('123,456,789,012,346');
  await owner.keyboard.press('Escape');
  await expect(full).toHaveCount(0);
});

test('RefusalsGroupDigits', async ({ owner, server }) => {
  await visit(owner, server, 'captable?post=issueShares');
  const form = owner.getByRole('dialog', { name: 'Issue shares' });
  await form.getByLabel('Holder', { exact: true }).fill('Xin');
  await owner.getByRole('option', { name: /Xin Zhao/ }).click();
  await form.getByLabel('Class', { exact: true }).fill('Common');
  await owner.getByRole('option', { name: 'Common Stock', exact: true }).click();
  await form.getByLabel('Shares', { exact: true }).fill('90000000');
  await expect(form.getByText(/90,000,000 were requested/)).toBeVisible();
});
