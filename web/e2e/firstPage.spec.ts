import { expect, test, visit } from './equity';
import { settled } from './pages';

test('FirstPageLoadsItsRecordsOnce', async ({ owner, server }) => {
  const requests: string[] = [];
  owner.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await visit(owner, server, 'captable');
  await settled(owner);
  const company = `/v1/organization/${server.organization}`;
  for (const path of ['/v1/user/sign-in', company, `${company}/captable`])
    expect(
      requests.filter((one) => one === path),
      path,
    ).toHaveLength(1);
});

test('FrameIsShownUntilTheCodeIsLoaded', async ({ owner, server }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await owner.route('**/*.js', async (route) => {
    await held;
    await route.continue();
  });
  await owner.goto(`${server.url}/company/${server.organization}/captable`, { waitUntil: 'commit' });
  await expect(owner.locator('#frame')).toBeVisible();
  release();
  await expect(owner.getByRole('heading', { name: 'Cap table' })).toBeVisible();
  await expect(owner.locator('#frame')).toBeHidden();
});

test('FirstVisitAndWrongPasswordAreNoErrorsOfThePage', async ({ page, server }) => {
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await page.goto(server.url);
  const password = page.getByLabel('Password');
  await expect(password).toBeVisible();
  expect(errors).toEqual([]);
  await page.getByLabel('E-mail').fill('demo@northwind.example');
  await password.fill('wrong password');
  const before = await password.boundingBox();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toHaveText(/The e-mail address or the password is wrong/);
  expect(await password.boundingBox()).toEqual(before);
});

test('OutageLeavesThePageAndItsDocument', async ({ owner, server }) => {
  await visit(owner, server, 'captable');
  await settled(owner);
  await owner.evaluate(() => document.body.setAttribute('data-kept', ''));
  let down = true;
  await owner.context().route(/\/(v1|assets)\//, (route) => (down ? route.abort() : route.continue()));
  await owner.getByRole('link', { name: 'Documents' }).click();
  await expect(owner.getByRole('link', { name: 'Shares' })).toBeVisible();
  await expect(owner.getByRole('main').getByRole('button', { name: 'Try again' }).first()).toBeVisible();
  down = false;
  await expect(owner.getByText('The connection is back.')).toBeVisible();
  await expect(owner.getByRole('row', { name: /Legal/ })).toBeVisible();
  await expect(owner.locator('body[data-kept]')).toHaveCount(1);

  await owner.goto(`${server.url}/company/${server.organization}/nothing`);
  await expect(owner.getByRole('heading', { name: 'There is no such page' })).toBeVisible();
  await expect(owner.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await expect(owner.locator('main .btn-primary')).toHaveText('Home');
});
