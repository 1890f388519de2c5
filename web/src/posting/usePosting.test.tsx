import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Company } from '~/shell/company';
import { catalog } from './catalog';
import type { Context, Posting } from './posting';
import { usePosting } from './usePosting';

type Sent = { url: string; method: string; headers: Record<string, string>; body: Record<string, unknown> };

const company = { id: 'org', currency: 'USD' } as Company;
const contextOf = (record?: Record<string, unknown>): Context => ({
  company,
  record,
  today: '2026-02-01',
  address: {},
});
const issue = catalog.issueShares as Posting;
const amend = catalog.amendShares as Posting;
const invite = catalog.inviteMembers as Posting;
const complete = { entity: 'e', security: 's', shares: '10', issueDate: '2026-02-01' };
const preview = { dryRun: true, events: [{ type: 'sharesIssued', data: {} }] };

let queries: QueryClient;
let sent: Sent[];
let answer: (request: Sent) => Response | Promise<Response>;
const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });
const changes = () => sent.filter((request) => !request.url.includes('dryRun'));

beforeEach(() => {
  queries = new QueryClient({ defaultOptions: { mutations: { gcTime: 0 } } });
  sent = [];
  answer = ({ url }) => (url.includes('dryRun') ? json(preview) : json({ id: 'new', version: 7 }, 201));
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const request = {
      url,
      method: init.method ?? '',
      headers: init.headers as Record<string, string>,
      body: JSON.parse(init.body as string),
    };
    sent.push(request);
    return answer(request);
  });
});
// A form that stays mounted has a timer of its preview, which would fire after the end of the environment.
afterEach(() => {
  cleanup();
  queries.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function open(posting: Posting, context: Context, tag?: string) {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queries}>{children}</QueryClientProvider>
  );
  return renderHook(() => usePosting(posting, { context, tag }), { wrapper }).result;
}

