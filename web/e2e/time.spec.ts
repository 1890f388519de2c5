import { expect, test, visit } from './equity';

test('PastDayShowsTheCompanyAsItWas', async ({ owner, server }) => {
  await visit(owner, server, 'captable?asOf=2019-12-31');
  await expect(owner.getByText('The end of 31 Dec 2019.')).toBeVisible();
  await expect(owner.getByRole('button', { name: /^Outstanding: / })).not.toHaveText('9,286,277');
  await expect(owner.getByRole('button', { name: 'Issue shares' })).toHaveCount(0);
  await owner.getByRole('button', { name: 'Back to today' }).first().click();
  await expect(owner.getByRole('button', { name: /^Outstanding: / })).toHaveText('9,286,277');
});

test('ScrubberMovesThroughTime', async ({ owner, server }) => {
  await visit(owner, server, 'captable');
  await owner.getByRole('button', { name: 'Ownership over time' }).click();
  const slider = owner.getByRole('slider', { name: 'Day' });
  await slider.focus();
  await owner.keyboard.press('Home');
  await expect(owner).toHaveURL(/asOf=2019-03-04/);
  await expect(slider).toHaveAttribute('aria-valuetext', /04 Mar 2019/);
});

test('FigureExplainsItself', async ({ owner, server }) => {
  await visit(owner, server, 'captable');
  await owner.getByRole('button', { name: /^Fully diluted: / }).click();
  const why = owner.getByRole('dialog', { name: 'Fully diluted' });
  await expect(why.getByRole('button', { name: /11,569,277/ })).toBeVisible();
  await why
    .getByRole('button', { name: /Common Stock/ })
    .first()
    .click();
  await expect(why.getByText(/8,010,478|5,727,478/).first()).toBeVisible();
});

test('ChangeOfSomebodyElseAppearsWithoutReload', async ({ owner, server }) => {
  await visit(owner, server, 'captable');
  await expect(owner.getByRole('button', { name: /^Outstanding: / })).toHaveText('9,286,277');
  const url = `${server.url}/v1/organization/${server.organization}`;
  const { data: classes } = await (await owner.request.get(`${url}/security`)).json();
  const { data: members } = await (await owner.request.get(`${url}/member`)).json();
  const data = { entity: members[0].entity, security: classes[0].id, shares: '1000', issueDate: '2026-01-15' };
  const other = await owner.request.post(`${url}/shareholding`, { data });
  expect(other.status(), await other.text()).toBe(201);
  await expect(owner.getByRole('button', { name: /^Outstanding: / })).toHaveText('9,287,277');
});

test('ProofIsRecomputedInTheBrowser', async ({ owner, server }) => {
  await visit(owner, server, 'activity');
  await owner.getByRole('button', { name: 'Verify in this browser' }).click();
  await expect(owner.getByText(/entries verified/)).toBeVisible();
});

test('ChangedProofIsRefused', async ({ owner, server }) => {
  await owner.route('**/journal/proof', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({
      response: answer,
      body: (await answer.text()).replace('Northwind Instruments, Inc.', 'Northwind Instrument, Inc..'),
    });
  });
  await visit(owner, server, 'activity');
  await owner.getByRole('button', { name: 'Verify in this browser' }).click();
  await expect(owner.getByText('The journal is not intact.')).toBeVisible();
});
