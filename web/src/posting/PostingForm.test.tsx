import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { Company } from '~/shell/company';
import { catalog } from './catalog';
import { PostingForm } from './PostingForm';
import type { Posting } from './posting';

vi.mock('~/live/live', () => ({ useChange: () => undefined }));
vi.mock('~/ui/Unsaved', () => ({ Unsaved: () => null }));
vi.mock('./useAnnounce', () => ({ useAnnounce: () => () => undefined }));
vi.mock('./useEventNames', () => ({ useEventNames: () => ({}) }));
vi.mock('./FormFields', () => ({ FormFields: () => null }));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('shows the terms of its preview with names and marks', async () => {
  const details = [
    { pointer: '/entity', label: 'Entity', value: '1', kind: 'member', name: 'Grace Hopper', mark: 'recipient' },
    { pointer: '/shares', label: 'Shares', value: '10' },
  ];
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ dryRun: true, sequence: 1, events: [], details })));
  const body = { entity: '1', security: 's', shares: '10', issueDate: '2026-02-01' };
  const posting = { ...(catalog.issueShares as Posting), initial: () => body };
  const company = { id: 'org', currency: 'USD' } as Company;
  render(
    <QueryClientProvider client={new QueryClient()}>
      <PostingForm
        posting={posting}
        first={{ context: { company, record: undefined, today: '2026-02-01', address: {} }, tag: undefined }}
        reload={async () => undefined}
        remaining={0}
        onDone={() => undefined}
        onClose={() => undefined}
      />
    </QueryClientProvider>,
  );
  const shown = within(await screen.findByLabelText('Terms'));
  expect(shown.getAllByRole('term').map((one) => one.textContent)).toEqual(['HolderRecipient', 'Shares']);
  expect(shown.getByText('Grace Hopper')).toBeTruthy();
});
