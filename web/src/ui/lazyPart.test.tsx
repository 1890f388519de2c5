import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { partFault } from '~/api/problem';
import { lazyPart } from './lazyPart';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it('a part that could not be loaded is loaded by the retry, and leaves the page', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined); // React and the boundary report the failure
  const failure = Object.assign(new Error('A part of the app could not be loaded.'), { name: partFault });
  const load = vi
    .fn<() => Promise<{ default: () => string }>>()
    .mockRejectedValueOnce(failure)
    .mockResolvedValue({ default: () => 'The part' });
  const Part = lazyPart(load);
  render(
    <Suspense>
      <p>The page</p>
      <Part />
    </Suspense>,
  );
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('A part of the app could not be loaded.');
  expect(screen.getByText('The page')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('The part');
  expect(screen.queryByRole('alert')).toBeNull();
  expect(load).toHaveBeenCalledTimes(2);
});
