import type { ReactNode } from 'react';
import type { Schema } from '~/api/client';
import { day } from '~/format/dates';
import { quantity } from '~/format/figures';
import { words } from '~/format/words';
import { PlaceLink } from '~/journal/PlaceLink';
import { useAddress } from '~/shell/address';
import { Facts } from '~/ui/Page';
import { Unbroken } from '~/ui/Unbroken';

type Shareholding = Schema<'Shareholding'>;
type Props = { row: Shareholding; rows: Shareholding[]; nameOf: (security: string) => string };

/** Where shares came from, their splits, their end, and the shareholdings that followed. */
export function Lineage({ row, rows, nameOf }: Props) {
  const [, setAddress] = useAddress();
  const found = (ids: string[] | undefined) => rows.filter((one) => ids?.includes(one.id));
  const linked = (held: Shareholding) => (
    <button
      type="button"
      key={held.id}
      className="text-accent hover:underline"
      onClick={() => setAddress({ open: held.id }, true)}
    >
      <Unbroken
        text={`${held.certificate}, ${held.holderName ?? held.shareholderName}, ${quantity(held.shares)} ${nameOf(held.security)}`}
      />
    </button>
  );
  const { origin, end } = row;
  const elsewhere = (page: 'grants' | 'convertibles', id: string, label: string): readonly [string, ReactNode] => [
    'From',
    <PlaceLink key={id} place={{ page, search: { open: id } }} className="text-accent hover:underline">
      {label}
    </PlaceLink>,
  ];
  const facts: (readonly [string, ReactNode])[] = [
    ...(origin ? [['Origin', words(origin.kind)] as const] : []),
    ...found(origin?.from).map((held) => ['From', linked(held)] as const),
    ...(origin?.option ? [elsewhere('grants', origin.option, 'The exercised grant')] : []),
    ...(origin?.holding ? [elsewhere('convertibles', origin.holding, 'The converted instrument')] : []),
    ...(row.before ?? []).map(
      (one) => [`Until ${day(one.until)}`, `${quantity(one.shares)} before the split`] as const,
    ),
    ...(end ? [['Ended', day(end.date)] as const] : []),
    ...(end?.reason ? [['Reason', end.reason] as const] : []),
    ...found(row.results).map((held) => ['Followed by', linked(held)] as const),
  ];
  if (facts.length === 0) return null;
  return (
    <section aria-label="History">
      <h3 className="mt-6 mb-1 font-medium">History</h3>
      <Facts rows={facts} />
    </section>
  );
}
