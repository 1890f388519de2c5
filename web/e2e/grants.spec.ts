import { expect, invite, join, register, test, visit } from './equity';
import { enter, press } from './keyboard';

test('OptionsAreGrantedAndVest', async ({ owner, server }) => {
  await visit(owner, server, 'grants');
  await owner.getByRole('button', { name: 'Grant options' }).click();
  const form = owner.getByRole('dialog', { name: 'Grant options' });
  await form.getByLabel('Grantee').fill('Chiara');
  await owner.getByRole('option', { name: /Chiara Moretti/ }).click();
  await form.getByLabel('Pool').fill('2022');
  await owner.getByRole('option', { name: /2022 Equity Incentive Plan/ }).click();
  await form.getByLabel('Quantity').fill('4,800');
  await form.getByLabel('Grant date').fill('2024-01-15');
  await form.getByLabel('Exercise price').fill('1.12');
  await form.getByLabel('Vesting schedule').click();
  await owner.getByRole('option').first().click();
  await expect(form.getByRole('region', { name: 'Preview' }).getByRole('listitem').first()).toBeVisible();
  await form.getByRole('button', { name: 'Grant 4,800 options' }).click();
  await expect(form).toBeHidden();
  await visit(owner, server, 'grants?q=Chiara');
  await owner
    .getByRole('grid')
    .getByRole('row', { name: /Chiara.*4,800/ })
    .click({ position: { x: 80, y: 10 } }); // the name; figures explain themselves
  await expect(owner.getByRole('img', { name: /Vesting from/ })).toBeVisible();
  await expect(owner.getByRole('listitem').filter({ hasText: '4,800 options granted' })).toBeVisible();

  // Leaving forfeits the unvested options, and the preview states the last day of exercise of each grant.
  await visit(owner, server, 'stakeholders?q=Chiara');
  await owner
    .getByRole('grid')
    .getByRole('row', { name: /Chiara/ })
    .click();
  await owner.getByRole('button', { name: 'Remove', exact: true }).click();
  const leaving = owner.getByRole('dialog', { name: 'Remove', exact: true });
  await leaving.getByLabel('Reason').click();
  await owner.getByRole('option', { name: 'Resignation', exact: true }).click();
  const ended = leaving.getByRole('table', { name: 'Terminated grants' });
  await expect(ended.getByRole('row', { name: /, 15 Jan 2024 [\d,]+ [\d,]+ (No limit|\d\d \w+ \d{4})/ })).toBeVisible();

  // One installment after the cliff of twelve months: 1,200 of 4,800 options.
  await visit(owner, server, 'grants?q=Chiara&asOf=2025-01-15');
  await owner
    .getByRole('grid')
    .getByRole('row', { name: /Chiara.*4,800/ })
    .click({ position: { x: 80, y: 10 } });
  await expect(owner.getByRole('img', { name: /1,200 of 4,800 vested on 15 Jan 2025/ })).toBeVisible();
});

test('ExerciseIsRequestedAndApprovedWithTheKeyboard', async ({ owner, server, browser }) => {
  const url = `${server.url}/v1/organization/${server.organization}`;
  const { data: options } = await (await owner.request.get(`${url}/option?limit=200`)).json();
  const { data: members } = await (await owner.request.get(`${url}/member?limit=200`)).json();
  const grant = options.find(
    (option: { exercisable: string; exercisePrice?: string; end?: object }) =>
      option.exercisable !== '0' && option.exercisePrice && !option.end,
  );
  const member = members.find((one: { entity: string }) => one.entity === grant.entity);
  const email = 'grantee@example.com';
  await owner.request.patch(`${url}/member/${member.id}`, { data: { email, roles: ['Guest'] } });
  const token = await invite(owner, server, email, 'Guest');
  const context = await browser.newContext();
  const page = await context.newPage();
  await register(page, server, email);
  await join(page, server, token);

  await visit(page, server, `grants?open=${grant.id}`);
  const asked = page.getByRole('dialog').getByRole('button', { name: 'Request exercise' });
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Terminate' })).toHaveCount(0);
  await press(page, asked);
  const request = page.getByRole('dialog', { name: 'Request exercise' });
  await enter(page, request.getByLabel('Quantity'), '100');
  await expect(request.getByRole('region', { name: 'Cost' })).toContainText(
    /^Cost100 × \$[\d.]+ = \$[\d.,]+Due in cash\$[\d.,]+$/,
  );
  await press(page, request.getByRole('button', { name: 'Request the exercise of 100 options' }));
  await expect(request).toBeHidden();
  await context.close();

  // The request waits for the owner at home.
  await owner.goto(server.url);
  const waiting = owner.getByRole('region', { name: 'Waiting for you' }).getByRole('link');
  await expect(waiting).toHaveCount(2); // with a request of the demo company
  await press(owner, waiting.filter({ hasText: 'Answer exercise request: 100 ' }));
  await press(owner, owner.getByRole('dialog').getByRole('button', { name: 'Approve request' }));
  const approval = owner.getByRole('dialog', { name: 'Approve request' });
  await press(owner, approval.getByRole('button', { name: 'Exercise 100 options' }));
  await expect(approval).toBeHidden();
  await expect(owner.getByText('Exercise recorded')).toBeVisible();
  await owner.goto(server.url);
  await expect(waiting).toHaveCount(1);
});

test('GrantIsPrintedAsAStatement', async ({ owner, server }) => {
  await visit(owner, server, 'grants');
  await owner
    .getByRole('grid')
    .getByRole('row', { name: /ISO/ })
    .first()
    .click({ position: { x: 80, y: 10 } });
  const statement = owner.getByRole('dialog');
  await owner.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', '');
  });
  await statement.getByRole('button', { name: 'Print or save as PDF' }).click();
  await expect(owner.locator('body[data-printed]')).toBeVisible();
  await owner.emulateMedia({ media: 'print' });
  await expect(statement.getByLabel('Company', { exact: true })).toHaveText(
    'Northwind Instruments, Inc.21 Harbour StreetPortland, ME 04101United States',
  );
  const holder = await statement.getByRole('heading').first().textContent();
  await expect(statement.getByLabel('Holder', { exact: true })).toContainText(holder ?? '');
  await expect(statement.getByText(/^Period from \d\d \w{3} \d{4} to \d\d \w{3} \d{4}$/)).toBeVisible();
  await expect(statement.getByRole('button', { name: 'Close' })).toBeHidden();
  await expect(owner.locator('#root')).toBeHidden();
});
