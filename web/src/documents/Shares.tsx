import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, client } from '~/api/client';
import { problemOf } from '~/api/problem';
import { useCompany } from '~/shell/company';
import { Loaded } from '~/ui/Loaded';
import { Banner } from '~/ui/Notice';
import { Facts } from '~/ui/Page';
import type { Item } from './api';
import { ShareForm } from './ShareForm';
import { ShareState } from './ShareState';

const path = '/organization/{organization}/document/{document}/share';

/** The shares of a document with outsiders, and the form of a new one. */
export function Shares({ item }: { item: Item }) {
  const { id: organization } = useCompany();
  const queries = useQueryClient();
  const place = { organization, document: item.id };
  const shares = api.useQuery('get', path, { params: { path: place } });
  const refresh = () => queries.invalidateQueries({ queryKey: ['get', path] });
  const revoke = useMutation({
    mutationFn: (share: string) =>
      client.DELETE('/organization/{organization}/document/{document}/share/{share}', {
        params: { path: { ...place, share } },
      }),
    onSuccess: refresh,
  });
  return (
    <section aria-label="Shares" className="mt-6">
      <h3 className="mb-2 font-medium">Shared with</h3>
      {revoke.error && <Banner tone="bad">{problemOf(revoke.error).message}</Banner>}
      <Loaded what="The shares" query={shares}>
        {({ data }) => (
          <Facts
            rows={data.map((share) => [
              share.email ?? 'Erased person',
              <ShareState key={share.id} share={share} onEnd={() => revoke.mutate(share.id)} />,
            ])}
          />
        )}
      </Loaded>
      <ShareForm item={item} onShared={refresh} />
    </section>
  );
}
