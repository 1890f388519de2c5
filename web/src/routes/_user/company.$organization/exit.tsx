import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { client, type Schema } from '~/api/client';
import { problemOf } from '~/api/problem';
import { classColors } from '~/charts/colors';
import type { Decimal } from '~/decimal/decimal';
import { Comparison } from '~/exits/Comparison';
import { byClass, byHolder } from '~/exits/claims';
import { ExitForm } from '~/exits/ExitForm';
import { OnePrice } from '~/exits/OnePrice';
import { PayoutChart } from '~/exits/PayoutChart';
import { addressOf, bodyOf, breakPoints, type ExitModel, modelOf, placeOf, pricesOf, range } from '~/exits/terms';
import { today } from '~/format/dates';
import { amount } from '~/format/figures';
import { sentence } from '~/format/sentence';
import { useClasses } from '~/records/useNames';
import { listOf, toggled, useAddress } from '~/shell/address';
import { useCompany } from '~/shell/company';
import { Banner } from '~/ui/Notice';
import { Page, Section } from '~/ui/Page';
import { Segments } from '~/ui/Segments';

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
    enabled: values.length > 0,
    placeholderData: keepPreviousData,
    retry: false,
  });

const divisions = [
  ['class', 'Class'],
  ['holder', 'Holder'],
] as const;

function ExitPage() {
  const { id: organization } = useCompany();
  const { classes } = useClasses();
  const [address, setAddress] = useAddress();
  const [highlighted, setHighlighted] = useState<string>();
  const model = modelOf(address);
  const prices = pricesOf(model);
  const compared = useExit(organization, model, prices);
  const drawn = useExit(organization, model, range(prices));
  const by = address.by === 'holder' ? 'holder' : 'class';
  const chosen = listOf(address.only);
  const division =
    drawn.data &&
    (by === 'holder' ? byHolder(drawn.data, chosen) : byClass(drawn.data.claims, classColors(classes), chosen));
  const points = drawn.data ? breakPoints(drawn.data) : [];
  const place = placeOf(drawn.data?.values.map((value) => value.value) ?? [], address.at);
  const at = drawn.data?.values[place];
  return (
    <Page title="Exit" subtitle="The distribution of a sale price over classes and holders. No data is changed.">
      <div className="grid grid-cols-[260px_1fr] gap-10 border-t border-line pt-6 max-[1100px]:grid-cols-1">
        <ExitForm model={model} onChange={(change) => setAddress(addressOf({ ...model, ...change }))} today={today()} />
        <div className="min-w-0" aria-busy={compared.isFetching}>
          {prices.length === 0 && <Banner tone="bad">Enter a sale price above zero.</Banner>}
          {compared.isError && <Banner tone="bad">{problemOf(compared.error).message}</Banner>}
          <div className="mb-2 flex flex-wrap items-center gap-3">
            <h2 className="mr-auto font-medium">Payments over the sale price</h2>
            <Segments
              label="Payments by"
              value={by}
              choices={divisions}
              onChange={(next) => setAddress({ by: next === 'class' ? undefined : next, only: undefined })}
            />
          </div>
          {drawn.data && division ? (
            <PayoutChart
              outcome={drawn.data}
              division={division}
              highlighted={highlighted}
              place={place}
              onPlace={(next) => setAddress({ at: drawn.data?.values[next]?.value })}
            />
          ) : (
            !drawn.isError && prices.length > 0 && <div className="skeleton unsized h-[280px]" />
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
          {at && division && <OnePrice value={at} currency={drawn.data?.currency ?? 'USD'} division={division} />}
          {compared.data && division && (
            <Comparison
              outcome={compared.data}
              classes={byClass(compared.data.claims, classColors(classes), [])}
              holders={drawn.data ? byHolder(drawn.data, by === 'holder' ? chosen : []) : undefined}
              by={by}
              chosen={chosen}
              onChoose={(kind, id) =>
                setAddress({
                  by: kind === 'class' ? undefined : kind,
                  only: toggled(kind === by ? chosen : [], id),
                })
              }
              onHover={setHighlighted}
            />
          )}
          {compared.data && (
            <Section title="Terms">
              <ul className="flex flex-col gap-1 text-ink-2">
                {compared.data.claims.map((claim) => (
                  <li key={claim.id + (claim.entity ?? '') + claim.terms}>
                    <span className="font-medium text-ink">{claim.name}</span> {sentence(claim.terms)}
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
