import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useDay } from '~/day/day';
import { day } from '~/format/dates';
import { cents, exactPercent, money, price, quantity } from '~/format/figures';
import { useCompany } from '~/shell/company';
import { Facts } from '~/ui/Page';
import { basisName, type Instrument, kindName } from './kinds';

const heading = 'mt-6 mb-1 font-medium';

/** The interest of an instrument, its repayments, its exercises, its conversion, and where it came from. */
export function InstrumentDetails({ row, nameOf }: { row: Instrument; nameOf: (id: string) => string }) {
  const { currency: own } = useCompany();
  const currency = row.principal?.currency ?? own;
  const { interest, conversion, account, exercises = [] } = row;
  const linked = (page: 'shares' | 'convertibles', id: string, text: ReactNode) => (
    <OpenLink page={page} id={id}>
      {text}
    </OpenLink>
  );
  return (
    <>
      {interest && interest.rates.length > 0 && (
        <section aria-label="Interest">
          <h3 className={heading}>Interest</h3>
          <Facts
            rows={[
              ...interest.rates.map((one) => [`From ${day(one.from)}`, `${exactPercent(one.rate)} a year`] as const),
              ['Day count', interest.dayCount === '30_360' ? '30/360' : 'Actual/365'],
              ['Compounding', interest.compounding === 'compounding' ? 'Compound' : 'Simple'],
              interest.payout === 'cash' && ['Paid', 'In cash when due'],
            ]}
          />
        </section>
      )}
      {(account?.repayments?.length ?? 0) > 0 && (
        <section aria-label="Repayments">
          <h3 className={heading}>Repayments</h3>
          <Facts rows={(account?.repayments ?? []).map((one) => [day(one.date), cents(one.amount, currency)])} />
        </section>
      )}
      {exercises.length > 0 && (
        <section aria-label="Exercises">
          <h3 className={heading}>Exercises</h3>
          <Facts
            rows={exercises.map((one) => [
              day(one.date),
              linked('shares', one.shareholding, `${quantity(one.quantity)} shares, ${one.payment}`),
            ])}
          />
        </section>
      )}
      {conversion && (
        <section aria-label="Conversion">
          <h3 className={heading}>Conversion</h3>
          <Facts
            rows={[
              row.end && ['Date', day(row.end.date)],
              ['Amount', cents(conversion.amount, currency)],
              conversion.interest !== '0' && ['Of it interest', cents(conversion.interest, currency)],
              ['Price per share', money(conversion.pricePerShare, currency)],
              ['Set by', basisName(conversion.basis)],
              ['Shares', linked('shares', conversion.shareholding, 'Open')],
              conversion.cash !== undefined && ['Cash for a fraction', cents(conversion.cash, currency)],
            ]}
          />
        </section>
      )}
      {row.fixedConversion && (
        <section aria-label="Fixed conversion">
          <h3 className={heading}>Fixed conversion</h3>
          <Facts
            rows={[
              ['Class', nameOf(row.fixedConversion.security)],
              row.fixedConversion.price !== undefined && ['Price', price(row.fixedConversion.price, currency)],
              row.fixedConversion.shares !== undefined && ['Shares', quantity(row.fixedConversion.shares)],
              row.fixedConversion.fraction !== undefined && [
                'Fraction of the company',
                exactPercent(row.fixedConversion.fraction),
              ],
            ]}
          />
        </section>
      )}
      {row.conversionTerms && (
        <section aria-label="Terms">
          <h3 className={heading}>Terms of the agreement</h3>
          <p className="whitespace-pre-line text-ink-2">{row.conversionTerms}</p>
        </section>
      )}
      {(row.origin || (row.results?.length ?? 0) > 0) && (
        <section aria-label="Origin">
          <h3 className={heading}>Origin and successors</h3>
          <Facts
            rows={[
              ...(row.origin?.from ?? []).map(
                (id) => ['From', linked('convertibles', id, `the earlier ${kindName(row.kind)}`)] as const,
              ),
              ...(row.results ?? []).map(
                (id, index) =>
                  [`To ${index + 1}`, linked('convertibles', id, `the later ${kindName(row.kind)}`)] as const,
              ),
            ]}
          />
        </section>
      )}
    </>
  );
}

function OpenLink({ page, id, children }: { page: 'shares' | 'convertibles'; id: string; children: ReactNode }) {
  const { id: organization } = useCompany();
  const { query } = useDay();
  return (
    <Link
      to={`/company/$organization/${page}`}
      params={{ organization }}
      search={{ ...query, open: id }}
      className="text-accent hover:underline"
    >
      {children}
    </Link>
  );
}
