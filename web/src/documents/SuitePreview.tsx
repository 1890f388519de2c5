import { useMutation } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { client } from '~/api/client';
import { problemOf } from '~/api/problem';
import { useCompany } from '~/shell/company';
import { Button } from '~/ui/Button';
import { Banner } from '~/ui/Notice';
import type { Item } from './api';

/** Opens a document in the office suite, read-only. Its address is valid for some minutes, so it is requested with the click. */
export function SuitePreview({ item }: { item: Item }) {
  const { id: organization } = useCompany();
  const open = useMutation({
    mutationFn: async () => {
      const tab = window.open('about:blank', '_blank'); // at once: browsers block windows that open after an answer
      if (tab) tab.opener = null;
      try {
        const { data } = await client.GET('/organization/{organization}/document/{document}/preview', {
          params: { path: { organization, document: item.id } },
        });
        if (data && tab) tab.location.href = data.url;
        else if (data) location.assign(data.url);
      } catch (error) {
        tab?.close();
        throw error;
      }
    },
  });
  return (
    <div className="mt-4 flex flex-col items-start gap-2">
      <Button onClick={() => open.mutate()} disabled={open.isPending}>
        <ExternalLink size={15} aria-hidden />
        Open in the office suite
      </Button>
      {open.error && <Banner tone="bad">{problemOf(open.error).message}</Banner>}
    </div>
  );
}
