import { createFileRoute, redirect } from '@tanstack/react-router';
import { queryClient } from '~/api/client';
import { organizationQuery, withRights } from '~/shell/company';
import { firstPageOf } from '~/shell/pages';

/** The address of a company without a page leads to the first page that the user may see. */
export const Route = createFileRoute('/_user/company/$organization/')({
  beforeLoad: async ({ params, search }) => {
    const organization = await queryClient.ensureQueryData(organizationQuery(params.organization));
    const to: string = `/company/${organization.id}/${firstPageOf(withRights(organization))}`;
    throw redirect({ to, search, replace: true });
  },
});
