import { api } from '~/api/client';
import { useDay } from '~/day/day';
import { day } from '~/format/dates';
import { useCompany } from '~/shell/company';
import { useUser } from '~/shell/user';
import { Section } from '~/ui/Page';
import { Positions } from './Positions';

/** The positions of the user in the company on the day. */
export function OwnStatement() {
  const company = useCompany();
  const { entity } = useUser();
  const { asOf, date } = useDay();
  const portfolio = api.useQuery(
    'get',
    '/entity/{entity}/profile',
    { params: { path: { entity }, query: asOf ? { asOf } : {} } },
    { retry: false },
  );
  const own = portfolio.data?.positions.filter((position) => position.organization.id === company.id) ?? [];
  if (own.length === 0) return null;
  return (
    <Section title="Your statement" detail={`at the end of ${day(date)}`}>
      <Positions positions={own} />
    </Section>
  );
}
