import { createFileRoute, redirect } from '@tanstack/react-router';
import { queryClient } from '~/api/client';
import { organizationQuery } from '~/shell/company';
import { firstPlace } from '~/shell/firstPlace';

/** The address of a company without a page leads to the first page that the user may see, or to the user's only grant. */
export const Route = createFileRoute('/_user/company/$organization/')({
  beforeLoad: async ({ params, search }) => {
    const organization = await queryClient.ensureQueryData(organizationQuery(params.organization));
    const { page, open } = await firstPlace(organization);
    const to: string = `/company/${organization.id}/${page}`;
    throw redirect({ to, search: { ...search, ...(open && { open }) }, replace: true });
  },
});
