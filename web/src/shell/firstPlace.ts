import { client, type Schema } from '~/api/client';
import { withRights } from './company';
import { firstPageOf } from './pages';

/** The page of a company that opens first, and the record that is open in it. */
export type Place = { page: string; open?: string };

/**
 * Returns where a company opens: users without the cap table see their own records, so that a person with a grant and no shares sees
 * the grant at once.
 */
export async function firstPlace(organization: Schema<'Organization'>): Promise<Place> {
  const company = withRights(organization);
  const first = { page: firstPageOf(company) };
  if (company.can('viewCapTable')) return first;
  const params = { path: { organization: organization.id }, query: { limit: 1 } };
  const [shares, holdings] = await Promise.all([
    client.GET('/organization/{organization}/shareholding', { params }),
    client.GET('/holding'),
  ]);
  if (shares.data?.data.length) return first;
  return ownPlace((holdings.data?.data ?? []).filter((one) => one.organization === organization.id)) ?? first;
}

/** Returns the place of a holder without shares; undefined without holdings. */
export function ownPlace(holdings: { id: string; kind: string }[]): Place | undefined {
  const grants = holdings.filter((one) => one.kind === 'option');
  const listed = grants.length > 0 ? grants : holdings;
  if (listed.length === 0) return undefined;
  return { page: grants.length > 0 ? 'grants' : 'convertibles', ...(listed.length === 1 && { open: listed[0]?.id }) };
}
