import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { ShareState } from './ShareState';

afterEach(cleanup);

const share = { email: 'auditor@example.com', expiresAt: '2999-01-01T00:00:00Z', download: false };
const reason = 'Its author may not share this document any more.';

it('states that a share opens nothing while its author may not give it, and still ends it', async () => {
  const end = vi.fn();
  render(<ShareState share={{ ...share, authorLacksRights: true }} onEnd={end} />);
  expect(screen.getByText('opens nothing')).toBeTruthy();
  expect(screen.getByText(reason)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'End the share with auditor@example.com' }));
  expect(end).toHaveBeenCalledOnce();
});

it('gives no reason for a share that opens, and none for one that ended', () => {
  const { rerender, container } = render(<ShareState share={share} onEnd={vi.fn()} />);
  expect(container.textContent).not.toContain(reason);
  rerender(<ShareState share={{ ...share, authorLacksRights: true, revokedAt: share.expiresAt }} onEnd={vi.fn()} />);
  expect(container.textContent).toMatch(/^ended /);
  expect(screen.queryByRole('button')).toBeNull();
});
