import type { Schema } from '~/api/client';
import { basisName, kindName } from '~/convertibles/kinds';
import { subtract } from '~/decimal/decimal';
import { day } from '~/format/dates';
import { cents, money, quantity, share } from '~/format/figures';
import { sentence } from '~/format/sentence';
import { Figures } from '~/ui/Figures';
import { Section } from '~/ui/Page';
import { Table } from '~/ui/Table';
import { BeforeAfter } from './BeforeAfter';

/** The outcome of a modelled round: price, ownership before and after, conversions, and the reasons. */
export function Outcome({ outcome }: { outcome: Schema<'RoundOutcome'> }) {
  const { currency, pool } = outcome;
  const names = new Map(outcome.conversions.map((one) => [one.holding, kindName(one.kind)]));
  return (
    <>
      <Figures
        count={4}
        figures={[
          {
            label: 'Price per share',
            value: money(outcome.pricePerShare, currency),
            detail: `closing ${day(outcome.date)}`,
          },
          {
            label: 'Post-money value',
            value: cents(outcome.postMoney, currency),
            detail: `${cents(outcome.preMoney, currency)} pre-money`,
          },
          {
            label: 'New shares',
            value: quantity(subtract(outcome.sharesAfter, outcome.sharesBefore)),
            detail: `${quantity(outcome.sharesAfter)} after the round`,
          },
          {
            label: 'Pool after',
            value: quantity(pool.after),
            detail: `${share(pool.after, outcome.sharesAfter)}, ${quantity(pool.increase)} new`,
          },
        ]}
      />
      <BeforeAfter rows={outcome.ownership} />
      {outcome.conversions.length > 0 && (
        <Section title="Conversions">
          <Table
            label="Conversions"
            rows={outcome.conversions}
            rowKey={(row) => row.holding}
            columns={[
              { header: 'Holder', cell: (row) => row.name },
              { header: 'Kind', cell: (row) => kindName(row.kind) },
              { header: 'Amount', figure: true, cell: (row) => cents(row.amount, currency) },
              { header: 'Term that set the price', cell: (row) => basisName(row.basis) },
              { header: 'Price', figure: true, cell: (row) => money(row.price, currency) },
              { header: 'Shares', figure: true, cell: (row) => quantity(row.shares) },
              { header: '% after', figure: true, cell: (row) => share(row.shares, outcome.sharesAfter) },
            ]}
          />
        </Section>
      )}
      {outcome.shadowSeries && (
        <Section title="Series" detail="classes of the converted shares">
          <Table
            label="Series"
            rows={outcome.shadowSeries}
            rowKey={(row) => row.name}
            columns={[
              { header: 'Name', cell: (row) => row.name },
              { header: 'Price', figure: true, cell: (row) => money(row.price, currency) },
              { header: 'Shares', figure: true, cell: (row) => quantity(row.shares) },
              { header: 'Preference', figure: true, cell: (row) => cents(row.preference, currency) },
            ]}
          />
        </Section>
      )}
      <Section title="Purchases">
        <Table
          label="Purchases"
          rows={outcome.newMoney}
          rowKey={(row) => `${row.name} ${row.proRata}`}
          columns={[
            { header: 'Investor', cell: (row) => (row.proRata ? `${row.name}, pro rata` : row.name) },
            { header: 'Amount', figure: true, cell: (row) => cents(row.amount, currency) },
            { header: 'Shares', figure: true, cell: (row) => quantity(row.shares) },
            { header: '% after', figure: true, cell: (row) => share(row.shares, outcome.sharesAfter) },
            { header: 'Returned', figure: true, cell: (row) => cents(row.unspent, currency) },
          ]}
        />
      </Section>
      <Section title="Why">
        <ol className="flex list-decimal flex-col gap-1 pl-5 text-ink-2">
          {outcome.explanation.map((line) => (
            <li key={line} className="num">
              {sentence(line, names)}
            </li>
          ))}
        </ol>
      </Section>
    </>
  );
}
