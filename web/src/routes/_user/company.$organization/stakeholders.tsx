import { createFileRoute, Link } from '@tanstack/react-router';
import type { Schema } from '~/api/client';
import { useList } from '~/api/list';
import { AddressChange } from '~/captable/AddressChange';
import { StakeholderHoldings } from '~/captable/StakeholderHoldings';
import { useDay } from '~/day/day';
import { day, moment } from '~/format/dates';
import { words } from '~/format/words';
import { PlaceLink } from '~/journal/PlaceLink';
import { CreateButtons, RecordList } from '~/records/RecordList';
import type { Column, Filter } from '~/register/column';
import { useCompany } from '~/shell/company';
import { imports } from '~/shell/pages';
import { Page } from '~/ui/Page';
import { State, stateName } from '~/ui/State';

export const Route = createFileRoute('/_user/company/$organization/stakeholders')({
  component: StakeholdersPage,
  staticData: { undated: 'asOf' },
});

type Member = Schema<'Member'>;

const columns: Column<Member>[] = [
  { id: 'name', header: 'Name', value: (row) => row.fullName, width: 'minmax(180px, 1.6fr)', narrow: 'title' },
  {
    id: 'relationship',
    header: 'Relationship',
    value: (row) => row.relationship,
    cell: (row) => (row.relationship ? words(row.relationship) : '–'),
    narrow: 'detail',
  },
  { id: 'title', header: 'Title', value: (row) => row.title, spare: 1 },
  { id: 'email', header: 'E-mail', value: (row) => row.email, width: 'minmax(160px, 1.6fr)', spare: 2 },
  { id: 'roles', header: 'Roles', value: (row) => row.roles.join(', '), narrow: 'detail' },
  {
    id: 'status',
    header: 'Status',
    value: (row) => stateName(row.status),
    width: '104px',
    cell: (row) => <State of={row.status} />,
    narrow: 'value',
  },
  { id: 'since', header: 'Since', kind: 'date', value: (row) => row.startDate, extra: true },
];

const filters: Filter<Member>[] = [
  {
    id: 'status',
    label: 'Status',
    choices: (['joined', 'invited', 'bounced', 'registered', 'removed'] as const).map((value) => ({
      value,
      label: stateName(value),
    })),
    value: (row) => row.status,
  },
];

/** The people and institutions of the company. */
function StakeholdersPage() {
  const company = useCompany();
  const { query, past } = useDay();
  const list = useList('/organization/{organization}/member', {
    path: { organization: company.id },
    query: { knownAt: query.knownAt },
  });
  const to = (page: 'shares' | 'grants', row: Member, label: string) => (
    <PlaceLink place={{ page, search: { q: row.fullName } }} className="text-accent hover:underline">
      {label}
    </PlaceLink>
  );
  return (
    <Page
      title="Stakeholders"
      actions={
        <>
          <PlaceLink place={{ page: 'roles' }} className="btn btn-outline">
            Roles
          </PlaceLink>
          {imports(company) && !past && (
            <Link
              to="/company/$organization/import"
              params={{ organization: company.id }}
              search={{ kind: 'members' }}
              className="btn btn-outline"
            >
              Upload
            </Link>
          )}
          <CreateButtons postings={['inviteMembers', 'addMember']} lists={{ addMember: list }} />
        </>
      }
    >
      <RecordList
        label="Stakeholders"
        noun="stakeholder"
        list={list}
        columns={columns}
        filters={filters}
        kind="member"
        title={(row) => row.fullName}
        subtitle={(row) => row.title}
        facts={(row) => [
          ['E-mail', row.email ?? '–'],
          ['Roles', row.roles.join(', ') || '–'],
          ['Relationship', row.relationship ? words(row.relationship) : '–'],
          ['Kind', row.kind ? words(row.kind) : '–'],
          ['Status', stateName(row.status)],
          row.invitation &&
            (['Invited', `${moment(row.invitation.sentAt)}, valid until ${moment(row.invitation.expiresAt)}`] as const),
          row.startDate !== undefined && (['Start', day(row.startDate)] as const),
          row.terminationDate !== undefined && (['Last day', day(row.terminationDate)] as const),
          row.phone !== undefined && (['Phone', row.phone] as const),
        ]}
        details={(row) => (
          <>
            <AddressChange member={row} />
            {company.can('viewCapTable') ? (
              <StakeholderHoldings entity={row.entity} />
            ) : (
              <p className="mt-4 flex gap-4">
                {to('shares', row, 'Shares')}
                {to('grants', row, 'Grants')}
              </p>
            )}
          </>
        )}
        empty={{ title: 'No stakeholders', post: 'addMember' }}
      />
    </Page>
  );
}
