import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { WebhookRights } from './WebhookRights';

afterEach(cleanup);

const limitation = 'The webhook acts with the rights of Ada Lovelace and lacks viewMembers.';

it('names the member with whose rights the webhook acts, and offers nothing while it sends everything', () => {
  render(<WebhookRights webhook={{ actsFor: 'Ada Lovelace' }} disabled={false} onTakeOver={vi.fn()} />);
  expect(screen.getByText('Acts with the rights of Ada Lovelace')).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
});

it('states what is not sent, and takes the webhook over', async () => {
  const takeOver = vi.fn();
  render(<WebhookRights webhook={{ actsFor: 'Ada Lovelace', limitation }} disabled={false} onTakeOver={takeOver} />);
  expect(screen.getByRole('status').textContent).toBe(limitation);
  await userEvent.click(screen.getByRole('button', { name: 'Take over with your rights' }));
  expect(takeOver).toHaveBeenCalledOnce();
});

it('shows nothing to readers who may not change the webhook', () => {
  const { container } = render(<WebhookRights webhook={{}} disabled={false} onTakeOver={vi.fn()} />);
  expect(container.textContent).toBe('');
});
