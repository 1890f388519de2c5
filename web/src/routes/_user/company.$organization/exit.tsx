import { createFileRoute } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { problemOf } from '~/api/problem';
import { classColors } from '~/charts/colors';
import { Claims } from '~/exits/Claims';
import { Comparison } from '~/exits/Comparison';
import { byClass, byHolder, lists } from '~/exits/claims';
import { ExitForm } from '~/exits/ExitForm';
import { OnePrice } from '~/exits/OnePrice';
import { PayoutChart } from '~/exits/PayoutChart';
import { addressOf, breakPoints, modelOf, placeOf, pricesOf, range } from '~/exits/terms';
import { useFigures, useHolders } from '~/exits/useExit';
import { today } from '~/format/dates';
import { cents, money } from '~/format/figures';
import { useClasses } from '~/records/useNames';
import { listOf, toggled, useAddress } from '~/shell/address';
import { useCompany } from '~/shell/company';
import { Banner } from '~/ui/Notice';
import { Page } from '~/ui/Page';
import { Pinned } from '~/ui/Pinned';
import { Segments } from '~/ui/Segments';

export const Route = createFileRoute('/_user/company/$organization/exit')({
  component: ExitPage,
  staticData: { undated: 'all' },
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
  const figures = useFigures(organization, model, prices);
  const compared = figures.data;
  const drawing = range(prices); // dozens of prices, so that the compared ones are shown before them
  const drawnFigures = useFigures(organization, model, drawing);
  const listed = useHolders(organization, model, prices, compared !== undefined);
  const by = address.by === 'holder' ? 'holder' : 'class';
  const chosen = useMemo(() => listOf(address.only), [address.only]);
  const holders = useMemo(
    () => listed.data && byHolder(listed.data, by === 'holder' ? chosen : []),
    [listed.data, by, chosen],
  );
  // A company may have thousands of holders. Those of the layers suffice.
  const layers = holders?.layers.map((layer) => layer.id).filter((id) => id !== 'others');
  const drawnHolders = useHolders(organization, model, drawing, by === 'holder' && holders !== undefined, layers);
  const drawn = by === 'holder' ? drawnHolders.data : drawnFigures.data;
  const classDivision = useMemo(
    () => drawn && byClass(drawn.claims, classColors(classes), chosen),
    [drawn, classes, chosen],
  );
  const division = by === 'holder' ? holders : classDivision;
  // After another choice, the previous outcome does not have the payments of the chosen holders.
  const shown = drawn && division && (by === 'class' || lists(drawn, division)) ? drawn : undefined;
  const points = useMemo(() => (shown ? breakPoints(shown) : []), [shown]);
  const place = placeOf(shown?.values.map((value) => value.value) ?? [], address.at);
  const at = shown?.values[place];
  const failure = figures.error ?? drawnFigures.error ?? listed.error ?? drawnHolders.error;
  return (
    <Page title="Exit" subtitle="The distribution of a sale price over classes and holders. No data is changed.">
      {at && (
        <Pinned
          label="Results of the model"
          results={[
            ['Sale price', cents(at.value, shown?.currency ?? 'USD')],
            ['Per common share', money(at.pricePerShare, shown?.currency ?? 'USD')],
          ]}
        />
      )}
      <div className="grid grid-cols-[260px_1fr] gap-10 border-t border-line pt-6 max-[1100px]:grid-cols-1">
        <ExitForm model={model} onChange={(change) => setAddress(addressOf({ ...model, ...change }))} today={today()} />
        <div className="min-w-0" aria-busy={figures.isFetching || drawnFigures.isFetching}>
          {prices.length === 0 && <Banner tone="bad">Enter a sale price above zero.</Banner>}
          {failure && <Banner tone="bad">{problemOf(failure).message}</Banner>}
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
            !failure && prices.length > 0 && <div className="skeleton unsized h-[280px]" />
          )}
          {points.length > 0 && (
            <ul className="mb-4 flex flex-col gap-0.5 text-xs text-ink-2" aria-label="Break points">
              {points.map((point) => (
                <li key={point.value} className="num">
                  From about {cents(point.value, shown?.currency ?? 'USD')}, conversion is worth more for{' '}
                  {point.names.join(', ').replace(/\.$/, '')}.
                </li>
              ))}
            </ul>
          )}
          {at && division && <OnePrice value={at} currency={shown?.currency ?? 'USD'} division={division} />}
          {compared && (
            <Comparison
              outcome={compared}
              classes={byClass(compared.claims, classColors(classes), [])}
              listed={listed.data}
              holders={holders}
              waits={listed.waits}
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
          {compared && <Claims claims={compared.claims} />}
        </div>
      </div>
    </Page>
  );
}
