import { createFileRoute, redirect } from '@tanstack/react-router';
import { Blocklist } from '~/admin/Blocklist';
import { People } from '~/admin/People';
import { api, queryClient } from '~/api/client';
import { words } from '~/format/words';
import { Tabs } from '~/settings/Tabs';
import { currentUser } from '~/shell/user';
import { Loaded } from '~/ui/Loaded';
import { Facts, Page } from '~/ui/Page';

export const Route = createFileRoute('/_user/admin')({
  beforeLoad: async () => {
    const user = await queryClient.ensureQueryData(currentUser);
    if (!user.siteAdmin) throw redirect({ to: '/' });
  },
  component: AdminPage,
});

/** The administration of the site. */
function AdminPage() {
  return (
    <Page title="Administration">
      <Tabs
        tabs={[
          { id: 'statistics', label: 'Statistics', content: <Statistics /> },
          { id: 'people', label: 'People', content: <People /> },
          { id: 'blocked', label: 'Blocked', content: <Blocklist /> },
        ]}
      />
    </Page>
  );
}

function Statistics() {
  const statistics = api.useQuery('get', '/admin/statistics', {});
  return (
    <Loaded what="The statistics" query={statistics} height="h-64">
      {(data) => <Facts rows={Object.entries(data).map(([name, value]) => [words(name), String(value)])} />}
    </Loaded>
  );
}
