import { expect, mails, test, visit } from './equity';

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
    .click();
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
    .click();
  await expect(owner.getByRole('img', { name: /1,200 of 4,800 vested on 15 Jan 2025/ })).toBeVisible();
});

test('ExerciseIsRequestedAndApproved', async ({ owner, server, browser }) => {
  const url = `${server.url}/v1/organization/${server.organization}`;
  const { data: options } = await (await owner.request.get(`${url}/option?limit=200`)).json();
  const { data: members } = await (await owner.request.get(`${url}/member?limit=200`)).json();
  const grant = options.find(
    (option: { exercisable: string; exercisePrice?: string; end?: object }) =>
      option.exercisable !== '0' && option.exercisePrice && !option.end,
  );
  const member = members.find((one: { entity: string }) => one.entity === grant.entity);
  await owner.request.patch(`${url}/member/${member.id}`, {
    data: { email: 'grantee@example.com', roles: ['Guest'] },
  });
  const invited = await owner.request.post(`${url}/member/invite`, {
    data: { emails: ['grantee@example.com'], roles: ['Guest'] },
  });
  expect(invited.ok(), await invited.text()).toBe(true);
  const context = await browser.newContext();
  const page = await context.newPage();
  const account = {
    firstName: 'Gwen',
    lastName: 'Tee',
    email: 'grantee@example.com',
    password: 'a long enough passphrase',
    acceptedTerms: true,
  };
  await page.request.post(`${server.url}/v1/user`, { data: account });
  const inMail = (pattern: RegExp) =>
    pattern.exec(
      mails(server)
        .map((mail) => mail.replace(/=\r?\n/g, '').replace(/=3D/g, '='))
        .join('\n'),
    )?.[1];
  await expect.poll(() => inMail(/\/verify\?code=([A-Za-z0-9_-]+)/)).toBeTruthy();
  await page.request.post(`${server.url}/v1/user/email/verify`, {
    data: { code: inMail(/\/verify\?code=([A-Za-z0-9_-]+)/) },
  });
  await page.request.post(`${server.url}/v1/user/login`, {
    data: { email: account.email, password: account.password },
  });
  const accepted = await page.request.post(`${server.url}/v1/invitation/accept`, {
    data: { token: inMail(/\/invitation\?token=([A-Za-z0-9_.-]+)/) },
  });
  expect(accepted.ok(), await accepted.text()).toBe(true);

  await visit(page, server, `grants?open=${grant.id}`);
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Request exercise' })).toBeVisible();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Terminate' })).toHaveCount(0);
  await page.getByRole('dialog').getByRole('button', { name: 'Request exercise' }).click();
  const request = page.getByRole('dialog', { name: 'Request exercise' });
  await request.getByLabel('Quantity').fill('100');
  await request.getByRole('button', { name: 'Request the exercise of 100 options' }).click();
  await expect(request).toBeHidden();
  await context.close();

  await visit(owner, server, `grants?open=${grant.id}`);
  await owner.getByRole('dialog').getByRole('button', { name: 'Approve request' }).click();
  const approval = owner.getByRole('dialog', { name: 'Approve request' });
  await approval.getByRole('button', { name: 'Exercise 100 options' }).click();
  await expect(approval).toBeHidden();
  await expect(owner.getByText('Exercise recorded')).toBeVisible();
});

test('GrantIsPrintedAsAStatement', async ({ owner, server }) => {
  await visit(owner, server, 'grants');
  await owner.getByRole('grid').getByRole('row', { name: /ISO/ }).first().click();
  const statement = owner.getByRole('dialog');
  await owner.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', '');
  });
  await statement.getByRole('button', { name: 'Print or save as PDF' }).click();
  await expect(owner.locator('body[data-printed]')).toBeVisible();
  await owner.emulateMedia({ media: 'print' });
  await expect(statement.getByText(/Northwind.*, at the end of/)).toBeVisible();
  await expect(statement.getByRole('button', { name: 'Close' })).toBeHidden();
  await expect(owner.locator('#root')).toBeHidden();
});
