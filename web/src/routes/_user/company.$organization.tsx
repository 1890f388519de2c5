import { createFileRoute, Outlet } from '@tanstack/react-router';
import { queryClient } from '~/api/client';
import { listQuery } from '~/api/list';
import { PastNotice } from '~/day/PastNotice';
import { LiveContext, useLive } from '~/live/live';
import { PostingHost } from '~/posting/PostingHost';
import { organizationQuery } from '~/shell/company';
import { InvitationNotice } from '~/shell/InvitationNotice';

/** The pages of one company. They follow its events, and share the day and the open form in the URL. */
export const Route = createFileRoute('/_user/company/$organization')({
  loader: ({ params }) => {
    queryClient.prefetchInfiniteQuery(listQuery('/invitation/received'));
    return queryClient.ensureQueryData(organizationQuery(params.organization));
  },
  component: CompanyLayout,
});

function CompanyLayout() {
  const { organization } = Route.useParams();
  const changes = useLive(organization);
  return (
    <LiveContext value={changes}>
      <PastNotice />
      <InvitationNotice />
      <Outlet />
      <PostingHost key={organization} />
    </LiveContext>
  );
}
