import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Plan } from './Plan';

/** The client of the API keeps the fetch of the time at which it is created. */
const server = vi.hoisted(() => {
  const one = { fetch: async (_: Request): Promise<Response> => new Response() };
  globalThis.fetch = (request) => one.fetch(request as Request);
  return one;
});

vi.mock('@tanstack/react-router', () => ({ useNavigate: () => () => undefined }));

const organization = '01926f4a-7b3c-8f10-8d21-000000000001';
const security = '01926f4a-7b3c-8f10-8d21-000000000002';
const grace = '01926f4a-7b3c-8f10-8d21-000000000003';
const held = '01926f4a-7b3c-8f10-8d21-000000000004';

const item = (itemId: string, kind: string, operation: string, title: string, fields: Record<string, unknown>) => ({
  ...{ itemId, kind, operation, title, fields, source: 'prompt', confidence: 'high', warnings: [], details: [] },
});

/** A server with one onboarding, and the bodies of the requests to it by their last part. */
let sent: [string, Record<string, unknown>][];
let plan: ReturnType<typeof item>[];
let refused: (field: string) => string | undefined;

function answer(path: string, body: Record<string, unknown>): [number, unknown] {
  const name = path.split('/').find((part) => /^(analysis|questions|showcase|correct|add|remove|setup)/.test(part));
  if (name && body) sent.push([name, body]);
  if (name === 'analysis-status')
    return [200, { id: 'x', status: 'analyzed', analysisComplete: true, hasQuestions: false }];
  if (name === 'questions') return [200, { data: [] }];
  if (name === 'showcase') {
    const totals = { authorized: '1000', issued: '200', fullyDiluted: '200' };
    const unused = [{ text: '5 warrants', position: 8 }];
    return [200, { id: 'x', status: 'analyzed', summary: 'Engines.', items: plan, totals, unused }];
  }
  if (name === 'correct') {
    const field = String(body.fieldPath).slice(1);
    const text = refused(field);
    if (text)
      return [
        400,
        { error: 'It is invalid.', code: 'invalid', errors: [{ pointer: `/${field}`, code: 'x', message: text }] },
      ];
    plan = plan.map((one) =>
      one.itemId === body.itemId ? { ...one, fields: { ...one.fields, [field]: body.newValue } } : one,
    );
    return [200, plan.find((one) => one.itemId === body.itemId)];
  }
  if (name === 'add') return [200, item('new', 'member', 'addMember', 'Mary', {})];
  if (name === 'remove') plan = plan.filter((one) => one.itemId !== body.itemId);
  if (name === 'setup')
    return [200, { id: 'x', status: 'built', setupResult: { organization, created: [], failed: [] } }];
  return [200, { id: 'x', initialPrompt: 'Zoë has 5 warrants.', status: 'analyzed', analysisComplete: true }];
}

beforeEach(() => {
  sent = [];
  refused = () => undefined;
  plan = [
    item(organization, 'organization', 'createOrganization', 'Engines', { currency: 'USD', name: 'Engines' }),
    item(security, 'security', 'createSecurity', 'Common Stock, 1,000 shares', { name: 'Common Stock' }),
    item(grace, 'member', 'addMember', 'Grace', { fullName: 'Grace', kind: 'individual' }),
    item(held, 'shareholding', 'issueShareholding', '200 shares of Common Stock for Grace', {
      ...{ shares: '200', issueDate: '2026-01-02', security, entity: grace },
    }),
  ];
  server.fetch = async (request) => {
    const text = request.method === 'POST' ? await request.text() : '';
    const [status, body] = answer(new URL(request.url).pathname, text ? JSON.parse(text) : undefined);
    return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });
  };
});

afterEach(cleanup);

/** Shows the plan with the form of its shareholding. */
async function shown() {
  const user = userEvent.setup();
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Plan id="x" onAgain={() => undefined} />
    </QueryClientProvider>,
  );
  await user.click(await screen.findByRole('button', { name: /200 shares of Common Stock for Grace/ }));
  const form = within(screen.getByRole('group', { name: '200 shares of Common Stock for Grace' }));
  return { user, form, shares: form.getByLabelText<HTMLInputElement>('Shares') };
}

const corrections = () =>
  sent.filter(([name]) => name === 'correct').map(([, body]) => [body.fieldPath, body.newValue]);

it('sends a correction with Build that is typed without leaving its field', async () => {
  const { user, shares } = await shown();
  await user.clear(shares);
  await user.type(shares, '300');
  await user.click(screen.getByRole('button', { name: 'Build 4 records' }));
  await vi.waitFor(() => expect(sent.map(([name]) => name)).toContain('setup'));
  expect(corrections()).toEqual([['/shares', '300']]);
  expect(sent.findIndex(([name]) => name === 'correct')).toBeLessThan(sent.findIndex(([name]) => name === 'setup'));
});

it('keeps a refused correction as typed, and does not build', async () => {
  refused = (field) => (field === 'shares' ? 'At most 1,000 shares are authorized.' : undefined);
  const { user, form, shares } = await shown();
  await user.clear(shares);
  await user.type(shares, '3000');
  await user.click(screen.getByRole('button', { name: 'Build 4 records' }));
  expect(await form.findByText('At most 1,000 shares are authorized.')).toBeTruthy();
  expect(shares.value).toBe('3,000');
  expect(sent.map(([name]) => name)).not.toContain('setup');
});

it('sends a refused correction again as soon as another one fits', async () => {
  let authorized = false;
  refused = (field) => (field === 'shares' && !authorized ? 'Too many.' : undefined);
  const { user, form, shares } = await shown();
  await user.clear(shares);
  await user.type(shares, '3000');
  await user.tab();
  expect(await form.findByText('Too many.')).toBeTruthy();
  authorized = true;
  await user.click(screen.getByRole('button', { name: 'Build 4 records' }));
  await vi.waitFor(() => expect(sent.map(([name]) => name)).toContain('setup'));
  expect(plan.find((one) => one.itemId === held)?.fields.shares).toBe('3000');
});

it('shows the fields in the order of the form, with names for records', async () => {
  const { form } = await shown();
  const labels = [...document.querySelectorAll('fieldset label')].map((label) => label.firstChild?.textContent);
  expect(labels.slice(0, 4)).toEqual(['Holder', 'Class', 'Shares', 'Issue date']);
  expect(form.getByLabelText('Holder').textContent).toContain('Grace');
  expect(form.getByLabelText('Class').textContent).toContain('Common Stock');
  expect(document.body.textContent).not.toContain(grace);
});

it('removes a record', async () => {
  const { user } = await shown();
  await user.click(screen.getByRole('button', { name: 'Remove from the plan' }));
  expect(await screen.findByRole('button', { name: 'Build 3 records' })).toBeTruthy();
  expect(sent.at(-1)).toEqual(['remove', { onboardingId: 'x', itemId: held }]);
});

it('marks the words that no record uses, after characters of two units too', async () => {
  await shown();
  const marked = [...document.querySelectorAll('mark')].map((mark) => mark.textContent);
  expect(marked).toEqual(['5 warrants']);
  expect(document.querySelector('blockquote')?.textContent).toBe('Zoë has 5 warrants.');
});
