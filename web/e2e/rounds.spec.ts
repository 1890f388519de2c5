import { expect, test, visit } from './equity';

const safe = (entity: string, amount: string, cap: string) => ({
  kind: 'safe',
  entity,
  principal: { amount, currency: 'USD' },
  valuationCap: cap,
  capBasis: 'post',
  issueDate: '2026-01-15',
});

test('RoundWithThreeSafesIsModelledAndClosed', async ({ owner, server }) => {
  const url = `${server.url}/v1/organization/${server.organization}`;
  const members = (await (await owner.request.get(`${url}/member`)).json()).data;
  for (const [index, cap] of ['8000000', '10000000'].entries()) {
    const data = { organization: server.organization, ...safe(members[index + 3].entity, '250000', cap) };
    const made = await owner.request.post(`${server.url}/v1/holding`, { data });
    expect(made.status(), await made.text()).toBe(201);
  }
  await visit(owner, server, 'convertibles?post=createSafe');
  const recording = owner.getByRole('dialog', { name: 'New SAFE' });
  await recording.getByLabel('Investor').fill('Chiara');
  await owner.getByRole('option', { name: /Chiara Moretti/ }).click();
  await recording.getByLabel('Amount', { exact: true }).fill('250,000');
  await recording.getByLabel('Valuation cap').fill('12,000,000');
  await recording.getByRole('button', { name: 'Record $250,000.00 SAFE' }).click();
  await expect(recording).toBeHidden();

  await visit(owner, server, 'rounds');
  await expect(owner.getByRole('button', { name: 'Close round' })).toBeDisabled(); // its names are examples
  await owner.getByLabel('New class').fill('Series B Preferred');
  await owner.getByLabel('Investor 1', { exact: true }).fill('Lovelace Ventures');
  await owner.getByLabel('Pre-money valuation', { exact: true }).fill('40,000,000');
  await owner.getByLabel('Amount of investor 1', { exact: true }).fill('10000000');
  await owner.getByRole('textbox', { name: 'Pool after the round' }).fill('12');
  await owner.getByRole('combobox', { name: 'Growing pool' }).click();
  await owner.getByRole('option', { name: /2022/ }).click();
  await expect(owner.getByText('$50,000,000.00', { exact: true })).toBeVisible();
  await expect(owner.getByRole('region', { name: 'Conversions' }).getByRole('row')).toHaveCount(5); // heading, note, SAFEs

  await owner.getByRole('button', { name: 'Close round' }).click();
  const form = owner.getByRole('dialog', { name: 'Close the round' });
  await expect(form.getByRole('region', { name: 'Preview' }).getByRole('listitem').first()).toBeVisible();
  const close = form.getByRole('button', { name: 'Close $10,000,000.00 round' });
  await expect(close).toBeDisabled();
  await form.getByLabel(/^Type/).fill('Series B Preferred');
  await close.click();
  await expect(form).toBeHidden();

  const round = owner.getByRole('dialog', { name: 'Series B Preferred' });
  await expect(round.getByRole('button', { name: 'Delete' })).toHaveCount(0); // shares belong to it
  await round.getByRole('button', { name: 'Edit' }).click();
  const edit = owner.getByRole('dialog', { name: 'Edit', exact: true });
  await edit.getByLabel(/^Kind/).fill('series');
  await edit.getByRole('button', { name: 'Save the changes' }).click();
  await expect(owner.getByRole('dialog', { name: 'Series B Preferred changed' })).toBeVisible();
});

test('ModelIsInTheAddress', async ({ owner, server }) => {
  await visit(owner, server, 'rounds');
  await owner.getByLabel('Pre-money valuation', { exact: true }).fill('30000000');
  await expect(owner).toHaveURL(/value=30000000/);
  await owner.reload();
  await expect(owner.getByLabel('Pre-money valuation', { exact: true })).toHaveValue('30,000,000');
});

test('ExitsAreCompared', async ({ owner, server }) => {
  await visit(owner, server, 'exit');
  const byClass = owner.getByRole('group', { name: 'Payments by class' });
  await expect(byClass.getByRole('columnheader', { name: '$10,000,000' })).toBeVisible();
  await owner.getByLabel('Price 1', { exact: true }).fill('5000000');
  await expect(byClass.getByRole('columnheader', { name: '$5,000,000' })).toBeVisible();
  await owner.getByRole('button', { name: 'Remove price 4' }).click();
  await expect(byClass.getByRole('columnheader')).toHaveCount(4);
  await owner.getByLabel('Price 1', { exact: true }).fill('');
  await expect(byClass.getByRole('columnheader')).toHaveCount(3);
  await expect(owner.getByLabel('Price 2', { exact: true })).toHaveValue('25,000,000');

  await owner.getByRole('group', { name: 'Payments by', exact: true }).getByRole('button', { name: 'Holder' }).click();
  const slider = owner.getByRole('slider', { name: 'Sale price', exact: true });
  await slider.focus();
  await owner.keyboard.press('End');
  await expect(owner).toHaveURL(/by=holder.*at=55000000/);
  await expect(slider).toHaveAttribute('aria-valuetext', /^\$55,000,000\.00: Ada Lindqvist /);
  const detail = owner.getByRole('group', { name: 'Payments at the selected price' });
  await expect(detail.getByRole('row', { name: /^Total \$55,000,000\.00 100\.0000%$/ })).toBeVisible();
  await owner.getByRole('button', { name: 'Chiara Moretti' }).click();
  await expect(detail.getByRole('row')).toHaveCount(3); // heading, holder, total
});

