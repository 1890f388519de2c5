import { expect, test, visit } from './equity';
import { settled } from './pages';

test('FirstPageLoadsItsRecordsOnce', async ({ owner, server }) => {
  const requests: string[] = [];
  owner.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await visit(owner, server, 'captable');
  await settled(owner);
  const company = `/v1/organization/${server.organization}`;
  for (const path of ['/v1/user/current', company, `${company}/captable`])
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
