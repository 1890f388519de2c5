import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { notify } from './notify';
import Toasts from './Toasts';

afterEach(cleanup);

it('shows one message at a time, the latest one', async () => {
  render(<Toasts />);
  await act(async () => {
    notify({ title: 'Plan deleted' });
    notify({ title: 'Pool reserved' });
  });
  await act(async () => notify({ title: 'Grant recorded', action: { label: 'Show', run: () => undefined } }));
  expect(
    screen.getAllByRole('dialog', { hidden: true }).map((message) => message.querySelector('h2')?.textContent),
  ).toEqual(['Grant recorded']);
});
