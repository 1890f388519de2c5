import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parseSearch, stringifySearch } from '~/shell/address';
import { Unsaved } from './Unsaved';

beforeAll(() => {
  window.scrollTo = () => undefined;
});
afterEach(cleanup);

/** Shows a form at /form?post=issue, and returns its router. */
async function opened(changed: boolean) {
  const router = createRouter({
    routeTree: createRootRoute({
      component: () => <Unsaved changed={() => changed} parts={['post']} />,
      notFoundComponent: () => <Unsaved changed={() => changed} parts={['post']} />,
    }),
    history: createMemoryHistory({ initialEntries: ['/form?post=issue'] }),
    parseSearch,
    stringifySearch,
  });
  // biome-ignore lint/suspicious/noExplicitAny: the registered router is that of the app
  render(<RouterProvider router={router as any} />);
  await waitFor(() => expect(router.state.status).toBe('idle'));
  const go = (path: string) => act(async () => router.history.push(path));
  return { router, go };
}

const question = () => screen.queryByRole('alertdialog');

describe('a form with entries', () => {
  it('asks before it closes, and continues', async () => {
    const { router, go } = await opened(true);
    await go('/form');
    await waitFor(() => expect(question()).toBeTruthy());
    fireEvent.click(screen.getByRole('button', { name: 'Continue the form' }));
    await waitFor(() => expect(question()).toBeNull());
    expect(router.state.location.search).toEqual({ post: 'issue' });
  });

  it('closes after the answer', async () => {
    const { router, go } = await opened(true);
    await go('/form');
    await waitFor(() => expect(question()).toBeTruthy());
    fireEvent.click(screen.getByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(router.state.location.search).toEqual({}));
  });

  it('asks before another page is opened', async () => {
    const { go } = await opened(true);
    await go('/other');
    await waitFor(() => expect(question()).toBeTruthy());
  });

  it('does not ask about parts of the address that it does not depend on', async () => {
    const { router, go } = await opened(true);
    await go('/form?post=issue&q=Ada');
    await waitFor(() => expect(router.state.location.search).toEqual({ post: 'issue', q: 'Ada' }));
    expect(question()).toBeNull();
  });
});

it('a form without entries closes at once', async () => {
  const { router, go } = await opened(false);
  await go('/form');
  await waitFor(() => expect(router.state.location.search).toEqual({}));
  expect(question()).toBeNull();
});
