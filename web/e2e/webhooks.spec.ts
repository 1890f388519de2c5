import { createHmac } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, visit } from './equity';

test.use({ settings: { WEBHOOK_ALLOW_PRIVATE: 'true' } });

type Received = { headers: http.IncomingHttpHeaders; body: string };

type Receiver = { url: string; received: Received[]; answer: { status: number }; close: () => void };

/** Starts a receiver on the loopback address that answers every delivery with a status. */
async function receiver(status = 200): Promise<Receiver> {
  const received: Received[] = [];
  const answer = { status };
  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk;
    });
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      response.statusCode = answer.status;
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, received, answer, close: () => server.close() };
}

test('WebhookIsCreatedTestedAndReplayed', async ({ owner, server }) => {
  const { url, received, close } = await receiver();
  await visit(owner, server, 'settings?tab=webhooks');
  await owner.getByLabel('Address of a new webhook').fill(url);
  await owner.getByRole('button', { name: 'Create the webhook' }).click();
  await expect(owner.getByText('Signing secret, shown only now')).toBeVisible();
  const secret = (await owner.locator('code').first().textContent()) ?? '';

  await owner.getByRole('button', { name: 'Deliveries' }).click();
  await owner.getByRole('button', { name: 'Send a test' }).click();
  await expect.poll(() => received.length).toBe(1);
  const { headers, body } = received[0] as Received;
  const signed = createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
    .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
    .digest('base64');
  expect(String(headers['webhook-signature'])).toContain(`v1,${signed}`);

  await owner.request.patch(`${server.url}/v1/organization/${server.organization}`, {
    data: { website: 'https://northwind.example/about' },
  });
  const delivery = owner.getByRole('row', { name: /delivered/i });
  await expect(delivery).toHaveCount(1);
  await expect.poll(() => received.length).toBe(2);
  await delivery.getByRole('button', { name: 'Replay' }).click();
  await expect.poll(() => received.length).toBe(3);
  await owner.getByRole('button', { name: 'Switch off' }).click();
  await expect(owner.getByRole('button', { name: 'Switch on' })).toBeVisible();

  // Deliveries have no day: they are read on a past day too, without changes.
  await visit(owner, server, 'settings?tab=webhooks&asOf=2024-12-31');
  await owner.getByRole('button', { name: 'Deliveries' }).click();
  await expect(owner.getByRole('row', { name: /delivered/i }).first()).toBeVisible();
  await expect(owner.getByRole('button', { name: 'Replay' }).first()).toBeDisabled();
  await expect(owner.getByRole('button', { name: 'Switch on' })).toBeDisabled();
  await expect(owner.getByLabel('Address of a new webhook')).toBeDisabled();
  close();
});

test('FailingIntegrationIsRetried', async ({ owner, server }) => {
  const { url, received, answer, close } = await receiver(500);
  await visit(owner, server, 'settings?tab=webhooks');
  await owner.getByLabel('Address of a new webhook').fill(url);
  await owner.getByRole('button', { name: 'Create the webhook' }).click();
  await expect(owner.getByText('Signing secret, shown only now')).toBeVisible();
  await owner.request.patch(`${server.url}/v1/organization/${server.organization}`, {
    data: { website: 'https://northwind.example/about' },
  });
  await expect.poll(() => received.length).toBeGreaterThan(0);

  await visit(owner, server, 'settings?tab=integrations');
  const failing = owner.getByRole('row').filter({ hasText: 'retrying' });
  await expect(failing).toHaveCount(1);
  await expect(failing.getByRole('button', { name: 'Skip' })).toHaveCount(0);
  answer.status = 200;
  await failing.getByRole('button', { name: 'Retry' }).click();
  await expect(failing).toHaveCount(0);
  close();
});