describe('form of a posting', () => {
  it('asks for no preview before it is complete', async () => {
    vi.useFakeTimers();
    const form = open(issue, contextOf());
    expect(form.current.ready).toBe(false);
    act(() => form.current.setBody({ shares: '10' }));
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(sent).toEqual([]);
  });

  it('ends its timer and its preview when it closes', async () => {
    vi.useFakeTimers();
    const signals: (AbortSignal | null | undefined)[] = [];
    vi.stubGlobal('fetch', (_: string, { signal }: RequestInit) => {
      signals.push(signal);
      return new Promise(() => undefined);
    });
    const form = open(issue, contextOf());
    act(() => form.current.setBody(complete));
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    act(() => form.current.setBody({ ...complete, shares: '11' }));
    cleanup();
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
  });

  it('shows the preview of a complete body, without a key', async () => {
    const form = open(issue, contextOf());
    act(() => form.current.setBody(complete));
    await waitFor(() => expect(form.current.effect).toEqual({ sent: complete, ...preview }));
    expect(sent[0]?.headers['Idempotency-Key']).toBeUndefined();
    expect(changes()).toEqual([]);
  });

  const refusal = (...pointers: string[]) => {
    const errors = pointers.map((pointer) => ({ pointer, code: 'required', message: `${pointer} is required.` }));
    return json({ code: 'invalid', message: 'The request is not valid.', errors }, 400);
  };

  it('shows no faults of fields before the user types, and can be sent', async () => {
    answer = () => refusal('/emails/0');
    const form = open(invite, contextOf());
    await waitFor(() => expect(sent).toHaveLength(1));
    await waitFor(() => expect(form.current.previewing).toBe(false));
    expect([form.current.faults, form.current.outcome, form.current.ready]).toEqual([[], undefined, true]);
    expect(form.current.waiting).toBe(true);
    act(() => form.current.submission.mutate());
    await waitFor(() => expect(form.current.outcome?.kind).toBe('refused'));
    expect(form.current.faults.map(({ pointer }) => pointer)).toEqual(['/emails/0']);
  });

  it('shows the faults of fields after the user typed', async () => {
    answer = () => refusal('/emails/0');
    const form = open(invite, contextOf());
    act(() => form.current.setBody({ emails: ['ada'] }));
    await waitFor(() => expect(form.current.outcome?.kind).toBe('refused'));
    expect(form.current.faults).toHaveLength(1);
    expect(form.current.waiting).toBe(false);
  });

  it('shows faults of no field and refusals without a place before the user types', async () => {
    answer = () => refusal('/emails/0', '/organization');
    const form = open(invite, contextOf());
    await waitFor(() => expect(form.current.outcome?.kind).toBe('refused'));
    expect(form.current.faults.map(({ pointer }) => pointer)).toEqual(['/organization']);
    cleanup();
    answer = () => json({ code: 'conflict', message: 'The company is archived.' }, 409);
    const other = open(invite, contextOf());
    await waitFor(() => expect(other.current.outcome?.text).toBe('The company is archived.'));
  });

  it('asks for no preview after the change was recorded', async () => {
    const form = open(issue, contextOf());
    act(() => form.current.setBody(complete));
    await waitFor(() => expect(form.current.effect).toMatchObject(preview));
    const before = sent.length;
    act(() => form.current.submission.mutate());
    await waitFor(() => expect(form.current.submission.isSuccess).toBe(true));
    expect(sent.slice(before).map((request) => request.url.includes('dryRun'))).toEqual([false]);
  });

  it('repeats an unknown outcome with the same key', async () => {
    const form = open(issue, contextOf());
    act(() => form.current.setBody(complete));
    answer = ({ url }) => (url.includes('dryRun') ? json(preview) : json({ code: 'outcomeUnknown' }, 503));
    act(() => form.current.submission.mutate());
    await waitFor(() => expect(form.current.outcome?.kind).toBe('unknown'));
    answer = () => json({ id: 'new', version: 7 }, 201);
    act(() => form.current.submission.mutate());
    await waitFor(() => expect(form.current.submission.data?.sequence).toBe('7'));
    const keys = changes().map((request) => request.headers['Idempotency-Key']);
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBeTruthy();
    expect(keys[0]).toBe(keys[1]);
  });

  it('sends nothing without a connection', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    const form = open(issue, contextOf());
    act(() => form.current.setBody(complete));
    act(() => form.current.submission.mutate());
    await waitFor(() => expect(form.current.outcome?.kind).toBe('unreached'));
    expect(changes()).toEqual([]);
    vi.restoreAllMocks();
  });

  it('sends only changed fields of an amendment, for the version it was opened with', async () => {
    const record = { id: 'h', certificate: 'CS-1', block: 'A', status: 'active' };
    const form = open(amend, contextOf(record), '"1.5"');
    expect(form.current.ready).toBe(false);
    act(() => form.current.setBody({ certificate: 'CS-2' }));
    act(() => form.current.submission.mutate());
    await waitFor(() => expect(changes()).toHaveLength(1));
    expect(changes()[0]).toMatchObject({ method: 'PATCH', body: { certificate: 'CS-2', block: null } });
    expect(changes()[0]?.headers['If-Match']).toBe('"1.5"');
  });

  // The path of these operations is not below that of their record.
  it.each([
    ['transferShares', { id: 'h', shares: '10' }, { to: 'e', shares: '5', date: '2026-02-01' }],
    ['exerciseGrant', { id: 'o', plan: 'p', pool: 'q' }, { quantity: '5', date: '2026-02-01', payment: 'cash' }],
    ['requestExercise', { id: 'o', plan: 'p', pool: 'q' }, { quantity: '5' }],
    ['voidGrant', { id: 'o' }, { reason: 'Wrong.' }],
    ['changeValuation', { id: 'v' }, { security: 's', effectiveDate: '2026-02-01', type: '409A' }],
  ])('sends the version of the record with %s', async (name, record, body) => {
    const form = open(catalog[name] as Posting, contextOf(record), '"1.5"');
    act(() => form.current.setBody(body));
    act(() => form.current.submission.mutate());
    await waitFor(() => expect(changes()).toHaveLength(1));
    expect(changes()[0]?.headers['If-Match']).toBe('"1.5"');
  });

  it('continues with a newer record and keeps what was typed', async () => {
    const record = { id: 'h', certificate: 'CS-1', block: 'A', status: 'active' };
    const form = open(amend, contextOf(record), '"1.5"');
    act(() => form.current.setBody({ certificate: 'CS-2', block: 'A' }));
    answer = ({ url }) => (url.includes('dryRun') ? json(preview) : json({ code: 'stale' }, 412));
    act(() => form.current.submission.mutate());
    await waitFor(() => expect(form.current.outcome?.kind).toBe('changed'));
    act(() => form.current.reopen({ context: contextOf({ ...record, block: 'B' }), tag: '"1.6"' }));
    expect(form.current.body).toEqual({ certificate: 'CS-2', block: 'B' });
    answer = () => json({ version: 9 });
    act(() => form.current.submission.mutate());
    await waitFor(() => expect(form.current.submission.isSuccess).toBe(true));
    expect(changes().at(-1)).toMatchObject({ body: { certificate: 'CS-2' } });
    expect(changes().at(-1)?.headers['If-Match']).toBe('"1.6"');
  });
});