test('PaymentsByClassAreShownBeforeThoseOfHolders', async ({ owner, server }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const asked: string[][] = []; // the prices of the requests with all holders
  const cancelled: string[][] = [];
  await owner.route('**/v1/**/exit', async (route) => {
    const { holders, values } = route.request().postDataJSON();
    if (!holders) {
      asked.push(values);
      await held;
    }
    await route.continue().catch(() => undefined); // a cancelled request has no answer
  });
  owner.on('requestfailed', (request) => {
    const { holders, values } = request.postDataJSON() ?? {};
    if (/exit$/.test(request.url()) && !holders) cancelled.push(values);
  });
  await visit(owner, server, 'exit?values=10000000');
  const byClass = owner.getByRole('group', { name: 'Payments by class' });
  await expect(byClass.getByRole('columnheader', { name: '$10,000,000' })).toBeVisible();
  await expect.poll(() => asked).toEqual([['10000000']]);
  const price = owner.getByLabel('Price 1', { exact: true });
  for (const value of ['5000000', '6000000', '7000000']) await price.fill(value);
  await expect(byClass.getByRole('columnheader', { name: '$7,000,000' })).toBeVisible();
  await expect.poll(() => asked.at(-1)).toEqual(['7000000']);
  expect(cancelled).toEqual(asked.slice(0, -1));
  const payments = owner.getByRole('grid', { name: 'Payments by holder' });
  await expect(payments).toHaveCount(0);
  release();
  await expect(payments.getByRole('columnheader', { name: '$7,000,000' })).toBeVisible();
});

test('PaymentsOfManyHoldersAreDrawnInPart', async ({ owner, server }) => {
  await owner.route('**/v1/**/exit**', async (route) => {
    const answer = await route.fetch();
    const outcome = await answer.json();
    for (const value of outcome.values ?? []) {
      const [first] = value.holders;
      if (!first) continue; // the drawing asks for no holders
      value.holders = Array.from({ length: 300 }, (_, index) => ({
        ...first,
        entity: `${first.entity.slice(0, 28)}${index.toString(16).padStart(8, '0')}`,
        name: `Holder ${index}`,
      }));
    }
    await route.fulfill({ response: answer, json: outcome });
  });
  await visit(owner, server, 'exit');
  const payments = owner.getByRole('grid', { name: 'Payments by holder' });
  await expect(payments).toHaveAttribute('aria-rowcount', '301', { timeout: 30_000 });
  expect(await payments.locator('*').count()).toBeLessThanOrEqual(600);
  await owner.getByLabel('Search').last().fill('Holder 299');
  await expect(payments.getByRole('button', { name: 'Holder 299', exact: true })).toBeVisible();
  await owner.unrouteAll({ behavior: 'ignoreErrors' });
});

test('NamesOfAmountsAreCompleteOnANarrowScreen', async ({ owner, server }) => {
  await owner.setViewportSize({ width: 390, height: 844 });
  await visit(owner, server, 'rounds?tab=closed');
  const names = owner.getByRole('grid', { name: 'Rounds' }).getByText('Pre-money', { exact: true });
  await names.first().waitFor();
  for (const name of await names.all())
    expect(await name.evaluate((text) => text.scrollWidth - text.clientWidth)).toBeLessThanOrEqual(0);
});

test.describe('figures of another locale', () => {
  test.use({ locale: 'de-DE' });
  test('FiguresHaveTheSeparatorsOfTheReader', async ({ owner, server }) => {
    await visit(owner, server, 'captable');
    await expect(owner.getByRole('button', { name: /^Outstanding: / })).toHaveText('9.286.277');
    await visit(owner, server, 'exit');
    const price = owner.getByLabel('Price 1', { exact: true });
    await expect(price).toHaveValue('10.000.000');
    await price.fill('12.500.000,5');
    await price.blur();
    await expect(price).toHaveValue('12.500.000,5');
    await expect(owner).toHaveURL(/values=12500000\.5/);
    await price.fill('12500000.5');
    await price.blur();
    await expect(owner.getByText('Write the number like 12.345,5.')).toBeVisible();
  });
});
