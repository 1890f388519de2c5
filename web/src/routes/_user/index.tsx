import { createFileRoute, Link, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { api, type Schema } from '~/api/client';
import { cut } from '~/decimal/decimal';
import { cents, exactPercent } from '~/format/figures';
import { counted } from '~/format/words';
import { NoCompany } from '~/portfolio/NoCompany';
import { Invitations, Pending } from '~/portfolio/Pending';
import { Positions } from '~/portfolio/Positions';
import { useClaims, useInvitations } from '~/portfolio/useInvitations';
import { useRefused } from '~/portfolio/useRefused';
import { useWaiting } from '~/portfolio/useWaiting';
import { useUser } from '~/shell/user';
import { Button } from '~/ui/Button';
import { Figures } from '~/ui/Figures';
import { Failure } from '~/ui/Notice';
import { Page, Section } from '~/ui/Page';

export const Route = createFileRoute('/_user/')({ component: Home });

const sums = (values: Schema<'Money'>[]) =>
  values.length > 0 ? values.map((value) => cents(value.amount, value.currency)).join(' · ') : '–';

/** The start of every user: companies, pending items, and the own positions. */
function Home() {
  const user = useUser();
  const navigate = useNavigate();
  const companies = user.organizations ?? [];
  const portfolio = api.useQuery(
    'get',
    '/entity/{entity}/profile',
    { params: { path: { entity: user.entity } } },
    { enabled: companies.length > 0, retry: false },
  );
  const waiting = useWaiting(companies);
  const invitations = useInvitations();
  const invited = new Set(invitations.rows.map((invitation) => invitation.id));
  const claims = useClaims().filter((claim) => !invited.has(claim.id));
  const refused = useRefused(user);
  const pending = (
    <Section title="Waiting for you">
      <Pending waiting={waiting} claims={claims} refused={refused} />
    </Section>
  );
  const start = (
    <Button look="primary" onClick={() => navigate({ to: '/start' })}>
      <Plus size={15} aria-hidden />
      New company
    </Button>
  );
  const title = user.firstName && companies.length > 0 ? `Welcome, ${user.firstName}` : 'Home';
  // The invitations are first, so that nothing is shown before they are known.
  if (invitations.loading) {
    return (
      <Page title={title}>
        <div className="skeleton unsized h-40" />
      </Page>
    );
  }
  if (companies.length === 0) {
    return (
      <Page title={title}>
        <Invitations {...invitations} />
        <NoCompany />
        {claims.length > 0 && pending}
      </Page>
    );
  }
  return (
    <Page title={title} subtitle={counted(companies.length, 'company', 'companies')} actions={start}>
      <Invitations {...invitations} />
      <Section title="Companies">
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(260px,1fr))] gap-3">
          {companies.map((company) => (
            <li key={company.id}>
              <Link
                to="/company/$organization"
                params={{ organization: company.id }}
                className="flex items-center gap-3 rounded-[7px] border border-line p-3 hover:border-line-strong hover:bg-hover"
              >
                <span className="grid size-8 shrink-0 place-items-center rounded-md bg-primary font-semibold text-on-primary">
                  {company.name.charAt(0)}
                </span>
                <span className="min-w-0">
                  <span className="block truncate font-medium">{company.name}</span>
                  <span className="block truncate text-xs text-ink-3">{company.roles?.join(', ') || 'Holder'}</span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </Section>
      {pending}
      {/* The portfolio follows a list of unknown length, so it appears after that list and never moves. */}
      {!waiting.isPending && <Portfolio portfolio={portfolio} />}
    </Page>
  );
}

type Read = { data?: Schema<'Portfolio'>; isPending: boolean; error: unknown; refetch: () => void };

/** The user's positions in all companies with their sums. It is absent without positions. */
function Portfolio({ portfolio: { data, isPending, error, refetch } }: { portfolio: Read }) {
  if (error) return <Failure what="The portfolio" error={error} retry={refetch} />;
  if (isPending) return <div className="skeleton unsized h-64" />;
  if (!data || data.positions.length === 0) return null;
  return (
    <Section title="Portfolio" detail={counted(data.positions.length, 'position')}>
      <Figures
        count={3}
        figures={[
          { label: 'Value', value: sums(data.currentValue), detail: 'positions with a known price' },
          { label: 'Invested', value: sums(data.totalInvested) },
          {
            label: 'Growth',
            value: data.growth ? exactPercent(cut(data.growth, 4)) : '–',
          },
        ]}
      />
      <Positions positions={data.positions} />
    </Section>
  );
}
