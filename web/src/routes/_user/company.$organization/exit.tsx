import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { client, type Schema } from '~/api/client';
import { problemOf } from '~/api/problem';
import type { Decimal } from '~/decimal/decimal';
import { Comparison } from '~/exits/Comparison';
import { groupsOf } from '~/exits/claims';
import { ExitForm } from '~/exits/ExitForm';
import { PayoutChart } from '~/exits/PayoutChart';
import { addressOf, bodyOf, breakPoints, type ExitModel, modelOf, range } from '~/exits/terms';
import { today } from '~/format/dates';
import { amount } from '~/format/figures';
import { useAddress } from '~/shell/address';
import { useCompany } from '~/shell/company';
import { Banner } from '~/ui/Notice';
import { Page, Section } from '~/ui/Page';

export const Route = createFileRoute('/_user/company/$organization/exit')({
  component: ExitPage,
  staticData: { undated: 'all' },
});

/** Distributes sale prices over the cap table. The previous outcome stays visible meanwhile. */
const useExit = (organization: string, model: ExitModel, values: Decimal[]) =>
  useQuery({
    queryKey: ['post', '/organization/{organization}/scenario/exit', organization, model, values],
    queryFn: async ({ signal }) => {
      const params = { path: { organization } };
      const { data } = await client.POST('/organization/{organization}/scenario/exit', {
        params,
        body: bodyOf(model, values),
        signal,
      });
      return data as Schema<'ExitOutcome'>;
    },
    placeholderData: keepPreviousData,
    retry: false,
  });

function ExitPage() {
  const { id: organization } = useCompany();
  const [address, setAddress] = useAddress();
  const [highlighted, setHighlighted] = useState<string>();
  const model = modelOf(address);
  const compared = useExit(organization, model, model.values);
  const drawn = useExit(organization, model, range(model.values));
  const { groups, of } = groupsOf(compared.data?.claims ?? []);
  const points = drawn.data ? breakPoints(drawn.data) : [];
  return (
    <Page title="Exit" subtitle="The distribution of a sale price over classes and holders. No data is changed.">
      <div className="grid grid-cols-[260px_1fr] gap-10 border-t border-line pt-6 max-[1100px]:grid-cols-1">
        <ExitForm model={model} onChange={(change) => setAddress(addressOf({ ...model, ...change }))} today={today()} />
        <div className="min-w-0" aria-busy={compared.isFetching}>
          {compared.isError && <Banner tone="bad">{problemOf(compared.error).message}</Banner>}
          {drawn.data ? (
            <PayoutChart outcome={drawn.data} groups={groups} of={of} highlighted={highlighted} />
          ) : (
            !drawn.isError && <div className="skeleton h-[280px]" />
          )}
          {points.length > 0 && (
            <ul className="mb-4 flex flex-col gap-0.5 text-xs text-ink-2" aria-label="Break points">
              {points.map((point) => (
                <li key={point.value} className="num">
                  From about {amount(point.value, drawn.data?.currency ?? 'USD')}, conversion is worth more for{' '}
                  {point.names.join(', ').replace(/\.$/, '')}.
                </li>
              ))}
            </ul>
          )}
          {compared.data && <Comparison outcome={compared.data} groups={groups} of={of} onHover={setHighlighted} />}
          {compared.data && (
            <Section title="Terms">
              <ul className="flex flex-col gap-1 text-ink-2">
                {compared.data.claims.map((claim) => (
                  <li key={claim.id + (claim.entity ?? '') + claim.terms}>
                    <span className="font-medium text-ink">{claim.name}</span> {claim.terms}
                  </li>
                ))}
              </ul>
            </Section>
          )}
        </div>
      </div>
    </Page>
  );
}
