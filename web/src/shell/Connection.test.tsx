import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Problem } from '~/api/problem';
import { Connection } from './Connection';

vi.mock('@tanstack/react-router', async (original) => ({
  ...(await original<object>()),
  useRouter: () => ({ state: { matches: [] }, invalidate: async () => undefined }),
}));

let queries: QueryClient;
const status = () => screen.getByRole('status').textContent;
const read = (answer: () => unknown) =>
  act(() =>
    queries
      .fetchQuery({ queryKey: ['read'], queryFn: answer, retry: false, staleTime: 0 })
      .then(() => undefined)
      .catch(() => undefined),
  );
const fail = (code: number) => () => {
  throw new Problem(code, { message: 'No.' });
};

beforeEach(() => {
  queries = new QueryClient();
  vi.stubGlobal('fetch', async () => new Response('{}', { status: 503 }));
  render(
    <QueryClientProvider client={queries}>
      <Connection />
    </QueryClientProvider>,
  );
});
afterEach(() => {
  cleanup();
  queries.clear();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('the connection', () => {
  it('is stated as lost when the server cannot be reached, and as back after the next answer', async () => {
    expect(status()).toBe('');
    await read(fail(503));
    await waitFor(() => expect(status()).toContain('The server cannot be reached.'));
    await read(() => 1);
    await waitFor(() => expect(status()).toBe('The connection is back.'));
  });

  it('is not lost by a refusal', async () => {
    await read(fail(404));
    expect(status()).toBe('');
  });

  it('is stated as offline when the browser says so', async () => {
    act(() => void window.dispatchEvent(new Event('offline')));
    expect(status()).toContain('You are offline.');
  });
});
