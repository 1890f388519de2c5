import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { client, type Schema } from '~/api/client';
import { problemOf } from '~/api/problem';
import { classColors } from '~/charts/colors';
import type { Decimal } from '~/decimal/decimal';
import { Comparison } from '~/exits/Comparison';
import { byClass, byHolder, lists } from '~/exits/claims';
import { ExitForm } from '~/exits/ExitForm';
import { OnePrice } from '~/exits/OnePrice';
import { PayoutChart } from '~/exits/PayoutChart';
import { addressOf, bodyOf, breakPoints, type ExitModel, modelOf, placeOf, pricesOf, range } from '~/exits/terms';
import { today } from '~/format/dates';
import { amount, money } from '~/format/figures';
import { sentence } from '~/format/sentence';
import { useClasses } from '~/records/useNames';
import { listOf, toggled, useAddress } from '~/shell/address';
import { useCompany } from '~/shell/company';
import { Banner } from '~/ui/Notice';
import { Page, Section } from '~/ui/Page';
import { Pinned } from '~/ui/Pinned';
import { Segments } from '~/ui/Segments';

export const Route = createFileRoute('/_user/company/$organization/exit')({
  component: ExitPage,
  staticData: { undated: 'all' },
});

/**
 * Distributes sale prices over the cap table, with the payments of the holders; of all of them by default. The previous outcome stays visible
 * meanwhile.
 */
const useExit = (organization: string, model: ExitModel, values: Decimal[], holders?: string[]) =>
  useQuery({
    queryKey: ['post', '/organization/{organization}/scenario/exit', organization, model, values, holders],
    queryFn: async ({ signal }) => {
      const params = { path: { organization } };
      const { data } = await client.POST('/organization/{organization}/scenario/exit', {
        params,
        body: bodyOf(model, values, holders),
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
  const by = address.by === 'holder' ? 'holder' : 'class';
  const chosen = useMemo(() => listOf(address.only), [address.only]);
  const holders = useMemo(
    () => compared.data && byHolder(compared.data, by === 'holder' ? chosen : []),
    [compared.data, by, chosen],
  );
  // The drawing has dozens of prices, and a company may have thousands of holders.
  const drawn = useExit(
    organization,
    model,
    by === 'class' || holders ? range(prices) : [],
    by === 'class' ? [] : holders?.layers.map((layer) => layer.id).filter((id) => id !== 'others'),
  );
  const division = useMemo(
    () => (by === 'holder' ? holders : drawn.data && byClass(drawn.data.claims, classColors(classes), chosen)),
    [by, holders, drawn.data, classes, chosen],
  );
  // After another choice, the previous outcome does not have the payments of the chosen holders.
  const shown = drawn.data && division && (by === 'class' || lists(drawn.data, division)) ? drawn.data : undefined;
  const points = useMemo(() => (shown ? breakPoints(shown) : []), [shown]);
  const place = placeOf(shown?.values.map((value) => value.value) ?? [], address.at);
  const at = shown?.values[place];
  return (
    <Page title="Exit" subtitle="The distribution of a sale price over classes and holders. No data is changed.">
      {at && (
        <Pinned
          label="Results of the model"
          results={[
            ['Sale price', amount(at.value, shown?.currency ?? 'USD')],
            ['Per common share', money(at.pricePerShare, shown?.currency ?? 'USD')],
          ]}
        />
      )}
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
          {shown && division ? (
            <PayoutChart
              outcome={shown}
              division={division}
              highlighted={highlighted}
              place={place}
              onPlace={(next) => setAddress({ at: shown?.values[next]?.value })}
            />
          ) : (
            !drawn.isError && prices.length > 0 && <div className="skeleton unsized h-[280px]" />
          )}
          {points.length > 0 && (
            <ul className="mb-4 flex flex-col gap-0.5 text-xs text-ink-2" aria-label="Break points">
              {points.map((point) => (
                <li key={point.value} className="num">
                  From about {amount(point.value, shown?.currency ?? 'USD')}, conversion is worth more for{' '}
                  {point.names.join(', ').replace(/\.$/, '')}.
                </li>
              ))}
            </ul>
          )}
          {at && division && <OnePrice value={at} currency={shown?.currency ?? 'USD'} division={division} />}
          {compared.data && division && (
            <Comparison
              outcome={compared.data}
              classes={byClass(compared.data.claims, classColors(classes), [])}
              holders={holders}
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
