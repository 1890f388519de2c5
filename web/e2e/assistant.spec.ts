import { expect, test, visit } from './equity';

test('AssistantRecordsAChangeOnlyAfterItsConfirmation', async ({ owner, server }) => {
  const members = async () =>
    (
      await (await owner.request.get(`${server.url}/v1/organization/${server.organization}/member?limit=200`)).json()
    ).data.map((member: { fullName: string }) => member.fullName);
  await visit(owner, server, 'stakeholders');
  await owner.getByRole('heading', { level: 1 }).waitFor();
  await owner.keyboard.press('Control+j');
  await owner.getByLabel('Message').fill('add member Zoe Quill <zoe@example.com>');
  await owner.keyboard.press('Enter');
  const step = owner.getByRole('region', { name: 'Add a member' });
  await expect(step.getByText('Pending', { exact: true })).toBeVisible();
  expect(await members()).not.toContain('Zoe Quill');
  await step.getByRole('button', { name: 'Confirm' }).click();
  await expect(step.getByText('Recorded', { exact: true })).toBeVisible();
  expect(await members()).toContain('Zoe Quill');
  await expect(step.getByRole('link', { name: /^Journal entry [0-9]+$/ })).toBeVisible();
  await expect(step.getByRole('button', { name: 'Remove' })).toBeVisible();
  await step.getByRole('link', { name: 'Show' }).click();
  const drawer = owner.getByRole('dialog', { name: 'Zoe Quill' });
  await drawer.getByRole('button', { name: 'Close' }).click();
  const changes = await owner.request.get(
    `${server.url}/v1/organization/${server.organization}/journal?origin=assistant`,
  );
  expect((await changes.json()).data.map((entry: { type: string }) => entry.type)).toEqual(['memberAdded']);
  await owner.getByRole('link', { name: 'Grants' }).focus();
  await owner.keyboard.press('Control+j');
  await expect(owner.getByLabel('Message')).toHaveCount(0);
});

test('AssistantRejectsAChange', async ({ owner, server }) => {
  await visit(owner, server, 'captable');
  await owner.getByRole('grid').waitFor();
  await owner.getByRole('button', { name: 'Assistant' }).click();
  await owner.getByLabel('Message').fill('add member Zoe Quill <zoe@example.com>');
  await owner.getByRole('button', { name: 'Send' }).click();
  const step = owner.getByRole('region', { name: 'Add a member' });
  await step.getByRole('button', { name: 'Reject' }).click();
  await expect(step.getByText('Rejected', { exact: true })).toBeVisible();
  await owner.getByRole('button', { name: 'Close the assistant' }).click();
  await expect(owner.getByRole('button', { name: 'Assistant' })).toBeFocused();
});

test('AssistantIsOnPagesWithoutACompany', async ({ owner, server }) => {
  await owner.goto(server.url);
  await owner.getByRole('heading', { level: 1 }).waitFor();
  await owner.getByRole('button', { name: 'Assistant' }).click();
  await expect(owner.getByLabel('Message')).toBeFocused(); // the only company is taken at once

  const founded = await owner.request.post(`${server.url}/v1/organization`, {
    data: { name: 'Copy', currency: 'USD' },
  });
  const { id } = await founded.json();
  await owner.goto(`${server.url}/settings`);
  await owner.getByRole('heading', { level: 1 }).waitFor();
  await expect(owner.getByRole('button', { name: 'Assistant' })).toBeVisible();
  await owner.keyboard.press('Control+j');
  const choice = owner.getByRole('region', { name: 'Company of the conversation' });
  await expect(choice.getByRole('button').first()).toBeFocused();
  await choice.getByRole('button', { name: 'Copy' }).click();
  await expect(owner.getByText('About Copy')).toBeVisible();
  await owner.getByLabel('Message').fill('add member Zoe Quill <zoe@example.com>');
  await owner.keyboard.press('Enter');
  const step = owner.getByRole('region', { name: 'Add a member' });
  await step.getByRole('button', { name: 'Confirm' }).click();
  await expect(step.getByText('Recorded', { exact: true })).toBeVisible();
  await owner.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click();
  await step.getByRole('button', { name: 'Remove' }).click();
  await expect(owner).toHaveURL(new RegExp(`/company/${id}/shares\\?post=removeMember&record=`));
  await owner.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await expect(owner.getByText('Added Zoe Quill')).toBeVisible(); // the conversation continues in the company
  await owner.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click();
  await owner.getByRole('button', { name: 'Change' }).click();
  await choice.getByRole('button', { name: /Northwind/ }).click();
  await expect(owner.getByText(/About Northwind/)).toBeVisible();
  await owner.getByLabel('Message').press('Escape');
  await expect(owner.getByRole('complementary', { name: 'Assistant' })).toHaveCount(0);
});

test.describe('with more changes and conversations than a page', () => {
  test.use({ settings: { AGENT_MAX_TOOL_CALLS_PER_MINUTE: '10000', AGENT_MAX_WRITE_OPS_PER_MINUTE: '10000' } });

  test('AllWaitingChangesAndConversationsAreReached', async ({ owner, server }) => {
    test.slow();
    const { url, organization } = server;
    const created = await owner.request.post(`${url}/v1/user/token`, { data: { name: 'Desktop', scopes: ['write'] } });
    const headers = { Authorization: `Bearer ${(await created.json()).token}`, Accept: 'application/json' };
    for (let n = 1; n <= 201; n++) {
      const data = { organization, message: `help ${n}` };
      const answer = await owner.request.post(`${url}/v1/agent/chat`, { data });
      expect(answer.ok(), await answer.text()).toBe(true);
      const params = { name: 'addMember', arguments: { organization, body: { fullName: `Person ${n}` } } };
      const call = { jsonrpc: '2.0', id: n, method: 'tools/call', params };
      const called = await owner.request.post(`${url}/mcp`, { headers, data: call });
      expect(await called.text()).toContain('confirmationRequired');
    }
    await owner.goto(`${url}/settings?tab=tokens`);
    await expect(owner.getByRole('region', { name: 'Add a member' })).toHaveCount(201);

    await visit(owner, server, 'captable');
    await owner.getByRole('button', { name: 'Assistant' }).click();
    await owner.getByRole('button', { name: 'Earlier conversations' }).click();
    await expect(owner.getByRole('menuitem')).toHaveCount(201);
    await owner.getByRole('menuitem', { name: /^help 1 / }).click();
    await expect(owner.getByRole('log').getByText('help 1', { exact: true })).toBeVisible();
  });
});
