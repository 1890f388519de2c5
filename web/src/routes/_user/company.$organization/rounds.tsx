import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { client, type Schema } from '~/api/client';
import { problemOf } from '~/api/problem';
import { useDay } from '~/day/day';
import { cents, money } from '~/format/figures';
import { useOpenPosting } from '~/posting/useOpenPosting';
import { useMayPost } from '~/posting/usePostings';
import { ClosedRounds, NewRound } from '~/rounds/ClosedRounds';
import { Outcome } from '~/rounds/Outcome';
import { Scenarios } from '~/rounds/Scenarios';
import { TermsForm } from '~/rounds/TermsForm';
import { addressOf, bodyOf, isNamed, type Terms, termsOf } from '~/rounds/terms';
import { useAddress } from '~/shell/address';
import { useCompany } from '~/shell/company';
import { Button } from '~/ui/Button';
import { Banner } from '~/ui/Notice';
import { Page } from '~/ui/Page';
import { Pinned } from '~/ui/Pinned';
import { Segments } from '~/ui/Segments';

export const Route = createFileRoute('/_user/company/$organization/rounds')({ component: RoundsPage });

const tabs = [
  ['model', 'Model'],
  ['closed', 'Closed rounds'],
] as const;

/** Solves the round of the terms. The previous outcome stays visible meanwhile. */
const useOutcome = (organization: string, terms: Terms) =>
  useQuery({
    queryKey: ['post', '/organization/{organization}/scenario/round', organization, terms],
    queryFn: async ({ signal }) => {
      const params = { path: { organization } };
      const { data } = await client.POST('/organization/{organization}/scenario/round', {
        params,
        body: bodyOf(terms),
        signal,
      });
      return data as Schema<'RoundOutcome'>;
    },
    placeholderData: keepPreviousData,
    retry: false,
  });

function RoundsPage() {
  const [address, setAddress] = useAddress();
  const tab = address.tab === 'closed' ? 'closed' : 'model';
  return (
    <Page
      title="Rounds"
      subtitle={tab === 'model' ? 'A model changes no data until it is closed.' : undefined}
      actions={
        <>
          <Segments
            label="View"
            value={tab}
            choices={tabs}
            onChange={(next) => setAddress({ tab: next === 'closed' ? next : undefined })}
          />
          {tab === 'closed' && <NewRound />}
        </>
      }
    >
      {tab === 'closed' ? <ClosedRounds /> : <Model />}
    </Page>
  );
}

function Model() {
  const { id: organization } = useCompany();
  const [address, setAddress] = useAddress();
  const { asOf, knownAt, past, date } = useDay();
  const may = useMayPost();
  const open = useOpenPosting();
  const terms = termsOf(address);
  const outcome = useOutcome(organization, { ...terms, date: terms.date ?? asOf });
  const change = (next: Partial<Terms>) => setAddress(addressOf({ ...terms, ...next }));
  const close = () => {
    setAddress({ ...addressOf(terms), confirm: outcome.data?.confirm });
    open('closeRound');
  };
  return (
    <>
      {outcome.data && (
        <Pinned
          label="Results of the model"
          results={[
            ['Price per share', money(outcome.data.pricePerShare, outcome.data.currency)],
            ['Post-money value', cents(outcome.data.postMoney, outcome.data.currency)],
          ]}
        />
      )}
      <div className="grid grid-cols-[300px_1fr] gap-10 border-t border-line pt-6 max-[1100px]:grid-cols-1">
        <div>
          <TermsForm terms={terms} onChange={change} today={date} />
          <div className="mt-6 flex flex-wrap gap-2">
            <Scenarios organization={organization} terms={terms} onOpen={(saved) => setAddress(addressOf(saved))} />
            {may('closeRound') && !past && outcome.data && !outcome.isError && (
              <Button look="primary" onClick={close} disabled={outcome.isPlaceholderData || !isNamed(terms)}>
                Close round
              </Button>
            )}
            {!isNamed(terms) && (
              <p className="basis-full text-xs text-ink-3">
                To close the round, type the name of the new class and of each investor. Names in grey are examples.
              </p>
            )}
          </div>
        </div>
        <div aria-live="polite" aria-busy={outcome.isFetching} className="min-w-0">
          {knownAt && <p className="mb-4 text-ink-3">The model uses all records, also those made later.</p>}
          {outcome.isError && (
            <Banner tone="bad">
              {problemOf(outcome.error).message}{' '}
              {problemOf(outcome.error)
                .faults.map((fault) => fault.message)
                .join(' ')}
            </Banner>
          )}
          {outcome.data ? (
            <Outcome outcome={outcome.data} />
          ) : (
            !outcome.isError && <div className="skeleton h-[480px]" />
          )}
        </div>
      </div>
    </>
  );
}
