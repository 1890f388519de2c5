import type { Schema } from '~/api/client';
import { classColors, kindColors } from '~/charts/colors';
import type { Slice } from '~/charts/Donut';
import type { Tile } from '~/charts/Treemap';
import { compare, type Decimal, divide, isZero, sum } from '~/decimal/decimal';
import { percent, share } from '~/format/figures';
import { counted } from '~/format/words';

export type Basis = 'outstanding' | 'fullyDiluted';
type Table = Schema<'CapTable'>;
type Holder = Schema<'CapTableHolder'>;
type Security = Table['securities'][number];

const none: Decimal = '0';

/** Returns the classes, and for the fully diluted basis the options, warrants and available pools, as parts of a whole. */
export function slicesOf(table: Table, basis: Basis): Slice[] {
  const colors = classColors(table.securities);
  const classes = table.securities.map((security) => ({
    id: security.id,
    name: security.name,
    color: colors.get(security.id) ?? '',
    value: security.outstanding,
    figure: `security/${security.id}/outstanding`,
  }));
  const [part, percentOf] =
    basis === 'outstanding'
      ? (['percentOutstanding', (security: Security) => security.percentOutstanding] as const)
      : (['percentFullyDiluted', (security: Security) => security.percentFullyDiluted] as const);
  const { options = none, warrants = none } = table.totals;
  const available = sum(table.pools.map((pool) => pool.available));
  const whole = sum([
    ...classes.map((one) => one.value),
    ...(basis === 'outstanding' ? [] : [options, warrants, available]),
  ]);
  // The percentage of a class that converts at another ratio than one has another base than the drawing.
  const explained = classes.map((slice, index) => {
    const security = table.securities[index];
    const same = security && percent(percentOf(security)) === share(slice.value, whole);
    return same ? { ...slice, percentFigure: `security/${slice.id}/${part}` } : slice;
  });
  if (basis === 'outstanding') return explained;
  const [pool] = table.pools;
  const only = table.pools.length === 1 ? pool : undefined;
  const others: Slice[] = [
    { id: 'options', name: 'Options', color: kindColors.options, value: options, figure: 'total/options' },
    { id: 'warrants', name: 'Warrants', color: kindColors.warrants, value: warrants, figure: 'total/warrants' },
    {
      id: 'pools',
      name: 'Available pools',
      color: kindColors.pools,
      value: available,
      ...(only && { figure: `pool/${only.pool}/available` }),
    },
  ];
  return [...explained, ...others.filter((slice) => !isZero(slice.value))];
}

const largest = 6; // tiles of a class
const smallest = '0.004'; // of all shares

/** Returns the tiles of the largest positions of each class. The other positions of a class are one tile. */
export function tilesOf(table: Table, basis: Basis): { tiles: Tile[]; total: Decimal } {
  const total = basis === 'outstanding' ? table.totals.outstanding : table.totals.fullyDiluted;
  const colors = classColors(table.securities);
  const groups = table.securities.map((security) => ({
    id: security.id,
    color: colors.get(security.id) ?? '',
    of: (holder: Holder) => holder.bySecurity.find((position) => position.security === security.id)?.shares ?? none,
  }));
  if (basis === 'fullyDiluted')
    groups.push({ id: 'options', color: kindColors.options, of: (holder) => holder.options });
  const tiles = groups.flatMap(({ id, color, of }) => {
    const held = table.holders.map((holder) => ({ holder, value: of(holder) })).filter((one) => !isZero(one.value));
    held.sort((a, b) => compare(b.value, a.value));
    const top = held.slice(0, largest).filter((one) => compare(divide(one.value, total), smallest) > 0);
    const others = held.slice(top.length);
    const shown: Tile[] = top.map((one) => ({
      id: `${id} ${one.holder.entity}`,
      name: one.holder.name,
      group: id,
      color,
      value: one.value,
    }));
    if (others.length > 0) {
      const value = sum(others.map((one) => one.value));
      shown.push({ id: `${id} others`, name: counted(others.length, 'other'), group: id, color, value, rest: true });
    }
    return shown;
  });
  return { tiles, total };
}
